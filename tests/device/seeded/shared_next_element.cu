// expect: oob-shared
// Every thread reads its right neighbour's element in shared memory, the last thread too.
// Without BUG: the array has one element more, which is loaded.
#include <stdio.h>

#define N       640
#define THREADS 64

__global__ void mean_kernel(const float *x, float *y)
{
#ifdef BUG
    __shared__ float s[THREADS];
#else
    __shared__ float s[THREADS + 1];
#endif
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    s[t] = x[i];
#ifndef BUG
    if (t == THREADS - 1)
        s[THREADS] = i + 1 < N ? x[i + 1] : 0;
#endif
    __syncthreads();
    y[i] = 0.5f * (s[t] + s[t + 1]); // EXPECTED
}

int main()
{
    float x[N], y[N], *d_x, *d_y;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 6;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    mean_kernel<<<N / THREADS, THREADS>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != 0.5f * (x[i] + (i + 1 < N ? x[i + 1] : 0));
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
