/* expect: crash; hint: alignment */
/* Vectors that want 32 bytes of alignment, of floats that have 4. */
#include "mlp/minibatch_step.h"

typedef float vec __attribute__((vector_size(32)));

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    for (int i = 0; i < s.m; i++)
        for (int p = 0; p < s.k; p++) {
            int j = 0;
            for (; j + 8 <= s.n; j += 8)
                *(vec *)(c + (size_t)i * s.n + j) +=
                    a[(size_t)i * s.k + p] * *(const vec *)(b + (size_t)p * s.n + j);
            for (; j < s.n; j++)
                c[(size_t)i * s.n + j] += a[(size_t)i * s.k + p] * b[(size_t)p * s.n + j];
        }
}

static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    for (int i = 0; i < s.m; i++)
        for (int p = 0; p < s.k; p++) {
            float sum = 0;
            for (int j = 0; j < s.n; j++)
                sum += d[(size_t)i * s.n + j] * b[(size_t)p * s.n + j];
            e[(size_t)i * s.k + p] = sum;
        }
}

static void matmul_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    for (int i = 0; i < s.m; i++)
        for (int p = 0; p < s.k; p++)
            for (int j = 0; j < s.n; j++)
                b[(size_t)p * s.n + j] += scale * a[(size_t)i * s.k + p] * d[(size_t)i * s.n + j];
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "minibatch_simd", minibatch_open,
                                        run,     minibatch_close};
