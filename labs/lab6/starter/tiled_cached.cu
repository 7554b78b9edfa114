/* lab6, tiled_cached: only the tile goes to shared memory; what lies in a neighbour's tile is read
 * from global memory, and found in a cache, since the neighbour reads it at that time, too.
 * [Dong], Code 5 ("strategy 2").
 *
 * Contract (conv1d/conv1d.h): y[i] = sum_{j=-r..r} w[j + r] * x[i + j], x being 0 outside [0, n).
 *   As in tiled_halo. The tile has as many cells as the block has threads, whatever r is.
 *
 * TODO 1: one load a thread, then the barrier: all threads of the block come to it. (The code in
 * the report reads x[i] for threads beyond n.)
 * TODO 2: for each tap: in the tile? From there. Outside [0, n)? Nothing. Else from x.
 * TODO 3: the test is made for every tap of every output. What does that cost, beside the reads
 * that it saves? Count the instructions of the inner loop in both kernels. */
#include <stdlib.h>

#include "conv1d/conv1d.h"

/* 2 * CONV1D_MAX_RADIUS + 1 floats: a little less than the 64 KiB that there are. */
__constant__ float c_mask[CONV1D_MAX_MASK];

struct conv {
    long long n;
    int radius, threads;
};

__global__ void tiled_cached_kernel(const float *x, float *y, long long n, int radius)
{
    /* TODO */
}

static int conv_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv1d_problem *p = (const struct conv1d_problem *)problem;
    struct conv *s = (struct conv *)calloc(1, sizeof *s);
    if (!s)
        return 1;
    (void)env; /* TODO: copy env->fixed[CONV1D_W] to c_mask */
    s->n = (long long)p->n;
    s->radius = p->radius;
    s->threads = p->block ? p->block : 256;
    *state = s;
    return 0;
}

static int conv_run(void *state, const void *const in[], void *const out[])
{
    struct conv *s = (struct conv *)state;
    if (s->n == 0)
        return 0;
    (void)in, (void)out; /* TODO: launch tiled_cached_kernel on in[CONV1D_X] and out[CONV1D_Y] */
    return cudaGetLastError() != cudaSuccess;
}

static void conv_close(void *state)
{
    free(state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,   "conv1d", "tiled_cached",
                                                   conv_open, conv_run, conv_close};
