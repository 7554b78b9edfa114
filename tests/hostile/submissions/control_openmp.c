/* family control: an honest submission whose headers and macros are a compiler's own
 * task parallel
 * full
 * needs archer
 * grade: pass; points >= 3 */
#include <assert.h> // "/*" opens no comment here
#include <float.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined __x86_64__
#include <immintrin.h> /* a comment
that ends on another line */
#endif

#include "conv1d/attack.h"

#if defined __GNUC__ && !defined __clang__ && __GNUC__ >= 8
#define UNROLLED _Pragma("GCC unroll 4")
#else
#error a compiler that is none of those that students are told of
#endif

static atomic_int finished = ATOMIC_VAR_INIT(0);

RUN
{
    const int64_t n = (int64_t)p->n, r = p->radius;
    bool all = true;
    assert(offsetof(struct conv1d_problem, n) < SIZE_MAX && _OPENMP >= 201511);
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static) reduction(&& : all)
        for (int64_t i = 0; i < n; i++) {
            float sum = 0;
            UNROLLED
            for (int64_t j = -r; j <= r; j++)
                if (i + j >= 0 && i + j < n)
                    sum += w[j + r] * x[i + j];
            y[i] = sum;
            all = all && fabsf(sum) <= FLT_MAX && INT_MAX > 0;
        }
        atomic_fetch_add_explicit(&finished, 1, memory_order_relaxed);
    }
#if defined __x86_64__
    _mm_sfence();
#endif
    return !all || atomic_load(&finished) < 1;
}
SUBMISSION
