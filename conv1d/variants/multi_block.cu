/* conv1d/multi_block: a thread for each output, in as many blocks as it takes. [Dong], Code 2, with
 * the outputs at the ends, which it skips.
 *
 * Changes from single_block: the grid, so that all multiprocessors work, and 2048 threads on each
 * hide each other's waiting. The last block has more threads than outputs are left.
 * What limits it: requests. A tap takes two loads, of x and of w, for one multiplication; nearly
 * all of them are answered by the first-level cache, which takes one a cycle. */
#include "conv1d/gpu.h"

__global__ void multi_block_kernel(const float *x, const float *w, float *y, int64_t n, int radius)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += w[j + radius] * x[i + j];
    y[i] = sum;
}

static void launch(const struct conv *s, const float *x, const float *w, float *y)
{
    multi_block_kernel<<<conv_blocks(s), s->block>>>(x, w, y, s->n, s->radius);
}

extern "C" const struct hpc_variant hpc_variant = conv_variant<256, launch>("multi_block");
