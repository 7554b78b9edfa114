// expect: race-shared
// The last warp's sum relies on lanes in step: volatile, by a pointer, without __syncwarp().
// Without BUG: a register and __syncwarp() between what is read and what is written.
#include <cstdio>
#include <cuda_runtime.h>

#define N 64

#ifdef BUG
__device__ void warp_sum(volatile int *s, int t)
{
    s[t] += s[t + 32]; // EXPECTED
    s[t] += s[t + 16]; // EXPECTED
    s[t] += s[t + 8]; // EXPECTED
    s[t] += s[t + 4]; // EXPECTED
    s[t] += s[t + 2]; // EXPECTED
    s[t] += s[t + 1]; // EXPECTED
}
#else
__device__ void warp_sum(volatile int *s, int t)
{
    int v = s[t];
    for (int d = 32; d > 0; d /= 2) {
        v += s[t + d];
        __syncwarp();
        s[t] = v;
        __syncwarp();
    }
}
#endif

__global__ void sum_block(const int *x, int *sum)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32)
        warp_sum(s, t);
    if (t == 0)
        *sum = s[0];
}

int main()
{
    int x[N], sum = 0, wanted = 0, *d_x, *d_sum;
    for (int i = 0; i < N; i++)
        wanted += x[i] = i + 1;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_sum, sizeof sum);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    sum_block<<<1, N>>>(d_x, d_sum);
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_sum);
    printf("sum %d: %s\n", sum, sum == wanted ? "PASS" : "FAIL");
    return sum == wanted ? 0 : 1;
}
