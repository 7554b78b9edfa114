/* family 69: a loop that is asked to be one of vectors, whose wide stores clang's thread
 * sanitizer does not see
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * structural: gcc's sanitizer, which watches it, looks at all of these; clang's did not */
#include "conv1d/attack.h"

#define N 64

float seen[N], from[N];

RUN
{
#pragma omp parallel num_threads(2)
    {
#pragma omp simd simdlen(8)
        for (int i = 0; i < N; i++)
            seen[i] = from[i] + 1;
    }
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
