// expect: race-shared
// Threads count into a block's histogram by an ordinary ++.
// Without BUG: atomicAdd.
#include <stdio.h>

#define N       4096
#define BINS    16
#define THREADS 128

__global__ void histogram_kernel(const unsigned char *x, int *bins)
{
    __shared__ int s_bins[BINS];
    if (threadIdx.x < BINS)
        s_bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS)
#ifdef BUG
        s_bins[x[i]]++; // EXPECTED
#else
        atomicAdd(&s_bins[x[i]], 1);
#endif
    __syncthreads();
    if (threadIdx.x < BINS)
        atomicAdd(&bins[threadIdx.x], s_bins[threadIdx.x]);
}

int main()
{
    unsigned char x[N], *d_x;
    int bins[BINS], want[BINS] = {0}, *d_bins;
    for (int i = 0; i < N; i++) {
        x[i] = i * 31 / 7 % BINS;
        want[x[i]]++;
    }
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_bins, sizeof(bins));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, sizeof(bins));
    histogram_kernel<<<8, THREADS>>>(d_x, d_bins);
    cudaMemcpy(bins, d_bins, sizeof(bins), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int b = 0; b < BINS; b++)
        wrong += bins[b] != want[b];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_bins);
    return wrong != 0;
}
