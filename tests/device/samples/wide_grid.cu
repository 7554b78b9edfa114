/* A grid of so many blocks that no int holds blockIdx.x * 1024: below 0 in block 2^21. */
#include <cstdio>
#include <cuda_runtime.h>

__global__ void below_kernel(unsigned *last, unsigned *blocks)
{
    __shared__ bool below[2];
    const int i = blockIdx.x * 1024 + threadIdx.x;
    below[threadIdx.x] = i < 0;
    __syncthreads();
    if (below[1 - threadIdx.x]) {
        last[threadIdx.x] = blockIdx.x;
        atomicAdd(blocks, 1);
    }
}

int main()
{
    const unsigned first = 1u << 21;
    unsigned *all, found[3] = {};
    cudaMalloc(&all, sizeof found);
    cudaMemset(all, 0, sizeof found);
    below_kernel<<<first + 1, 2>>>(all, all + 2);
    cudaMemcpy(found, all, sizeof found, cudaMemcpyDeviceToHost);
    cudaFree(all);
    bool right = found[0] == first && found[1] == first && found[2] == 2;
    printf("%s\n", right ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
