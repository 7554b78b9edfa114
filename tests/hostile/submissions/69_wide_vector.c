/* family 69: two threads count in a vector of 32 bytes, which clang's thread sanitizer has no
 * call for
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * structural: gcc's sanitizer, which watches it, looks at all of these; clang's did not */
#include "conv1d/attack.h"

typedef float lanes __attribute__((vector_size(32)));

static lanes finished;

RUN
{
#pragma omp parallel num_threads(2)
    {
        finished += 1;
    }
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
