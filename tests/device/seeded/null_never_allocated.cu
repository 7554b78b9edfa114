// expect: host-pointer
// The second array is never allocated; the kernel follows a null pointer.
// Without BUG: it is.
#include <cstdio>
#include <cuda_runtime.h>

#define N 64

__global__ void add_kernel(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x] + 1; // EXPECTED
}

int main()
{
    int x[N], y[N] = {0}, *d_x = NULL, *d_y = NULL, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof x);
#ifndef BUG
    cudaMalloc(&d_y, sizeof y);
#endif
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    add_kernel<<<1, N>>>(d_x, d_y);
    if (cudaDeviceSynchronize() == cudaSuccess)
        cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
    for (int i = 0; i < N; i++)
        wrong += y[i] != i + 1;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
