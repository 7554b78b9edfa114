// expect: launch-error
// A block asks for 64 KB of shared memory, more than it gets without asking first.
// Without BUG: cudaFuncSetAttribute raises the kernel's limit.
#include <stdio.h>

#define N 16384

__global__ void shift_kernel(const float *x, float *y, int by)
{
    extern __shared__ float s[];
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        s[i] = x[i];
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x)
        y[i] = s[(i + by) % N];
}

int main()
{
    static float x[N], y[N];
    float *d_x, *d_y;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_y, 0, sizeof(y));
#ifndef BUG
    cudaFuncSetAttribute(shift_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(x));
#endif
    shift_kernel<<<1, 256, sizeof(x)>>>(d_x, d_y, 1000); // EXPECTED
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[(i + 1000) % N];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
