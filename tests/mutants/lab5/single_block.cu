/* lab5: single_block, right and plain; each patch in single_block/ is a mistake in it. */
#include "conv1d/gpu.h"

__global__ void single_block_kernel(const float *x, const float *w, float *y, long long n,
                                    int radius)
{
    for (long long i = threadIdx.x; i < n; i += blockDim.x) {
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

extern "C" const struct hpc_variant hpc_variant = conv_variant<256, launch>("single_block");
