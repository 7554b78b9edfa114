// expect: oob-array
// A device function counts in bins on the thread's own stack; a value below the least one has bin -1.
// Without BUG: values below the least one count in the first bin.
#include <cstdio>
#include <cuda_runtime.h>

#define BINS 6

__device__ int fullest(const int *x, int n, int least)
{
    int bins[BINS] = {0}, best = 0;
    for (int i = 0; i < n; i++) {
        int bin = x[i] - least;
#ifndef BUG
        bin = bin < 0 ? 0 : bin;
#endif
        bins[bin]++; // EXPECTED
    }
    for (int b = 1; b < BINS; b++)
        best = bins[b] > bins[best] ? b : best;
    return best;
}

__global__ void fullest_kernel(const int *x, int *y, int n)
{
    y[threadIdx.x] = fullest(x + threadIdx.x, n, 10);
}

int main()
{
    int x[40], y[8], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < 40; i++)
        x[i] = i == 20 ? 9 : i % 2 ? 12 : 10 + i % 6;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    fullest_kernel<<<1, 8>>>(d_x, d_y, 32);
    if (cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    cudaFree(d_x);
    cudaFree(d_y);
    for (int i = 0; i < 8; i++)
        wrong += y[i] != 2;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
