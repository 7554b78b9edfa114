// expect: divergent-barrier
// The block has one warp and a half: the sum of the half adds lanes that the block does not have.
// Without BUG: whole warps, whose threads without data bring a 0.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum_warps(const int *x, int n, int *sums)
{
    const int i = threadIdx.x;
    int v = i < n ? x[i] : 0;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d); // EXPECTED
    if (i % 32 == 0)
        sums[i / 32] = v;
}

int main()
{
    const int n = 48;
#ifdef BUG
    const int threads = n;
#else
    const int threads = 64;
#endif
    int x[n], sums[2], wanted = 0, *d_x, *d_sums;
    for (int i = 0; i < n; i++)
        wanted += x[i] = i + 1;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_sums, sizeof sums);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    sum_warps<<<1, threads>>>(d_x, n, d_sums);
    cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    printf(sums[0] + sums[1] == wanted ? "PASS\n" : "FAIL\n");
    cudaFree(d_x);
    cudaFree(d_sums);
    return sums[0] + sums[1] != wanted;
}
