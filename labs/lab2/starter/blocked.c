/* lab2, blocked: from your unrolled, loops reordered and cut so that what is used again is still
 * in the cache.
 *
 * Contract (mlp/minibatch_step.h): m samples, k units of this layer, n of the next; all matrices
 * row-major, contiguous, aligned to 4 bytes only; nothing behind a matrix's last element may be
 * read: there is a page that can't be. Any m, n, k >= 1. The order of additions is yours.
 *
 * TODO 1: which loop order walks along all rows, in each of the three products?
 * TODO 2: cut the loops into tiles. How many bytes does a tile touch? Which cache holds it? */
#include "mlp/minibatch_step.h"

/* c[i][j] += sum_p a[i][p] * b[p][j]; c comes with the bias in every row. */
static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    (void)s, (void)a, (void)b, (void)c; /* TODO */
}

/* e[i][p] = sum_j d[i][j] * b[p][j] */
static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    (void)d, (void)b;
    memset(e, 0, (size_t)s.m * (size_t)s.k * sizeof *e); /* TODO */
}

/* b[p][j] += scale * sum_i a[i][p] * d[i][j] */
static void matmul_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    (void)s, (void)scale, (void)a, (void)d, (void)b; /* TODO */
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "blocked", minibatch_open,
                                        run,     minibatch_close};
