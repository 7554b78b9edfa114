/* lab2: blocked, right and plain; each patch in blocked/ is a mistake in it. */
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

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "blocked", minibatch_open,
                                        run,     minibatch_close};
