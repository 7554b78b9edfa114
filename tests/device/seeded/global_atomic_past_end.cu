// expect: oob-global
// A histogram of 100 bins, and a value of 100.
// Without BUG: one bin more.
#include <stdio.h>

#define N 1010
#ifdef BUG
#define BINS 100
#else
#define BINS 101
#endif

__global__ void histogram_kernel(const int *percent, unsigned *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        atomicAdd(&bins[percent[i]], 1); // EXPECTED
}

int main()
{
    int percent[N], *d_percent, wrong = 0;
    unsigned bins[BINS], *d_bins;
    for (int i = 0; i < N; i++)
        percent[i] = i % 101;
    cudaMalloc(&d_percent, sizeof(percent));
    cudaMalloc(&d_bins, BINS * sizeof(unsigned));
    cudaMemcpy(d_percent, percent, sizeof(percent), cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, BINS * sizeof(unsigned));
    histogram_kernel<<<(N + 63) / 64, 64>>>(d_percent, d_bins);
    cudaMemcpy(bins, d_bins, sizeof(bins), cudaMemcpyDeviceToHost);
    for (int b = 0; b < BINS; b++)
        wrong += bins[b] != 10;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_percent);
    cudaFree(d_bins);
    return wrong != 0;
}
