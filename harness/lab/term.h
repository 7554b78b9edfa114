/* What this term asks in place of what the headers say, so that last term's solutions and those of
 * this project come out wrong: term.ini in the project's folder, which a release takes along.
 *
 *   [term]
 *   key = autumn-2026     ; any words: they choose for each operation of each lab,
 *   conv1d = flipped      ; but where an operation's own line names the variation, or `none`
 *
 * Without term.ini nothing varies. */
#ifndef HPC_HARNESS_LAB_TERM_H
#define HPC_HARNESS_LAB_TERM_H

#include "harness/lab/lab.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TERM_FILE "term.ini"

/* Set what each task of the lab asks, and the key, which draws the problems of sheets too. */
bool term_read(const char *root, struct lab *lab, struct hpc_error *err);

/* For a release: term.ini, the handout and the starters with a note of what is asked, into files
 * below `tree` that stand in place of the project's. Nothing where there is no term.ini. */
bool term_release(const char *root, const struct lab *lab, const char *tree, struct hpc_error *err);

/* Calls `say` for each variation of the lab once, with its operation. */
void term_each(const struct lab *lab,
               void (*say)(void *data, const struct hpc_op *op, const struct hpc_term *t),
               void *data);

#ifdef __cplusplus
}
#endif
#endif
