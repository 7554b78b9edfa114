// expect: race-shared
// Warps reduce by shuffles and leave their sums in shared memory, which the first warp reads at
// once.
// Without BUG: a barrier between the warps' writing and the first warp's reading.
#include <stdio.h>

#define N       4096
#define THREADS 256

__device__ int warp_sum(int v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}

__global__ void sum_kernel(const int *x, int *total)
{
    __shared__ int sums[THREADS / 32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int v = warp_sum(x[blockIdx.x * THREADS + threadIdx.x]);
    if (lane == 0)
        sums[warp] = v; // EXPECTED
#ifndef BUG
    __syncthreads();
#endif
    if (warp == 0) {
        v = lane < THREADS / 32 ? sums[lane] : 0; // EXPECTED
        v = warp_sum(v);
        if (lane == 0)
            atomicAdd(total, v);
    }
}

int main()
{
    static int x[N];
    int *d_x, *d_total, want = 0, got;
    for (int i = 0; i < N; i++)
        want += x[i] = i % 19;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_total, sizeof(int));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_total, 0, sizeof(int));
    sum_kernel<<<N / THREADS, THREADS>>>(d_x, d_total);
    cudaMemcpy(&got, d_total, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s: %d, expected %d\n", got == want ? "PASS" : "FAIL", got, want);
    cudaFree(d_x);
    cudaFree(d_total);
    return got != want;
}
