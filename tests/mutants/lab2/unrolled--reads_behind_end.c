/* expect: crash|unsafe; hint: overflow */
/* Sums 8 at a time and reads behind the last row, though it drops what it read. */
#include "mlp/minibatch_step.h"

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    for (int i = 0; i < s.m; i++)
        for (int p = 0; p < s.k; p++)
            for (int j = 0; j < s.n; j++)
                c[(size_t)i * s.n + j] += a[(size_t)i * s.k + p] * b[(size_t)p * s.n + j];
}

static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    for (int i = 0; i < s.m; i++)
        for (int p = 0; p < s.k; p++) {
            float sum[8] = {0}, all = 0;
            for (int j = 0; j < s.n; j += 8)
                for (int u = 0; u < 8; u++) {
                    float x = d[(size_t)i * s.n + j + u], y = b[(size_t)p * s.n + j + u];
                    sum[u] += j + u < s.n ? x * y : 0;
                }
            for (int u = 0; u < 8; u++)
                all += sum[u];
            e[(size_t)i * s.k + p] = all;
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

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "unrolled", minibatch_open,
                                        run,     minibatch_close};
