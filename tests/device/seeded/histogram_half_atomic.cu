// expect: race-global
// Two kinds of events are counted in the same bins, one by atomicAdd, the other by an ordinary
// +=.
// Without BUG: both are atomic.
#include <stdio.h>

#define N    1500
#define BINS 8

__global__ void count_kernel(const int *x, int *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    if (x[i] >= 0)
        atomicAdd(&bins[x[i]], 1); // EXPECTED
    else
#ifdef BUG
        bins[-x[i]] += 100; // EXPECTED
#else
        atomicAdd(&bins[-x[i]], 100);
#endif
}

int main()
{
    int x[N], bins[BINS], want[BINS] = {0}, *d_x, *d_bins;
    for (int i = 0; i < N; i++) {
        x[i] = i % 50 == 49 ? -(i / 50 % BINS) : i % BINS;
        if (x[i] >= 0)
            want[x[i]] += 1;
        else
            want[-x[i]] += 100;
    }
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_bins, sizeof(bins));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, sizeof(bins));
    count_kernel<<<(N + 63) / 64, 64>>>(d_x, d_bins);
    cudaMemcpy(bins, d_bins, sizeof(bins), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int b = 0; b < BINS; b++)
        wrong += bins[b] != want[b];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_bins);
    return wrong != 0;
}
