// expect: divergent-barrier
// Threads without data return; the sum of the last warp then adds the values of lanes that are gone.
// Without BUG: they stay, with a 0.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum_all(const int *x, int n, int *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BUG
    if (i >= n)
        return;
    int v = x[i];
#else
    int v = i < n ? x[i] : 0;
#endif
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d); // EXPECTED
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, v);
}

int main()
{
    const int n = 1000;
    static int x[n];
    int sum = 0, wanted = 0, *d_x, *d_sum;
    for (int i = 0; i < n; i++)
        wanted += x[i] = i % 17 + 1;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_sum, sizeof sum);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemset(d_sum, 0, sizeof sum);
    sum_all<<<(n + 127) / 128, 128>>>(d_x, n, d_sum);
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_sum);
    printf("sum %d: %s\n", sum, sum == wanted ? "PASS" : "FAIL");
    return sum == wanted ? 0 : 1;
}
