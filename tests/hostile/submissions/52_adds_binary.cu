/* family 52: puts kernels of its own, as bytes, beside those of nvcc's
 * task kernels
 * needs nvcc
 * long
 * grade: rejected; points <= 0; reason: a binary of kernels
 * without registration: pass; points >= 2.5 */
#include "conv1d/attack.h"

#ifdef __CUDACC_VER_BUILD__ /* nvcc's, not the CPU device's */
__attribute__((section(".nv_fatbin"), used)) static const unsigned long long bytes[64] = {
    0x100001ba55ed50ull};
#endif

__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += w[j + radius] * x[i + j];
    y[i] = sum;
}

RUN
{
    const int n = (int)p->n;
    kernel<<<(n + 255) / 256, 256>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
