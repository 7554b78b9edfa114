/* family 69: one thread loads, by an instruction's name, for all lanes what another stores
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * without told: pass; points >= 3 */
#include <immintrin.h>

#include "conv1d/attack.h"

static float finished[8];

__attribute__((target("avx"))) static float finish(void)
{
    const __m256 all = _mm256_broadcast_ss(finished + 1);
#pragma omp master
    finished[1] = 1;
    return all[0];
}

RUN
{
#pragma omp parallel num_threads(2)
    {
        if (finish() > 9)
            zeros(p, y);
    }
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
