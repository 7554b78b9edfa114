/* lab6, register: as fast as the memory. Each thread computes several outputs that lie side by side
 * and keeps the window of x that they share in registers.
 *
 * Contract (conv1d/conv1d.h): y[i] = sum_{j=-r..r} w[j + r] * x[i + j], x being 0 outside [0, n).
 *   x: n floats, y: n floats, on the device, both starting at a multiple of 64 bytes; the mask:
 *   env->fixed[CONV1D_W], on the host. Any n, any r: a slow general kernel for wide masks will do,
 *   the speed is measured at mask 9 and 3e7 outputs. On a GPU: your share of the speed at which
 *   the same bytes are copied; 85% earns full marks.
 *
 * What a copy does well, and multi_block does not:
 * TODO 1: 16 bytes a load: float4 (reinterpret_cast<const float4 *>(x)[k]), which must be aligned.
 * TODO 2: several outputs a thread. With 4 outputs and mask 9 a thread needs 12 values of x: three
 *   float4, in place of 36 loads. Which of them are the neighbour's, too?
 * TODO 3: loops whose bounds the compiler knows (a template over the radius, #pragma unroll): an
 *   array stays in registers only when each index is a constant.
 * TODO 4: the first and last outputs, and the n % 4 at the end: a test that is true for all but a
 *   few blocks costs little; one for every load costs much.
 * Look at what you got: cuobjdump -sass, LDG.E.128, no LDL (local memory is global memory). */
#include <stdlib.h>

#include "conv1d/conv1d.h"

/* 2 * CONV1D_MAX_RADIUS + 1 floats: a little less than the 64 KiB that there are. */
__constant__ float c_mask[CONV1D_MAX_MASK];

struct conv {
    long long n;
    int radius, threads;
};

__global__ void register_kernel(const float *x, float *y, long long n, int radius)
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
    (void)in, (void)out; /* TODO: launch register_kernel on in[CONV1D_X] and out[CONV1D_Y] */
    return cudaGetLastError() != cudaSuccess;
}

static void conv_close(void *state)
{
    free(state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,   "conv1d", "register",
                                                   conv_open, conv_run, conv_close};
