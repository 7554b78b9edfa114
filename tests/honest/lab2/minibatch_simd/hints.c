/* What compilers can be told: restrict, ivdep, omp simd, optimize, hot, vector_size of complex
 * types. */

#include "mlp/minibatch_step.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define HOT       __attribute__((hot, optimize("O3")))

HOT static void matmul_nn(struct matmul_size s, const float *restrict a, const float *restrict b,
                          float *restrict c)
{
    for (int i = 0; i < s.m; i++)
        for (int p = 0; LIKELY(p < s.k); p++) {
            const float f = a[(size_t)i * s.k + p];
            float *const to = c + (size_t)i * s.n;
            const float *const from = b + (size_t)p * s.n;
#pragma GCC ivdep
            for (int j = 0; j < s.n; j++)
                to[j] = __builtin_fmaf(f, from[j], to[j]);
        }
}

HOT static void matmul_nt(struct matmul_size s, const float *restrict d, const float *restrict b,
                          float *restrict e)
{
    for (int i = 0; i < s.m; i++)
        for (int p = 0; p < s.k; p++) {
            float sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int j = 0; j < s.n; j++)
                sum += d[(size_t)i * s.n + j] * b[(size_t)p * s.n + j];
            e[(size_t)i * s.k + p] = sum;
        }
}

HOT static void matmul_tn(struct matmul_size s, float scale, const float *restrict a,
                          const float *restrict d, float *restrict b)
{
    for (int i = 0; i < s.m; i++)
        for (int p = 0; p < s.k; p++) {
            const float f = scale * a[(size_t)i * s.k + p];
#pragma GCC ivdep
            for (int j = 0; j < s.n; j++)
                b[(size_t)p * s.n + j] += f * d[(size_t)i * s.n + j];
        }
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "minibatch_simd", minibatch_open,
                                        run,     minibatch_close};
