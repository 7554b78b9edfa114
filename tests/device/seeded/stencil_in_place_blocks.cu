// expect: race-global
// A stencil in place: a block reads its neighbour's border cell, which that block overwrites.
// Without BUG: a second array for the output.
#include <stdio.h>

#define N       1024
#define THREADS 128

#ifdef BUG
__global__ void smooth_kernel(int *x)
#else
__global__ void smooth_kernel(const int *x, int *y)
#endif
{
    __shared__ int s[THREADS + 2];
    int i = blockIdx.x * THREADS + threadIdx.x, t = threadIdx.x + 1;
    s[t] = x[i];
    if (threadIdx.x == 0)
        s[0] = i > 0 ? x[i - 1] : 0; // EXPECTED
    if (threadIdx.x == THREADS - 1)
        s[t + 1] = i + 1 < N ? x[i + 1] : 0; // EXPECTED
    __syncthreads();
#ifdef BUG
    x[i] = s[t - 1] + 2 * s[t] + s[t + 1]; // EXPECTED
#else
    y[i] = s[t - 1] + 2 * s[t] + s[t + 1];
#endif
}

int main()
{
#ifdef BUG
    int x[N], y[N], *d_x;
#else
    int x[N], y[N], *d_x, *d_y;
#endif
    for (int i = 0; i < N; i++)
        x[i] = i % 29;
    cudaMalloc(&d_x, sizeof(x));
#ifndef BUG
    cudaMalloc(&d_y, sizeof(y));
#endif
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
#ifdef BUG
    smooth_kernel<<<N / THREADS, THREADS>>>(d_x);
    cudaMemcpy(y, d_x, sizeof(y), cudaMemcpyDeviceToHost);
#else
    smooth_kernel<<<N / THREADS, THREADS>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
#endif
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += y[i] != (i > 0 ? x[i - 1] : 0) + 2 * x[i] + (i + 1 < N ? x[i + 1] : 0);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
#ifndef BUG
    cudaFree(d_y);
#endif
    return wrong != 0;
}
