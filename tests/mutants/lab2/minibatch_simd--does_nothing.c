/* expect: wrong; hint: only biases moved */
/* Fast, and learns nothing. */
#include "mlp/minibatch_step.h"

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    (void)s, (void)a, (void)b, (void)c;
}

static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    (void)d, (void)b;
    memset(e, 0, (size_t)s.m * s.k * sizeof *e);
}

static void matmul_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    (void)s, (void)scale, (void)a, (void)d, (void)b;
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "minibatch_simd", minibatch_open,
                                        run,     minibatch_close};
