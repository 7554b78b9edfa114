// expect: race-host
// The host sorts managed memory, by C++'s library, straight after the launch that writes it.
// Without BUG: it waits for the device.
#include <stdio.h>

#include <algorithm>

#define N 1000

__global__ void fold_kernel(int n, int *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i * 37 % n;
}

int main()
{
    int *x, wrong = 0;
    cudaMallocManaged(&x, N * sizeof(int));
    fold_kernel<<<(N + 127) / 128, 128>>>(N, x);
#ifndef BUG
    cudaDeviceSynchronize();
#endif
    std::sort(x, x + N); // EXPECTED
    for (int i = 0; i < N; i++)
        wrong += x[i] != i;
    cudaDeviceSynchronize();
    cudaFree(x);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
