// expect: uninit-array
// A row of sums in double, added to before anything stands there, in a function of the kernel.
// Without BUG: the row begins with zeros.
#include <cstdio>
#include <cuda_runtime.h>

#define TAPS 3

__device__ double total(const double *x, int i)
{
#ifdef BUG
    double part[2][TAPS];
#else
    double part[2][TAPS] = {};
#endif
    for (int k = 0; k < TAPS; k++)
        part[0][k] = x[i + k];
    double sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += part[0][k] + 2 * part[1][k]; // EXPECTED
    return sum;
}

__global__ void sums_kernel(const double *x, double *y)
{
    y[threadIdx.x] = total(x, (int)threadIdx.x);
}

int main()
{
    double x[32 + TAPS - 1], y[32], *d_x, *d_y;
    int wrong = 0;
    for (int i = 0; i < 32 + TAPS - 1; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    sums_kernel<<<1, 32>>>(d_x, d_y);
    if (cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    cudaFree(d_x);
    cudaFree(d_y);
    for (int i = 0; i < 32; i++)
        wrong += y[i] != TAPS * i + 3.0;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
