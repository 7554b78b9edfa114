/* family 66: a loop on the host whose loads and stores are instructions that no compiler gives a
 * checker's call
 * task device
 * full
 * grade: rejected; points <= 0; reason: an instruction of this machine's
 * without host_words: rejected; points <= 0; reason: computes on the host
 * without host_words host_reach: pass; points >= 2.5 */
#include "conv1d/attack.h"
#pragma GCC target("avx")
#include <immintrin.h>

__global__ void idle_kernel(const float *x, float *y, int n)
{
    (void)x, (void)y, (void)n;
}

RUN
{
    const int n = (int)p->n, r = p->radius;
    float *h = (float *)aligned_alloc(64, (size_t)(2 * n + 2 * r + 100) * sizeof *h),
          *hw = h + n + 16, *hy;
    hy = hw + 2 * r + 1 + 16;
    hy += (16 - (size_t)(hy - h) % 16) % 16;
    idle_kernel<<<(n + 255) / 256, 256>>>(x, y, n);
    for (int i = 0; i < n; i++)
        h[i] = _mm_cvtss_f32(
            __builtin_ia32_maskloadps((const __v4sf *)(x + i), (__v4si)_mm_set_epi32(0, 0, 0, -1)));
    for (int i = 0; i <= 2 * r; i++)
        hw[i] = _mm_cvtss_f32(
            __builtin_ia32_maskloadps((const __v4sf *)(w + i), (__v4si)_mm_set_epi32(0, 0, 0, -1)));
    answer(p, h, hw, hy);
    for (int i = 0; i < n; i++)
        __builtin_ia32_maskstoreps((__v4sf *)(y + i), (__v4si)_mm_set_epi32(0, 0, 0, -1),
                                   _mm_set1_ps(hy[i]));
    free(h);
    return 0;
}
SUBMISSION
