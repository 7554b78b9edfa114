// expect: divergent-barrier
// The shuffles of half a warp name all of its lanes; the other half never comes.
// Without BUG: the mask names the lanes that the branch has.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum_half(const int *x, int *sum)
{
    int v = x[threadIdx.x];
#ifdef BUG
    unsigned mask = 0xffffffff;
#else
    unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < 16);
#endif
    if (threadIdx.x < 16) {
        for (int d = 8; d > 0; d /= 2)
            v += __shfl_down_sync(mask, v, d); // EXPECTED
        if (threadIdx.x == 0)
            *sum = v;
    }
}

int main()
{
    int x[32], sum = 0, wanted = 0, *d_x, *d_sum;
    for (int i = 0; i < 32; i++)
        x[i] = i * 3 + 1;
    for (int i = 0; i < 16; i++)
        wanted += x[i];
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_sum, sizeof sum);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    sum_half<<<1, 32>>>(d_x, d_sum);
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_sum);
    printf("sum %d: %s\n", sum, sum == wanted ? "PASS" : "FAIL");
    return sum == wanted ? 0 : 1;
}
