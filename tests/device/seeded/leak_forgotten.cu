// expect: leak
// One of two arrays is never freed.
// Without BUG: both are.
#include <stdio.h>

#define N 64

__global__ void copy_kernel(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

int main()
{
    int x[N], y[N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y)); // EXPECTED
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    copy_kernel<<<1, N>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
#ifndef BUG
    cudaFree(d_y);
#endif
    return wrong != 0;
}
