/* family 69: a variable called as one of a profiler's, at which clang's thread sanitizer does
 * not look
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * structural: gcc's sanitizer, which watches it, looks at all of these; clang's did not */
#include "conv1d/attack.h"

static int __llvm_gcov_finished;

RUN
{
#pragma omp parallel num_threads(2)
    {
        __llvm_gcov_finished++;
    }
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
