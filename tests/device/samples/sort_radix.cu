/* A radix sort, four bits a pass: counts, places by a running sum, and a stable scatter. */
#include <cstdio>
#include <cuda_runtime.h>

#define N      1000
#define BINS   16
#define BLOCKS 8
#define EACH   (N / BLOCKS)

__global__ void count_kernel(const unsigned *x, int *counts, int shift)
{
    __shared__ int bins[BINS];
    if (threadIdx.x < BINS)
        bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < EACH; i += blockDim.x)
        atomicAdd(&bins[x[blockIdx.x * EACH + i] >> shift & (BINS - 1)], 1);
    __syncthreads();
    if (threadIdx.x < BINS)
        counts[threadIdx.x * BLOCKS + blockIdx.x] = bins[threadIdx.x];
}

__global__ void places_kernel(int *counts)
{
    int sum = 0;
    for (int i = 0; i < BINS * BLOCKS; i++) {
        const int count = counts[i];
        counts[i] = sum;
        sum += count;
    }
}

/* One thread a bin keeps the order. */
__global__ void scatter_kernel(const unsigned *x, unsigned *y, const int *places, int shift)
{
    int place = places[threadIdx.x * BLOCKS + blockIdx.x];
    for (int i = 0; i < EACH; i++) {
        const unsigned value = x[blockIdx.x * EACH + i];
        if ((value >> shift & (BINS - 1)) == threadIdx.x)
            y[place++] = value;
    }
}

int main()
{
    static unsigned x[N];
    unsigned *d_x, *d_y;
    int *d_counts;
    bool right = true;
    for (int i = 0; i < N; i++)
        x[i] = (unsigned)(i * 389 % N) * 60;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof x);
    cudaMalloc(&d_counts, BINS * BLOCKS * sizeof(int));
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    for (int shift = 0; shift < 16; shift += 4) {
        count_kernel<<<BLOCKS, 64>>>(d_x, d_counts, shift);
        places_kernel<<<1, 1>>>(d_counts);
        scatter_kernel<<<BLOCKS, BINS>>>(d_x, d_y, d_counts, shift);
        unsigned *other = d_x;
        d_x = d_y;
        d_y = other;
    }
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        right = right && x[i] == 60u * i;
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_counts);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
