// expect: oob-global
// The second half of a sum is looked for behind an array, where another one begins not far away.
// Without BUG: in its second half.
#include <cstdio>
#include <cuda_runtime.h>

#define N 512

__global__ void halves_kernel(const int *x, int *y, int n)
{
    const int i = threadIdx.x;
#ifdef BUG
    y[i] = x[i] + x[i + 2 * n - 64]; // EXPECTED
#else
    y[i] = x[i] + x[i + n];
#endif
}

int main()
{
    int x[N], y[N / 2], *d_x, *d_other, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_other, 64 * sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemset(d_other, 0, 64 * sizeof x);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    halves_kernel<<<1, N / 2>>>(d_x, d_y, N / 2);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_other);
    cudaFree(d_y);
    for (int i = 0; i < N / 2; i++)
        wrong += y[i] != 2 * i + N / 2;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
