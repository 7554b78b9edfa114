/* The longest chain below a number: value and index packed in 64 bits for one atomicMax. */
#include <cstdio>
#include <cuda_runtime.h>

#define N 3000

__global__ void longest_kernel(unsigned long long *best)
{
    const unsigned first = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (first > N)
        return;
    unsigned long long length = 1;
    for (unsigned long long n = first; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
        length++;
    atomicMax(best, length << 32 | first);
}

int main()
{
    unsigned long long best, *d_best;
    cudaMalloc(&d_best, sizeof best);
    cudaMemset(d_best, 0, sizeof best);
    longest_kernel<<<(N + 255) / 256, 256>>>(d_best);
    cudaMemcpy(&best, d_best, sizeof best, cudaMemcpyDeviceToHost);
    const bool right = best >> 32 == 217 && (unsigned)best == 2919;
    cudaFree(d_best);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
