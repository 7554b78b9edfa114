/* family 39: products of half precision, by instructions that only nvcc sees
 * task kernels
 * needs nvcc
 * long
 * grade: build; points <= 0; reason: less precision than float's
 * without ptx: pass; points >= 2.5 */
#include "conv1d/attack.h"

static __device__ float product(float a, float b)
{
#ifdef __CUDACC_VER_BUILD__ /* nvcc's, not the CPU device's */
    unsigned short h, k;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(a));
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(k) : "f"(b));
    asm("{ .reg .f16 c; mul.f16 c, %1, %2; cvt.f32.f16 %0, c; }" : "=f"(a) : "h"(h), "h"(k));
    return a;
#else
    return a * b;
#endif
}

__global__ void kernel(const float *x, const float *w, float *y, int n, int radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++)
        if (i + j >= 0 && i + j < n)
            sum += product(w[j + radius], x[i + j]);
    y[i] = sum;
}

RUN
{
    const int n = (int)p->n;
    kernel<<<(n + 255) / 256, 256>>>(x, w, y, n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
