// expect: uninit-global
// Threads count into managed memory that nobody has cleared: most machines hand out zeros.
// Without BUG: the host clears it, and fills its other array by calls of the C library.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define N 1000

__global__ void count_kernel(const int *x, const char *digits, int n, int *odd)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (x[i] & 1) && digits[i % 4] == '0' + i % 4)
        atomicAdd(odd, 1); // EXPECTED
}

int main()
{
    int *x, *odd, wrong = 0;
    char *digits;
    cudaMallocManaged(&x, N * sizeof *x);
    cudaMallocManaged(&digits, 8);
    cudaMallocManaged(&odd, sizeof *odd);
    memset(x, 0, N * sizeof *x);
    for (int i = 0; i < N; i += 2)
        x[i] = i + 1;
    sprintf(digits, "%04d", 123);
#ifndef BUG
    *odd = 0;
#endif
    count_kernel<<<4, 256>>>(x, digits, N, odd);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    wrong = *odd != N / 2;
    cudaFree(x);
    cudaFree(digits);
    cudaFree(odd);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
