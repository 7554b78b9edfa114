// A stencil in place: a block reads its neighbour's border cell, which that block overwrites.
#include <stdio.h>

#define N       1024
#define THREADS 128

__global__ void smooth_kernel(int *x)
{
    __shared__ int s[THREADS + 2];
    int i = blockIdx.x * THREADS + threadIdx.x, t = threadIdx.x + 1;
    s[t] = x[i];
    if (threadIdx.x == 0)
        s[0] = i > 0 ? x[i - 1] : 0; // EXPECT race-global
    if (threadIdx.x == THREADS - 1)
        s[t + 1] = i + 1 < N ? x[i + 1] : 0; // EXPECT race-global
    __syncthreads();
    x[i] = s[t - 1] + 2 * s[t] + s[t + 1]; // EXPECT race-global
}

int main()
{
    int x[N], y[N], *d_x;
    for (int i = 0; i < N; i++)
        x[i] = i % 29;
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    smooth_kernel<<<N / THREADS, THREADS>>>(d_x);
    cudaMemcpy(y, d_x, sizeof(y), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += y[i] != (i > 0 ? x[i - 1] : 0) + 2 * x[i] + (i + 1 < N ? x[i + 1] : 0);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    return wrong != 0;
}
