// expect: race-shared
// Counting begins before all bins are cleared.
// Without BUG: a barrier after the clearing.
#include <stdio.h>

#define N       3000
#define BINS    32
#define THREADS 96

__global__ void histogram_kernel(const int *x, int *bins)
{
    __shared__ int s_bins[BINS];
    for (int b = threadIdx.x; b < BINS; b += THREADS)
        s_bins[b] = 0; // EXPECTED
#ifndef BUG
    __syncthreads();
#endif
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < N)
        atomicAdd(&s_bins[x[i] & 31], 1); // EXPECTED
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += THREADS)
        atomicAdd(&bins[b], s_bins[b]);
}

int main()
{
    int x[N], bins[BINS], want[BINS] = {0}, *d_x, *d_bins;
    for (int i = 0; i < N; i++) {
        x[i] = i * 2654435761u >> 9;
        want[x[i] & 31]++;
    }
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_bins, sizeof(bins));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, sizeof(bins));
    histogram_kernel<<<(N + THREADS - 1) / THREADS, THREADS>>>(d_x, d_bins);
    cudaMemcpy(bins, d_bins, sizeof(bins), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int b = 0; b < BINS; b++)
        wrong += bins[b] != want[b];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_bins);
    return wrong != 0;
}
