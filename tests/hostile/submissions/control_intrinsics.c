/* family control: threads that load and store by instructions' names, side by side
 * task races
 * full
 * grade: pass; points >= 5 */
#include <immintrin.h>
#include <pthread.h>

#include "conv1d/attack.h"

#define HALF 44 /* no whole number of vectors */

static float from[2 * HALF + 8] __attribute__((aligned(32))), to[2 * HALF + 8],
    past[2][8] __attribute__((aligned(32)));
static unsigned long long carried[2];

/* Lanes begin .. end - 1: what lies behind is the other thread's. */
__attribute__((target("avx"))) static void copy(int begin, int end)
{
    for (int i = begin; i < end; i += 8) {
        int on[8];
        for (int k = 0; k < 8; k++)
            on[k] = i + k < end ? -1 : 0;
        const __m256i mask = _mm256_loadu_si256((const __m256i *)on);
        _mm256_maskstore_ps(to + i, mask,
                            _mm256_add_ps(_mm256_maskload_ps(from + i, mask), _mm256_set1_ps(1)));
    }
}

__attribute__((target("avx"))) static void share(int k)
{
    copy(k * HALF, (k + 1) * HALF);
    _mm256_stream_ps(past[k], _mm256_set1_ps((float)k));
    (void)_addcarry_u64(0, 1, 2, &carried[k]);
    _mm_sfence();
    __builtin_ia32_pause();
}

static void *work(void *p)
{
    if (__builtin_cpu_supports("avx"))
        share(1);
    return p;
}

RUN
{
    pthread_t thread;
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, work, NULL) != 0)
        return 1;
    if (__builtin_cpu_supports("avx"))
        share(0);
    if (pthread_join(thread, NULL) != 0)
        return 1;
    return __builtin_cpu_supports("avx") && (to[HALF + 3] < 1 || carried[1] != 3 || past[1][5] < 1);
}
SUBMISSION
