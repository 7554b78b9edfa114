// expect: oob-symbol
// A device array has a sum for each of 8 blocks, and 9 are launched.
// Without BUG: a sum for each block.
#include <stdio.h>

#define N       540
#define THREADS 60
#ifdef BUG
#define BLOCKS 8
#else
#define BLOCKS 9
#endif

__device__ int sums[BLOCKS];

__global__ void sum_kernel(const int *x)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[blockIdx.x * THREADS + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum; // EXPECTED
}

int main()
{
    int x[N], got[BLOCKS], total = 0, want = 0, *d_x;
    for (int i = 0; i < N; i++)
        want += x[i] = i % 7;
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    sum_kernel<<<N / THREADS, THREADS>>>(d_x);
    cudaMemcpyFromSymbol(got, sums, sizeof(got));
    for (int b = 0; b < BLOCKS; b++)
        total += got[b];
    printf("%s: %d, expected %d\n", total == want ? "PASS" : "FAIL", total, want);
    cudaFree(d_x);
    return total != want;
}
