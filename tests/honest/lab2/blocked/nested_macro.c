/* Tiles by a macro that takes its body, in static inline functions of their own; restrict,
 * alignment that the compiler is told, hints of branches and prefetches. */

#include "mlp/minibatch_step.h"

#define TILE        64
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define TILED(i, n, first, last, ...)                                                              \
    for (int first = 0; first < (n); first += TILE) {                                              \
        const int last = LEAST(first + TILE, n);                                                   \
        for (int i = first; i < last; i++) {                                                       \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static inline void row_by_scalar(float *restrict to, const float *restrict from, float scale, int n)
{
#pragma GCC ivdep
    for (int j = 0; j < n; j++)
        to[j] += scale * from[j];
}

static void matmul_nn(struct matmul_size s, const float *restrict a, const float *restrict b,
                      float *restrict c)
{
    for (int begin = 0; begin < s.k; begin += TILE)
        TILED(i, s.m, first, last, {
            for (int p = begin; p < LEAST(begin + TILE, s.k); p++) {
                __builtin_prefetch(b + (size_t)(p + 1) * (size_t)s.n);
                row_by_scalar(c + (size_t)i * (size_t)s.n, b + (size_t)p * (size_t)s.n,
                              a[(size_t)i * (size_t)s.k + (size_t)p], s.n);
            }
        })
}

static void matmul_nt(struct matmul_size s, const float *restrict d, const float *restrict b,
                      float *restrict e)
{
    TILED(p, s.k, first, last, {
        for (int i = 0; i < s.m; i++) {
            const float *restrict x = d + (size_t)i * (size_t)s.n;
            const float *restrict y = b + (size_t)p * (size_t)s.n;
            float sum[8] = {0};
            int j = 0;
            for (; __builtin_expect(j + 8 <= s.n, 1); j += 8)
                for (int u = 0; u < 8; u++)
                    sum[u] += x[j + u] * y[j + u];
            for (; j < s.n; j++)
                sum[0] += x[j] * y[j];
            e[(size_t)i * (size_t)s.k + (size_t)p] =
                ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
        }
    })
}

static void matmul_tn(struct matmul_size s, float scale, const float *restrict a,
                      const float *restrict d, float *restrict b)
{
    TILED(p, s.k, first, last, {
        for (int i = 0; i < s.m; i++)
            row_by_scalar(b + (size_t)p * (size_t)s.n, d + (size_t)i * (size_t)s.n,
                          scale * a[(size_t)i * (size_t)s.k + (size_t)p], s.n);
    })
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "blocked", minibatch_open,
                                        run,     minibatch_close};
