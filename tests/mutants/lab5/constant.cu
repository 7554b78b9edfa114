/* lab5: constant, right and plain; each patch in constant/ is a mistake in it. */
#include "conv1d/gpu.h"

/* 2 * CONV1D_MAX_RADIUS + 1 floats: a little less than the 64 KiB that there are. */
__constant__ float c_mask[CONV1D_MAX_MASK];

__global__ void constant_kernel(const float *x, float *y, long long n, int radius)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += c_mask[j + radius] * x[i + j];
    y[i] = sum;
}

static cudaError_t keep_mask(const struct conv *s, const float *mask)
{
    return cudaMemcpyToSymbol(c_mask, mask, (2 * (size_t)s->radius + 1) * sizeof *mask);
}

static void launch(const struct conv *s, const float *x, const float *, float *y)
{
    unsigned blocks = (unsigned)((s->n + s->block - 1) / s->block);
    constant_kernel<<<blocks, s->block>>>(x, y, s->n, s->radius);
}

extern "C" const struct hpc_variant hpc_variant = conv_variant<256, launch, keep_mask>("constant");
