// expect: race-global
// Threads count into a histogram in global memory by an ordinary ++.
// Without BUG: atomicAdd.
#include <stdio.h>

#define N    2000
#define BINS 10

__global__ void histogram_kernel(const int *x, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
#ifdef BUG
        bins[x[i] / 10]++; // EXPECTED
#else
        atomicAdd(&bins[x[i] / 10], 1);
#endif
}

int main()
{
    int x[N], *d_x;
    unsigned bins[BINS], want[BINS] = {0}, *d_bins;
    for (int i = 0; i < N; i++) {
        x[i] = i * i % 100;
        want[x[i] / 10]++;
    }
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_bins, sizeof(bins));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, sizeof(bins));
    histogram_kernel<<<(N + 255) / 256, 256>>>(d_x, d_bins, N);
    cudaMemcpy(bins, d_bins, sizeof(bins), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int b = 0; b < BINS; b++)
        wrong += bins[b] != want[b];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_bins);
    return wrong != 0;
}
