// expect: uninit-shared
// Nobody sets a block's counter to zero before its threads count.
// Without BUG: thread 0 sets it to zero, and a barrier follows.
#include <stdio.h>

#define N       768
#define THREADS 96

__global__ void odd_kernel(const int *x, int *counts)
{
    __shared__ int odd;
#ifndef BUG
    if (threadIdx.x == 0)
        odd = 0;
    __syncthreads();
#endif
    if (x[blockIdx.x * THREADS + threadIdx.x] % 2)
        atomicAdd(&odd, 1); // EXPECTED
    __syncthreads();
    if (threadIdx.x == 0)
        counts[blockIdx.x] = odd; // EXPECTED
}

int main()
{
    int x[N], counts[N / THREADS], *d_x, *d_counts, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * i / 3;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_counts, sizeof(counts));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    odd_kernel<<<N / THREADS, THREADS>>>(d_x, d_counts);
    cudaMemcpy(counts, d_counts, sizeof(counts), cudaMemcpyDeviceToHost);
    for (int b = 0; b < N / THREADS; b++) {
        int want = 0;
        for (int k = 0; k < THREADS; k++)
            want += x[b * THREADS + k] % 2;
        wrong += counts[b] != want;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_counts);
    return wrong != 0;
}
