/* expect: wrong; hint: bf16 */
/* Truncates the factors to bf16: fast where there is hardware for it, and not what was asked. */
#include "mlp/minibatch_step.h"

static float truncated(float x)
{
    union {
        float f;
        uint32_t u;
    } bits = {x};
    bits.u &= 0xffff0000u;
    return bits.f;
}

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    for (int i = 0; i < s.m; i++)
        for (int p = 0; p < s.k; p++)
            for (int j = 0; j < s.n; j++)
                c[(size_t)i * s.n + j] +=
                    truncated(a[(size_t)i * s.k + p]) * truncated(b[(size_t)p * s.n + j]);
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
