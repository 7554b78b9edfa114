// expect: uninit-global
// All threads add to a number in device memory that nobody has set to zero.
// Without BUG: cudaMemset.
#include <stdio.h>

#define N 900

__global__ void sum_kernel(const int *x, int *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        atomicAdd(sum, x[i]); // EXPECTED
}

int main()
{
    int x[N], *d_x, *d_sum, want = 0, got;
    for (int i = 0; i < N; i++)
        want += x[i] = i % 4;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_sum, sizeof(int));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
#ifndef BUG
    cudaMemset(d_sum, 0, sizeof(int));
#endif
    sum_kernel<<<(N + 127) / 128, 128>>>(d_x, d_sum);
    cudaMemcpy(&got, d_sum, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s: %d, expected %d\n", got == want ? "PASS" : "FAIL", got, want);
    cudaFree(d_x);
    cudaFree(d_sum);
    return got != want;
}
