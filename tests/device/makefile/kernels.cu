#include "kernels.h"

__global__ void scale_kernel(float *x, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BUG
    x[i] *= by;
#else
    if (i < n)
        x[i] *= by;
#endif
}

void scale(float *x, float by, int n)
{
    scale_kernel<<<(n + 31) / 32, 32>>>(x, by, n);
}
