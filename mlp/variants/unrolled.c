/* mlp_minibatch/unrolled: several steps of the innermost loop at a time.
 *
 * Changes from minibatch_naive: the same order of loops, with UNROLL (2, 4, 8) copies of the
 * innermost body, and either one accumulator or several.
 * ACCUMULATORS 1: the copies add to the same sum. Each addition waits for the one before it and
 * the walk down the column is the same, so nothing is won: the loop's own overhead was hidden.
 * ACCUMULATORS several (any number but 1): the copies are UNROLL neighbouring outputs ("unroll and
 * jam"), each with a sum of its own. The chains of additions are independent, and in nn and tn the
 * neighbours stand side by side in memory: a cache line that was fetched for one float now serves
 * UNROLL of them. That is worth more here than UNROLL partial sums of one output, which would
 * break the chain but fetch as many lines as before.
 *
 * What limits it now: still one column of lines, 4096 bytes apart, for UNROLL outputs, and a is
 * read again for each of them. */
#include "mlp/minibatch_step.h"

#ifndef UNROLL
#define UNROLL 8
#endif
#ifndef ACCUMULATORS
#define ACCUMULATORS UNROLL
#endif

/* Sums over `count` terms of x[t * x_step] * y[u * y_next + t * y_step] for UNROLL neighbours u. */
static inline __attribute__((always_inline)) void dot_neighbours(int count, const float *x,
                                                                 size_t x_step, const float *y,
                                                                 size_t y_next, size_t y_step,
                                                                 float *sums)
{
    float sum[UNROLL] = {0};
    for (int t = 0; t < count; t++) {
        const float xt = x[(size_t)t * x_step];
#pragma GCC unroll 8
        for (int u = 0; u < UNROLL; u++)
            sum[u] += xt * y[(size_t)u * y_next + (size_t)t * y_step];
    }
    for (int u = 0; u < UNROLL; u++)
        sums[u] = sum[u];
}

/* The same for one output: UNROLL terms a turn, all added to one sum. */
static inline __attribute__((always_inline)) float dot(int count, const float *x, size_t x_step,
                                                       const float *y, size_t y_step)
{
    float sum = 0;
    int t = 0;
    for (; t + UNROLL <= count; t += UNROLL) {
#pragma GCC unroll 8
        for (int u = 0; u < UNROLL; u++)
            sum += x[(size_t)(t + u) * x_step] * y[(size_t)(t + u) * y_step];
    }
    for (; t < count; t++)
        sum += x[(size_t)t * x_step] * y[(size_t)t * y_step];
    return sum;
}

/* out[j] = (add ? out[j] : 0) + scale * the j-th sum, for j = 0 .. outputs-1. */
static inline __attribute__((always_inline)) void dots(int outputs, int count, const float *x,
                                                       size_t x_step, const float *y, size_t y_next,
                                                       size_t y_step, int add, float scale,
                                                       float *out)
{
    int j = 0;
    for (; ACCUMULATORS != 1 && j + UNROLL <= outputs; j += UNROLL) {
        float sums[UNROLL];
        dot_neighbours(count, x, x_step, y + (size_t)j * y_next, y_next, y_step, sums);
        for (int u = 0; u < UNROLL; u++)
            out[j + u] = (add ? out[j + u] : 0) + scale * sums[u];
    }
    for (; j < outputs; j++)
        out[j] = (add ? out[j] : 0) + scale * dot(count, x, x_step, y + (size_t)j * y_next, y_step);
}

static void matmul_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    for (int i = 0; i < s.m; i++)
        dots(s.n, s.k, a + (size_t)i * s.k, 1, b, 1, (size_t)s.n, 1, 1, c + (size_t)i * s.n);
}

static void matmul_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    for (int i = 0; i < s.m; i++)
        dots(s.k, s.n, d + (size_t)i * s.n, 1, b, (size_t)s.n, 1, 0, 1, e + (size_t)i * s.k);
}

static void matmul_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    for (int p = 0; p < s.k; p++)
        dots(s.n, s.m, a + p, (size_t)s.k, d, 1, (size_t)s.n, 1, scale, b + (size_t)p * s.n);
}

static int run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
    return minibatch_run(state, &products, in, out);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_minibatch", "unrolled", minibatch_open,
                                        run,     minibatch_close};
