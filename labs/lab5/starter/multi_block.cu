/* lab5, multi_block: one thread for each output, as many blocks as that takes. [Dong], Code 2,
 * but with the zero padding that the contract asks for.
 *
 * Contract (conv1d/conv1d.h): y[i] = sum_{j=-r..r} w[j + r] * x[i + j], x being 0 outside [0, n).
 *   x: n floats, w: 2r + 1 floats, y: n floats, all on the device; n may be 0, smaller than the
 *   mask, or over 2^31, and no multiple of anything.
 *
 * TODO 1: the output that a thread computes, from blockIdx, blockDim and threadIdx. An int holds
 *   no more than 2^31 - 1: which product has to be 64 bits wide, and how do you make it so?
 * TODO 2: the last block has threads without an output. All others write theirs, the first and
 *   last r too: the code in the report returns early there.
 * TODO 3: how many blocks? Rounded up. (A launch of none is an error: hence the test for n = 0.) */
#include <stdlib.h>

#include "conv1d/conv1d.h"

struct conv {
    long long n;
    int radius, threads;
};

__global__ void multi_block_kernel(const float *x, const float *w, float *y, long long n,
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
    (void)in, (void)out; /* TODO: launch multi_block_kernel on in[CONV1D_X], in[CONV1D_W] and
                            out[CONV1D_Y] */
    return cudaGetLastError() != cudaSuccess;
}

static void conv_close(void *state)
{
    free(state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,   "conv1d", "multi_block",
                                                   conv_open, conv_run, conv_close};
