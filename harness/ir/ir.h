/* clang's intermediate language, as text: what its thread sanitizer leaves out, put in. */
#ifndef HPC_HARNESS_IR_IR_H
#define HPC_HARNESS_IR_IR_H

#include <stdbool.h>

#include "common/text.h"

/* What touches memory as nobody can announce: its name, and its line in the source, 0 where none is
 * known. */
struct ir_unseen {
    char name[80];
    int line;
};

/* The text behind the thread sanitizer, in which each load and store is announced to it, appended
 * to `to`. False where something can't be, with what. */
bool ir_announce(const char *text, struct text *to, struct ir_unseen *unseen);

/* The text before all passes, in which no loop is asked to become one of vectors (`omp simd`),
 * whose masks no thread sanitizer follows: appended to `to`. */
void ir_scalar(const char *text, struct text *to);

#endif
