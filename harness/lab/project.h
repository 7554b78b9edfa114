/* The project that a command works on: its folder and what was read there, each file once.
 *
 * Interface: main() knows the root and opens the rest to no verb; a verb asks for what it needs
 * (project_catalogue, project_lab, project_select) and hands the project on. What it asks for stays
 * until project_close, but for the lab, in whose place another one may be read. All functions that
 * only look take a const one, and expect to find there what they name. */
#ifndef HPC_HARNESS_LAB_PROJECT_H
#define HPC_HARNESS_LAB_PROJECT_H

#include "harness/lab/lab.h"
#include "harness/lab/selection.h"

#ifdef __cplusplus
extern "C" {
#endif

struct project {
    const char *root;            /* absolute, the caller's; */
    struct catalogue *catalogue; /* NULL until it is asked for, as is */
    struct lab *lab;             /* the one read last */
    struct selection selection;  /* by project_select */
};

/* Read the catalogue, unless it was read. */
bool project_catalogue(struct project *p, struct hpc_error *err);
/* Read the lab NAME in place of the one before, unless it is that one; and the catalogue. */
bool project_lab(struct project *p, const char *name, struct hpc_error *err);
/* The selection of the lab NAME or, where NULL, of the one selected last; and the lab. */
bool project_select(struct project *p, const char *name, struct hpc_error *err);
/* The variant NAME of a catalogue that was read. NULL with *err where it is not listed or its
 * source is not at hand. */
const struct variant *project_variant(const struct project *p, const char *name,
                                      struct hpc_error *err);
void project_close(struct project *p);

#ifdef __cplusplus
}
#endif
#endif
