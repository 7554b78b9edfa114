/* conv1d/multi_block: a thread for each output, in as many blocks as it takes. [Dong], Code 2, with
 * the outputs at the ends, which it skips.
 *
 * Changes from single_block: the grid, so that all multiprocessors work, and 2048 threads on each
 * hide each other's waiting. The last block has more threads than outputs are left.
 * What limits it: requests. A tap takes two loads, of x and of w, for one multiplication; nearly
 * all of them are answered by the first-level cache, which takes one a cycle. */
#include <limits.h>
#include <stdlib.h>

#include "conv1d/conv1d.h"

struct conv {
    int64_t n;
    int radius, threads, blocks;
};

__global__ void multi_block_kernel(const float *x, const float *w, float *y, int64_t n, int radius)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += w[j + radius] * x[i + j];
    y[i] = sum;
}

static int conv_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv1d_problem *p = (const struct conv1d_problem *)problem;
    const int threads = p->block ? p->block : 256;
    const int64_t n = (int64_t)p->n, blocks = (n + threads - 1) / threads;
    struct conv *s = blocks > INT_MAX ? NULL : (struct conv *)calloc(1, sizeof *s);
    (void)env;
    if (!s)
        return 1;
    s->n = n;
    s->radius = p->radius;
    s->threads = threads;
    s->blocks = (int)blocks;
    *state = s;
    return 0;
}

static int conv_run(void *state, const void *const in[], void *const out[])
{
    const struct conv *s = (const struct conv *)state;
    if (s->n == 0) /* a grid of no blocks is an error */
        return 0;
    multi_block_kernel<<<s->blocks, s->threads>>>((const float *)in[CONV1D_X],
                                                  (const float *)in[CONV1D_W],
                                                  (float *)out[CONV1D_Y], s->n, s->radius);
    return cudaGetLastError() != cudaSuccess;
}

static void conv_close(void *state)
{
    free(state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,   "conv1d", "multi_block",
                                                   conv_open, conv_run, conv_close};
