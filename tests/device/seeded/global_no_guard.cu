// expect: oob-global
// The length is no multiple of the block, and the last block's threads have no guard.
// Without BUG: if (i < n).
#include <stdio.h>
#include <stdlib.h>

__global__ void square_kernel(double *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BUG
    x[i] *= x[i]; // EXPECTED
#else
    if (i < n)
        x[i] *= x[i];
#endif
}

int main()
{
    int n = 1013, wrong = 0;
    double *x = (double *)malloc(n * sizeof(double)), *d_x;
    for (int i = 0; i < n; i++)
        x[i] = i;
    cudaMalloc(&d_x, n * sizeof(double));
    cudaMemcpy(d_x, x, n * sizeof(double), cudaMemcpyHostToDevice);
    square_kernel<<<n / 128 + 1, 128>>>(d_x, n);
    cudaMemcpy(x, d_x, n * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        wrong += x[i] != (double)i * i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    free(x);
    return wrong != 0;
}
