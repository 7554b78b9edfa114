/* Objects of all variants of a folder and their table, for programs of ours that link variants:
 * `hpclab mlp` and benchmarks. */
#ifndef HPC_HARNESS_TRIAL_OBJECTS_H
#define HPC_HARNESS_TRIAL_OBJECTS_H

#include "harness/lab/project.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Build build/DEVICE/variants/FOLDER/NAME.o of every variant at hand, each with the one symbol
 * hpc_variant_NAME, and table.c; print one line a variant. A variant with `needs` that does not
 * compile is left out with a line: the compiler may not know the instructions. Any other that does
 * not compile is an error, after all have been tried. The table is only written when it changes.
 * With `only` (NAME, else NULL) just that variant, and table-NAME.c, which lists it alone. */
bool build_objects(struct project *p, const char *folder, const char *only, enum hpc_place device,
                   struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
