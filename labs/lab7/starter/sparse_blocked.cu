/* lab7, sparse_blocked, a bonus: the format over all channels and filters in one launch, so that a
 * zero that is skipped is skipped by a whole warp.
 *
 * Contract (conv2d/conv2d.h): as in tiled2d and sparse_window: floats, NCHW, any size, stride,
 * padding and share of zeros.
 *
 * One way, others are as good: a *window* a warp, *filters* in its lanes.
 * TODO 1: in open(): the weights in another order, [C R S][K rounded up to a multiple of 32], so
 * that lanes that hold neighbouring filters read one place's weights side by side.
 * env->fixed[CONV2D_W] is where the host finds them.
 * TODO 2: 32 places of the window at a time, a lane each: __ballot_sync says which are not zero,
 *   __popc of the bits below a lane's own where it stores its value (f_data), and which place it
 * is. (The place, not the weight, as in [Xu]: it serves all filters.)
 * TODO 3: the warp walks through the entries together: a value and a place for all, a weight for
 * each lane. __syncwarp() between writing and reading, and before the next piece is written.
 * TODO 4: how many entries may a piece have, so that its room in shared memory is enough? */
#include <stdlib.h>

#include "conv2d/conv2d.h"

struct blocked {
    struct conv2d_problem p;
    float *weights; /* TODO: on the device, in the order that the kernel reads */
};

__global__ void sparse_blocked_kernel(struct conv2d_problem p, const float *x, const float *weights,
                                      float *y)
{
    /* TODO */
}

static int blocked_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct blocked *b = (struct blocked *)calloc(1, sizeof *b);
    if (!b)
        return 1;
    (void)env; /* TODO: reorder env->fixed[CONV2D_W] and copy it to the device */
    b->p = *(const struct conv2d_problem *)problem;
    *state = b;
    return 0;
}

static int blocked_run(void *state, const void *const in[], void *const out[])
{
    struct blocked *b = (struct blocked *)state;
    (void)b, (void)in, (void)out; /* TODO: launch */
    return cudaGetLastError() != cudaSuccess;
}

static void blocked_close(void *state)
{
    struct blocked *b = (struct blocked *)state;
    cudaFree(b->weights);
    free(b);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,      "conv2d",    "sparse_blocked",
                                                   blocked_open, blocked_run, blocked_close};
