/* lab5, single_block: one block computes everything. The kernel is the serial program with its
 * outer loop dealt out to the threads of one block.
 *
 * Contract (conv1d/conv1d.h): y[i] = sum_{j=-r..r} w[j + r] * x[i + j], x being 0 outside [0, n).
 *   x: n floats, w: 2r + 1 floats, y: n floats, all on the device; n may be 0, smaller than the
 *   mask, or over 2^31, and no multiple of anything.
 *
 * TODO 1: which outputs does thread t compute? Let neighbours compute neighbours: then the 32
 *   threads of a warp read 32 floats in a row, in one request. (Try it the other way round and
 *   look at `sectors per request`.)
 * TODO 2: x[i + j] outside [0, n) counts as 0. Test before you read.
 * TODO 3: launch one block of s->threads threads. */
#include <stdlib.h>

#include "conv1d/conv1d.h"

struct conv {
    long long n;
    int radius, threads;
};

__global__ void single_block_kernel(const float *x, const float *w, float *y, long long n,
                                    int radius)
{
    /* TODO */
}

static int conv_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv1d_problem *p = (const struct conv1d_problem *)problem;
    struct conv *s = (struct conv *)calloc(1, sizeof *s);
    (void)env;
    if (!s)
        return 1;
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
    (void)in, (void)out; /* TODO: launch single_block_kernel on in[CONV1D_X], in[CONV1D_W] and
                            out[CONV1D_Y] */
    return cudaGetLastError() != cudaSuccess;
}

static void conv_close(void *state)
{
    free(state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,   "conv1d", "single_block",
                                                   conv_open, conv_run, conv_close};
