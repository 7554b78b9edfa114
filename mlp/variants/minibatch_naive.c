/* mlp_minibatch/minibatch_naive: the three products of a training step as three loops each.
 *
 * The first variant, and lab2's baseline: as the formulas stand, with the sum innermost.
 * What limits it: nn and tn walk down a column, n floats apart. Each step of the innermost loop
 * fetches a cache line, and at width 1024 a page, for the sake of one float in it; the lines of
 * a column are 4096 bytes apart, so they fall into one set of the cache and evict each other. */
#include "mlp/minibatch_step.h"

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    for (int i = 0; i < s.m; i++) {
        for (int j = 0; j < s.n; j++) {
            float sum = 0;
            for (int p = 0; p < s.k; p++)
                sum += a[(size_t)i * s.k + p] * b[(size_t)p * s.n + j];
            c[(size_t)i * s.n + j] += sum;
        }
    }
}

static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    for (int i = 0; i < s.m; i++) {
        for (int p = 0; p < s.k; p++) {
            float sum = 0;
            for (int j = 0; j < s.n; j++)
                sum += d[(size_t)i * s.n + j] * b[(size_t)p * s.n + j];
            e[(size_t)i * s.k + p] = sum;
        }
    }
}

static void matmul_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    for (int p = 0; p < s.k; p++) {
        for (int j = 0; j < s.n; j++) {
            float sum = 0;
            for (int i = 0; i < s.m; i++)
                sum += a[(size_t)i * s.k + p] * d[(size_t)i * s.n + j];
            b[(size_t)p * s.n + j] += scale * sum;
        }
    }
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "minibatch_naive", minibatch_open,
                                        run,     minibatch_close};
