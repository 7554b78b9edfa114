/* conv1d/tiled_cached: a tile without a halo; what lies beyond it comes through the caches. [Dong],
 * Code 5 ("strategy 2"), in our own words: its tile is of 4 elements whatever the block has.
 *
 * Changes from tiled_halo: each thread brings one element, its own, and nothing has to be worked
 * out about halos; x[i + j] is looked for in the tile, else in global memory, where a neighbouring
 * block has just read it, so it is in a cache.
 * What limits it: the question itself, asked for each tap, and warps whose threads answer it
 * differently, which then go both ways. */
#include <limits.h>
#include <stdlib.h>

#include "conv1d/conv1d.h"

__constant__ float c_mask[CONV1D_MAX_MASK];

struct conv {
    int64_t n;
    int radius, threads, blocks;
};

__global__ void tiled_cached_kernel(const float *x, float *y, int64_t n, int radius)
{
    extern __shared__ float tile[]; /* an element a thread */
    const int64_t begin = (int64_t)blockIdx.x * blockDim.x, i = begin + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++) {
        const int at = (int)threadIdx.x + j;
        if (at >= 0 && at < (int)blockDim.x)
            sum += c_mask[j + radius] * tile[at];
        else if (i + j >= 0 && i + j < n)
            sum += c_mask[j + radius] * x[i + j];
    }
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
    tiled_cached_kernel<<<s->blocks, s->threads, s->threads * sizeof(float)>>>(
        (const float *)in[CONV1D_X], (float *)out[CONV1D_Y], s->n, s->radius);
    return cudaGetLastError() != cudaSuccess;
}

static void conv_close(void *state)
{
    free(state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,   "conv1d", "tiled_cached",
                                                   conv_open, conv_run, conv_close};
