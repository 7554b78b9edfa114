/* conv1d/single_block: the formula on a GPU, by one block of threads. [Dong], section 4, task 1.
 *
 * Changes from cpu: up to 1024 outputs at a time, neighbouring threads at neighbouring outputs, so
 * that a warp's 32 reads of x for one tap are 4 or 5 sectors of 32 bytes, and its writes 4.
 * What limits it: one of the GPU's 132 multiprocessors works, and too few loads are under way to
 * hide that each takes half a microsecond. */
#include "conv1d/gpu.h"

__global__ void single_block_kernel(const float *x, const float *w, float *y, int64_t n, int radius)
{
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
        float sum = 0;
        for (int j = -radius; j <= radius; j++)
            if (i + j >= 0 && i + j < n)
                sum += w[j + radius] * x[i + j];
        y[i] = sum;
    }
}

static void launch(const struct conv *s, const float *x, const float *w, float *y)
{
    single_block_kernel<<<1, s->block>>>(x, w, y, s->n, s->radius);
}

extern "C" const struct hpc_variant hpc_variant = conv_variant<1024, launch>("single_block");
