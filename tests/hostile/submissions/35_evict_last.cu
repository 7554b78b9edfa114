/* family 35: has its inputs stay in the L2 cache, by an instruction that only nvcc sees
 * task kernels
 * needs nvcc
 * long
 * grade: build; points <= 0; reason: L2::evict_last
 * without ptx: pass; points >= 2.5 */
#include "conv1d/attack.h"

static __device__ float keep(const float *x)
{
#ifdef __CUDACC_VER_BUILD__ /* nvcc's, not the CPU device's */
    asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(x));
#endif
    return *x;
}

__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += w[j + radius] * keep(&x[i + j]);
    y[i] = sum;
}

RUN
{
    const int n = (int)p->n;
    kernel<<<(n + 255) / 256, 256>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
