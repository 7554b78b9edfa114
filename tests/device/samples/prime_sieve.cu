/* Each thread strikes the multiples of its own number; what is left is counted. */
#include <cstdio>
#include <cuda_runtime.h>

#define N 10000

__global__ void strike_kernel(unsigned *struck)
{
    const int p = blockIdx.x * blockDim.x + threadIdx.x + 2;
    for (int k = p * p; p <= 100 && k < N; k += p)
        atomicOr(&struck[k / 32], 1u << k % 32);
}

__global__ void count_kernel(const unsigned *struck, int *primes)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (N + 31) / 32) {
        unsigned open = ~struck[i];
        if (i == 0)
            open &= ~3u;
        if (i == N / 32)
            open &= (1u << N % 32) - 1;
        atomicAdd(primes, __popc(open));
    }
}

int main()
{
    unsigned *d_struck;
    int primes, *d_primes;
    const size_t bytes = (N + 31) / 32 * sizeof(unsigned);
    cudaMalloc(&d_struck, bytes);
    cudaMalloc(&d_primes, sizeof primes);
    cudaMemset(d_struck, 0, bytes);
    cudaMemset(d_primes, 0, sizeof primes);
    strike_kernel<<<4, 32>>>(d_struck);
    count_kernel<<<4, 128>>>(d_struck, d_primes);
    cudaMemcpy(&primes, d_primes, sizeof primes, cudaMemcpyDeviceToHost);
    const bool right = primes == 1229;
    cudaFree(d_struck);
    cudaFree(d_primes);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
