/* Where an output is wrong, as a picture in characters: a map of two dimensions, or a strip of one.
 */
#ifndef HPC_HARNESS_TRIAL_MAP_H
#define HPC_HARNESS_TRIAL_MAP_H

#include "common/op.h"
#include "common/text.h"

#define MAP_COLUMNS 64
#define MAP_LINES   24

/* An element is one of these; a mark of the picture stands for several, and is MAP_SOME where they
 * differ. */
enum { MAP_RIGHT = '.', MAP_WRONG = '#', MAP_BLANK = '?', MAP_SOME = 'x' };
#define MAP_WRONGS "#?"

/* A place in the array, "[2][0][5]", or "[7]". */
void map_place(struct text *t, const struct hpc_array *a, size_t i);

/* The last two dimensions of an array, or all of it as a strip; of several such planes the first in
 * which something is wrong. state: a->count elements. At most `most_lines` lines of at most
 * MAP_COLUMNS marks, below one that says what a mark is; where every element is wrong that line
 * alone. */
void map_add(struct text *t, const struct hpc_array *a, const char *state, size_t most_lines);

#endif
