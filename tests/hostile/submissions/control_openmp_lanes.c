/* family control: threads that share the lanes of vectors, and hand each other structs and numbers
 * of many sizes
 * task parallel
 * full
 * needs archer
 * grade: pass; points >= 3 */
#include <immintrin.h>
#include <omp.h>

#include "conv1d/attack.h"

#define N 100

struct sum {
    double of[3];
    int n;
};

struct colour {
    unsigned char part[3];
};

typedef float lanes __attribute__((vector_size(32)));

static float even_odd[N], split[N];
static struct colour colours[2];
static struct sum total;
static long double precise;
static lanes wide;

static struct sum add(struct sum a, struct sum b)
{
    a.of[0] += b.of[0];
    a.n += b.n;
    return a;
}

static struct colour darker(struct colour c, int by)
{
    return (struct colour){{(unsigned char)(c.part[0] - by), c.part[1], c.part[2]}};
}

__attribute__((target("avx"))) static void fill(float *to, int begin, int end)
{
    for (int i = begin; i < end; i += 8) {
        int on[8];
        for (int k = 0; k < 8; k++)
            on[k] = i + k < end ? -1 : 0;
        const __m256i mask = _mm256_loadu_si256((const __m256i *)on);
        _mm256_maskstore_ps(to + i, mask, _mm256_set1_ps(1));
    }
}

RUN
{
    memset(&total, 0, sizeof total);
    precise = 0;
#pragma omp parallel num_threads(2)
    {
        const int me = omp_get_thread_num();
        const struct sum own = {{1, 2, 3}, 1};
#pragma omp simd simdlen(8)
        for (int i = 0; i < N; i++)
            if (i % 2 == me)
                even_odd[i] = (float)i;
        if (__builtin_cpu_supports("avx"))
            fill(split, 45 * me, 45 * (me + 1)); /* not whole vectors */
        colours[me] = darker(colours[me], me);
#pragma omp critical
        {
            total = add(total, own);
            precise += own.of[0];
            wide += (float)me;
        }
#pragma omp for
        for (int64_t i = 0; i < (int64_t)p->n; i++) {
            float sum = 0;
            for (int64_t j = -p->radius; j <= p->radius; j++)
                if (i + j >= 0 && i + j < (int64_t)p->n)
                    sum += w[j + p->radius] * x[i + j];
            y[i] = sum;
        }
    }
    return total.n != 2 || precise < 2 || wide[7] < 1 || even_odd[3] < 3;
}
SUBMISSION
