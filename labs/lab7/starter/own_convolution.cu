/* lab7, own_convolution, a bonus: a convolution of your own, without a library, timed on a GPU
 * against the best that cuDNN has of fp32's accuracy: 16 images, VGG-19's conv3_2.
 *
 * Contract: as in tiled2d (conv2d/conv2d.h), with its bounds of error. All that a GPU has is
 *   allowed: shared memory in stages, warps that copy beside warps that multiply, Tensor Cores by
 *   inline PTX or <mma.h>, in #ifdef __CUDA_ARCH__, since the CPU device has none. No checker looks
 *   at this file; ./hpclab run shows what is wrong.
 *
 * TODO 1: begin with your tiled2d: it is right, and you have points.
 * TODO 2: what bounds it? Count FMAs for each load from shared memory, and raise them: several
 *   pixels and several filters a thread, both in registers.
 * TODO 3: load the next channels while these are multiplied.
 * TODO 4: Tensor Cores multiply halves, 11 bits. A float is nearly a sum of two of them, and three
 *   of the four products are enough (handouts/lab7.md, "What turns it round"). What is lost where an
 *   element is 2^-29 of the largest? */
#include <stdlib.h>

#include "conv2d/conv2d.h"

__global__ void own_kernel(struct conv2d_problem p, const float *x, const float *w, float *y)
{
    /* TODO */
}

static int own_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct conv2d_problem *p = (struct conv2d_problem *)malloc(sizeof *p);
    if (!p)
        return 1;
    (void)env; /* env->fixed[CONV2D_W]: the weights, in the host's memory, to be packed here */
    *p = *(const struct conv2d_problem *)problem;
    *state = p;
    return 0;
}

static int own_run(void *state, const void *const in[], void *const out[])
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)state;
    (void)p, (void)in, (void)out; /* TODO */
    return cudaGetLastError() != cudaSuccess;
}

static void own_close(void *state)
{
    free(state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,  "conv2d", "own_convolution",
                                                   own_open, own_run,  own_close};
