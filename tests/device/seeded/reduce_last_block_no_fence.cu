// expect: race-global
// The last block to finish adds up all blocks' sums, but no fence stands between a sum and the
// count that announces it.
// Without BUG: __threadfence before counting, and after it on the side that reads.
#include <stdio.h>

#define N       2048
#define THREADS 64
#define BLOCKS  (N / THREADS)

__device__ unsigned finished = 0;

__global__ void sum_kernel(const int *x, int *sums, int *total)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * THREADS + t];
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        sums[blockIdx.x] = s[0]; // EXPECTED
#ifndef BUG
        __threadfence();
#endif
        if (atomicAdd(&finished, 1) == BLOCKS - 1) {
#ifndef BUG
            __threadfence();
#endif
            int sum = 0;
            for (int b = 0; b < BLOCKS; b++)
                sum += sums[b]; // EXPECTED
            *total = sum;
        }
    }
}

int main()
{
    int x[N], *d_x, *d_sums, *d_total, want = 0, got;
    for (int i = 0; i < N; i++)
        want += x[i] = i % 41;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_sums, BLOCKS * sizeof(int));
    cudaMalloc(&d_total, sizeof(int));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    sum_kernel<<<BLOCKS, THREADS>>>(d_x, d_sums, d_total);
    cudaMemcpy(&got, d_total, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s: %d, expected %d\n", got == want ? "PASS" : "FAIL", got, want);
    cudaFree(d_x);
    cudaFree(d_sums);
    cudaFree(d_total);
    return got != want;
}
