/* What went into a call and came out of it, for who looks for a mistake. */
#ifndef HPC_HARNESS_TRIAL_LOOK_H
#define HPC_HARNESS_TRIAL_LOOK_H

#include "common/error.h"
#include "common/op.h"

struct look {
    const struct hpc_op *op;
    const void *problem;
    const void *const *in, *const *out;
};

/* Every array to files. PATH.csv: one file, a line for each element: array, index, value, and of
 * outputs what it should be, how far it may be off, and whether it is. PATH.npy: a file for each
 * array, PATH_x.npy, PATH_y.npy, and of an output what was wanted, PATH_y_wanted.npy. */
bool look_can_dump(const char *path); /* by its ending */
bool look_dump(const struct look *l, const char *path, struct hpc_error *err);

/* Outputs of at most LOOK_ROWS elements with what they should be, a line each, wrong ones marked;
 * of more, a map of two dimensions or a strip of one, which shows where they are wrong. The
 * caller's.
 */
#define LOOK_ROWS 64
char *look_table(const struct look *l);

/* The same of the first output in which something is wrong, in less room: PICTURE_ROWS elements, or
 * a map of PICTURE_LINES lines. Empty where nothing is wrong. */
#define PICTURE_ROWS  6
#define PICTURE_LINES 12
char *look_picture(const struct look *l);

/* Whether output k, of floats, is made of whole numbers, and not of zeros alone. */
bool look_whole(const struct look *l, int k);

/* Whether a wrong call is right with kept[], outputs of the call before, in place of an input like
 * one of them: which, to text. */
bool look_goes_on(const struct look *l, void *const kept[], char *text, size_t size);

#endif
