/* lab8, own_pooling, a bonus: convolution and pooling in kernels of your own, without a library,
 * timed on a GPU against pooling behind cuDNN's best convolution: 64 images, 256 channels of 32 x
 * 32.
 *
 * Contract: as in direct_cudnn (conv2d/convpool.h), with its bounds of error. All that a GPU has is
 *   allowed: shared memory in stages, warps that copy beside warps that multiply, Tensor Cores by
 *   inline PTX or <mma.h>, in #ifdef __CUDA_ARCH__, since the CPU device has none. No checker looks
 *   at this file; ./hpclab run shows what is wrong.
 *
 * TODO 1: one kernel: a block forms the sums of a tile of x on their way into shared memory, and
 *   multiplies there with stride `pool`. What does memory see of it then?
 * TODO 2: a block of filters forms the sums again. How many filters should it have?
 * TODO 3: form the next channels' sums while these are multiplied.
 * TODO 4: Tensor Cores multiply halves, 11 bits. A float is nearly a sum of two of them, and three
 *   of the four products are enough. Where the maps of sums are kept by even and odd columns, each
 *   of the filter's elements reads a rectangle of neighbours. */
#include <stdlib.h>

#include "conv2d/convpool.h"

__global__ void own_kernel(struct convpool_problem p, const float *x, const float *w, float *y)
{
    /* TODO */
}

static int own_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct convpool_problem *p = (struct convpool_problem *)malloc(sizeof *p);
    if (!p)
        return 1;
    (void)env; /* env->fixed[CONV2D_W]: the weights, in the host's memory, to be packed here */
    *p = *(const struct convpool_problem *)problem;
    *state = p;
    return 0;
}

static int own_run(void *state, const void *const in[], void *const out[])
{
    const struct convpool_problem *p = (const struct convpool_problem *)state;
    (void)p, (void)in, (void)out; /* TODO */
    return cudaGetLastError() != cudaSuccess;
}

static void own_close(void *state)
{
    free(state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,  "convpool", "own_pooling",
                                                   own_open, own_run,    own_close};
