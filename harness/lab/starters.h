/* Laying out a lab's starter files: labs/labN/starter/ holds them as handed out, labs/labN/ is
 * where a student works. */
#ifndef HPC_HARNESS_LAB_STARTERS_H
#define HPC_HARNESS_LAB_STARTERS_H

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a working file is, byte for byte, the starter that it was laid out from. */
bool starter_untouched(const char *root, const char *lab, const char *name);

/* The name of a file beside the working copies that ends as NAME does and is none of them; the
 * caller's, NULL where there is none. */
char *starter_stranger(const char *root, const char *lab, const char *name);

/* Copy the starters whose working copy is missing. An existing file is never touched. */
bool lab_layout_starters(const char *root, const char *lab, struct hpc_error *err);
/* Whether any starter has a working copy; else false with *err, which says what makes them. */
bool lab_laid_out(const char *root, const char *lab, struct hpc_error *err);

/* The starters' names, sorted, below labs/LAB/starter; *names and its texts are the caller's to
 * free. -1 with *err filled when there is no such folder. */
int starter_names(const char *root, const char *lab, char ***names, struct hpc_error *err);
/* Put starter NAME in place of the working copy, atomically. */
bool starter_copy(const char *root, const char *lab, const char *name, struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
