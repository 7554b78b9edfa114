/* Loops by macros, _Generic, statement expressions, static assertions and #pragma GCC unroll. */

#include "mlp/minibatch_step.h"

#define UNROLL 4
_Static_assert(UNROLL == 4, "the sums below are four");
#define AT(matrix, columns, i, j) (matrix)[(size_t)(i) * (size_t)(columns) + (size_t)(j)]
#define LEAST(a, b)                                                                                \
    ({                                                                                             \
        __typeof__(a) least_a = (a), least_b = (b);                                                \
        least_a < least_b ? least_a : least_b;                                                     \
    })
#define ZERO(x) _Generic((x), float : 0.0f, default : 0)

static inline __attribute__((always_inline)) float dot(const float *a, const float *b, int n,
                                                       size_t step)
{
    float sum[UNROLL] = {ZERO(*a)};
    for (int first = 0; first < n; first += UNROLL) {
        const int last = LEAST(first + UNROLL, n);
        if (last - first == UNROLL) {
#pragma GCC unroll 4
            for (int u = 0; u < UNROLL; u++)
                sum[u] += a[first + u] * b[(size_t)(first + u) * step];
        } else {
            for (int u = first; u < last; u++)
                sum[0] += a[u] * b[(size_t)u * step];
        }
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    for (int i = 0; i < s.m; i++)
        for (int j = 0; j < s.n; j++)
            AT(c, s.n, i, j) += dot(&AT(a, s.k, i, 0), b + j, s.k, (size_t)s.n);
}

static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    for (int i = 0; i < s.m; i++)
        for (int p = 0; p < s.k; p++)
            AT(e, s.k, i, p) = dot(&AT(d, s.n, i, 0), &AT(b, s.n, p, 0), s.n, 1);
}

static void matmul_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    for (int p = 0; p < s.k; p++)
        for (int j = 0; j < s.n; j++) {
            float sum = 0;
#pragma GCC unroll 8
            for (int i = 0; i < s.m; i++)
                sum += AT(a, s.k, i, p) * AT(d, s.n, i, j);
            AT(b, s.n, p, j) += scale * sum;
        }
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "unrolled", minibatch_open,
                                        run,     minibatch_close};
