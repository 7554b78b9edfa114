/* A thread has two outputs, half of all outputs apart. */
#include "conv1d/gpu.h"

__device__ static void output(const float *x, const float *w, float *y, int64_t i, int64_t n,
                              int radius)
{
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += w[j + radius] * x[i + j];
    y[i] = sum;
}

__global__ void halves_kernel(const float *x, const float *w, float *y, int64_t n, int radius)
{
    const int64_t half = (n + 1) / 2, i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half)
        output(x, w, y, i, n, radius);
    if (i < half && i + half < n)
        output(x, w, y, i + half, n, radius);
}

static void launch(const struct conv *s, const float *x, const float *w, float *y)
{
    const int64_t half = (s->n + 1) / 2;
    const unsigned blocks = (unsigned)((half + s->block - 1) / s->block);
    halves_kernel<<<blocks, s->block>>>(x, w, y, s->n, s->radius);
}

extern "C" const struct hpc_variant hpc_variant = conv_variant<256, launch>("multi_block");
