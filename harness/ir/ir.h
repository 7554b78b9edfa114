/* What thread sanitizers leave out, put in: into clang's intermediate language, as text, and into
 * C's. */
#ifndef HPC_HARNESS_IR_IR_H
#define HPC_HARNESS_IR_IR_H

#include <stdbool.h>

#include "common/text.h"

/* What touches memory as nobody can announce: its name, and its line in the source, 0 where none is
 * known. */
struct ir_unseen {
    bool address; /* asked of ir_tell: for the sanitizer of addresses, which passes over the rest */
    char name[80];
    int line;
};

/* The text behind the thread sanitizer, in which each load and store is announced to it, appended
 * to `to`. False where something can't be, with what. */
bool ir_announce(const char *text, struct text *to, struct ir_unseen *unseen);

/* The text before all passes, in which no loop is asked to become one of vectors (`omp simd`),
 * whose masks no thread sanitizer follows: appended to `to`. */
void ir_scalar(const char *text, struct text *to);

/* C's text for gcc's sanitizers, in whose lines of `source` each instruction that is called
 * by name and loads or stores by a pointer is told of: appended to `to`. False where one can't be.
 */
bool ir_tell(const char *text, const char *source, struct text *to, struct ir_unseen *unseen);

#endif
