// expect: oob-symbol
// A function that runs to the length itself writes behind one device array, where another may lie.
// Without BUG: it ends before the length.
#include <stdio.h>

#define N 1024

__device__ int squares[N];
__device__ int cubes[N];
__constant__ int factors[N];

__device__ __noinline__ void fill(int *to, int n, int by)
{
#ifdef BUG
    for (int i = threadIdx.x; i <= n; i += blockDim.x)
#else
    for (int i = threadIdx.x; i < n; i += blockDim.x)
#endif
        to[i] = by * i; // EXPECTED
}

__global__ void fill_kernel(int n)
{
    fill(squares, n, factors[1]);
    __syncthreads();
    fill(cubes, n / 2, factors[2]);
}

int main()
{
    int host[N], wrong = 0;
    for (int i = 0; i < N; i++)
        host[i] = 3 * i;
    cudaMemcpyToSymbol(factors, host, sizeof host);
    fill_kernel<<<1, 128>>>(N);
    cudaMemcpyFromSymbol(host, squares, sizeof host);
    for (int i = 0; i < N; i++)
        wrong += host[i] != 3 * i;
    cudaMemcpyFromSymbol(host, cubes, sizeof host);
    for (int i = 0; i < N / 2; i++)
        wrong += host[i] != 6 * i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
