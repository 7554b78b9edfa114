/* lab6, tiled_halo: each block brings its tile of x, and the halo on both sides, into shared
 * memory; then all outputs of the tile are computed from there. [Dong], Code 4 ("strategy 1"),
 * whose three mistakes the handout shows: yours has none of them.
 *
 * Contract (conv1d/conv1d.h): y[i] = sum_{j=-r..r} w[j + r] * x[i + j], x being 0 outside [0, n).
 *   x: n floats, y: n floats, on the device; the mask: env->fixed[CONV1D_W], on the host, the same
 * in all calls. n may be 0, smaller than the mask, no multiple of the block; r may be larger than a
 *   block has threads.
 *
 *      x:   . . . . [ r cells | one cell a thread: the tile | r cells ] . . . .
 *                     left halo                               right halo
 *
 * TODO 1: the shared array: how many floats? It is sized at the launch:
 *   extern __shared__ float tile[];  kernel<<<blocks, threads, bytes>>>(..)
 *   Up to 48 KiB of it come without asking: cudaFuncSetAttribute for more, or a smaller tile.
 * TODO 2: load threads + 2r cells with `threads` threads: a loop, neighbours load neighbours, and
 *   what lies outside [0, n) is 0.
 * TODO 3: nobody may read the tile before everybody has written: where does the barrier go? All
 *   threads of the block must come to it, those without an output too.
 * TODO 4: y from the tile and c_mask. What is x[i + j] called in the tile? */
#include <stdlib.h>

#include "conv1d/conv1d.h"

/* 2 * CONV1D_MAX_RADIUS + 1 floats: a little less than the 64 KiB that there are. */
__constant__ float c_mask[CONV1D_MAX_MASK];

struct conv {
    long long n;
    int radius, threads;
};

__global__ void tiled_halo_kernel(const float *x, float *y, long long n, int radius)
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
    (void)in, (void)out; /* TODO: launch tiled_halo_kernel on in[CONV1D_X] and out[CONV1D_Y] */
    return cudaGetLastError() != cudaSuccess;
}

static void conv_close(void *state)
{
    free(state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,   "conv1d", "tiled_halo",
                                                   conv_open, conv_run, conv_close};
