/* What gcc's sanitizers leave out of C: instructions called by a name of the processor's headers.
 */
#ifndef HPC_HARNESS_BUILD_INTRINSICS_H
#define HPC_HARNESS_BUILD_INTRINSICS_H

#include <stdbool.h>

#include "common/text.h"
#include "harness/build/build.h"

/* What touches memory as nobody can announce. */
struct unseen_instruction {
    bool address; /* asked: for the sanitizer of addresses, which passes over the rest */
    char name[80];
};

/* C's text, in whose lines that are the student's each instruction that is called by name and loads
 * or stores by a pointer is told of: appended to `to`. False where one can't be. */
bool intrinsics_tell(const struct build_spec *spec, const char *text, struct text *to,
                     struct unseen_instruction *unseen);

#endif
