/* Objects of all variants of a folder and their table, for programs of ours that link variants:
 * `hpclab mlp` and benchmarks. */
#ifndef HPC_HARNESS_TRIAL_OBJECTS_H
#define HPC_HARNESS_TRIAL_OBJECTS_H

#include "harness/lab/project.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What to build, of a folder of variants. */
struct objects {
    const char *folder;       /* "mlp", an operation's */
    const char *const *names; /* these alone, each a name of the catalogue; n_names 0: all */
    int n_names;
    const char *except; /* but those whose names this pattern of the shell's takes; NULL: none */
    const char *suffix; /* of objects and symbols: "_O0" makes serial_O0.o; NULL: none */
    const char *flags;  /* behind those of the catalogue; NULL: none */
    bool bare;          /* without those of the catalogue */
    enum hpc_place device;
};

/* Build build/DEVICE/variants/FOLDER/NAME.o of each, with the one symbol hpc_variant_NAME, table.c,
 * and `objects`, a list of their paths below root; print one line a variant. A variant with `needs`
 * that does not compile is left out with a line: the compiler may not know the instructions. Any
 * other that does not compile is an error, after all have been tried. Table and list are only
 * written when they change. With names they are table-FIRST.c and objects-FIRST, and list those
 * alone (FIRST: the first name and the suffix). */
bool build_objects(struct project *p, const struct objects *what, struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
