// expect: launch-error
// A recursion is deeper than the stack that threads have where nobody asks for more.
// Without BUG: the host asks for more.
#include <cstdio>
#include <cuda_runtime.h>

#define DEPTH 900

__device__ int descend(const int *x, int depth)
{                // EXPECTED
    int own[16]; // EXPECTED
    for (int i = 0; i < 16; i++)
        own[i] = x[i] + depth;
    if (depth == 0)
        return own[0];
    return own[depth & 15] + descend(x, depth - 1);
}

__global__ void descend_kernel(const int *x, int *y)
{
    y[threadIdx.x] = descend(x, DEPTH);
}

int main()
{
    int x[16], y[32], *d_x, *d_y, expected = 0, wrong = 0;
    for (int i = 0; i < 16; i++)
        x[i] = i;
    for (int depth = 0; depth <= DEPTH; depth++)
        expected += x[depth & 15] + depth;
#ifndef BUG
    cudaDeviceSetLimit(cudaLimitStackSize, 128 << 10);
#endif
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    descend_kernel<<<1, 32>>>(d_x, d_y);
    if (cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    cudaFree(d_x);
    cudaFree(d_y);
    for (int i = 0; i < 32; i++)
        wrong += y[i] != expected;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
