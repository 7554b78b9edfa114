/* A grid that waits for itself, by a cooperative launch: a sum of blocks' sums in one kernel; too
 * many blocks are refused. */
#include <cooperative_groups.h>
#include <stdio.h>

namespace cg = cooperative_groups;

__global__ void sum_kernel(const float *x, float *part, float *sum, int n)
{
    cg::grid_group grid = cg::this_grid();
    __shared__ float s[128];
    float mine = 0;
    for (unsigned long long i = grid.thread_rank(); i < (unsigned long long)n; i += grid.size())
        mine += x[i];
    s[threadIdx.x] = mine;
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        part[blockIdx.x] = s[0];
    grid.sync();
    if (grid.thread_rank() == 0)
        for (int b = 0; b < gridDim.x; b++)
            *sum += part[b];
    grid.sync();
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
        part[0] = *sum;
}

#ifndef BLOCKS
#define BLOCKS 4
#endif

int main()
{
    int n = 10000;
    float *x, *part, *sum, wanted = 0;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocManaged(&part, BLOCKS * sizeof *part);
    cudaMallocManaged(&sum, sizeof *sum);
    for (int i = 0; i < n; i++)
        wanted += x[i] = (float)(i % 7);
    *sum = 0;
    void *arguments[] = {&x, &part, &sum, &n};
    cudaError_t error =
        cudaLaunchCooperativeKernel((void *)sum_kernel, dim3(BLOCKS), dim3(128), arguments, 0, 0);
    cudaDeviceSynchronize();
    bool right = error == cudaSuccess && *sum == wanted && part[0] == wanted;
    error =
        cudaLaunchCooperativeKernel((void *)sum_kernel, dim3(65000), dim3(128), arguments, 0, 0);
    right = right && error == cudaErrorCooperativeLaunchTooLarge;
    cudaGetLastError();
    cudaFree(x);
    cudaFree(part);
    cudaFree(sum);
    puts(right ? "PASS" : "FAIL");
    return !right;
}
