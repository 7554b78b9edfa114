/* lab5: multi_block, right and plain; each patch in multi_block/ is a mistake in it. */
#include "conv1d/gpu.h"

__global__ void multi_block_kernel(const float *x, const float *w, float *y, long long n,
                                   int radius)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
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
    unsigned blocks = (unsigned)((s->n + s->block - 1) / s->block);
    multi_block_kernel<<<blocks, s->block>>>(x, w, y, s->n, s->radius);
}

extern "C" const struct hpc_variant hpc_variant = conv_variant<256, launch>("multi_block");
