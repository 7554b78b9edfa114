/* family 69: stores under a mask, by an instruction's name, which clang's thread sanitizer
 * does not see
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * without told: pass; points >= 3 */
#include <immintrin.h>

#include "conv1d/attack.h"

float finished[8];

__attribute__((target("avx"))) static void finish(void)
{
    const __m256i all = _mm256_set1_epi32(-1);
    _mm256_maskstore_ps(finished, all, _mm256_setzero_ps());
}

RUN
{
#pragma omp parallel num_threads(2)
    {
        finish();
    }
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
