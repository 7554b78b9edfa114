/* conv1d/constant: multi_block with the mask in constant memory. [Dong], Code 3.
 *
 * Changes from multi_block: all threads of a warp read the same tap at the same time, which the
 * constant cache answers with one word for all of them, beside the path that loads of x take. The
 * mask is copied once, in open(), so it costs nothing a call. 64 KiB hold the widest mask.
 * What limits it: still a load of x for each tap. */
#include <limits.h>
#include <stdlib.h>

#include "conv1d/conv1d.h"

__constant__ float c_mask[CONV1D_MAX_MASK];

struct conv {
    int64_t n;
    int radius, threads, blocks;
};

__global__ void constant_kernel(const float *x, float *y, int64_t n, int radius)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += c_mask[j + radius] * x[i + j];
    y[i] = sum;
}

static int conv_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv1d_problem *p = (const struct conv1d_problem *)problem;
    const int threads = p->block ? p->block : 256;
    const int64_t n = (int64_t)p->n, blocks = (n + threads - 1) / threads;
    struct conv *s = blocks > INT_MAX ? NULL : (struct conv *)calloc(1, sizeof *s);
    if (!s)
        return 1;
    if (cudaMemcpyToSymbol(c_mask, env->fixed[CONV1D_W],
                           (2 * (size_t)p->radius + 1) * sizeof(float)) != cudaSuccess) {
        free(s);
        return 1;
    }
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
    constant_kernel<<<s->blocks, s->threads>>>((const float *)in[CONV1D_X], (float *)out[CONV1D_Y],
                                               s->n, s->radius);
    return cudaGetLastError() != cudaSuccess;
}

static void conv_close(void *state)
{
    free(state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,   "conv1d", "constant",
                                                   conv_open, conv_run, conv_close};
