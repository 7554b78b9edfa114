// expect: oob-global
// An array is freed after the first kernel, and the second kernel reads it.
// Without BUG: it is freed after the second kernel.
#include <stdio.h>

#define N 300

__global__ void square_kernel(const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] * x[i];
}

__global__ void add_kernel(const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] += x[i]; // EXPECTED
}

int main()
{
    int x[N], y[N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    square_kernel<<<3, 100>>>(d_x, d_y);
#ifndef BUG
    add_kernel<<<3, 100>>>(d_x, d_y);
#endif
    cudaFree(d_x);
#ifdef BUG
    add_kernel<<<3, 100>>>(d_x, d_y);
#endif
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != i * i + i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_y);
    return wrong != 0;
}
