// expect: uninit-array
// Sums of a thread in an array that is a member of a struct: one of them is added to nothing.
// Without BUG: the struct begins with zeros.
#include <cstdio>
#include <cuda_runtime.h>

#define TAPS 3

struct sums {
    float of[TAPS + 1];
    int n;
};

__device__ float total(const float *x, int i)
{
#ifdef BUG
    sums part;
#else
    sums part = {};
#endif
    part.n = TAPS;
    for (int k = 0; k < part.n; k++)
        part.of[k] = x[i + k];
    float sum = 0;
    for (int k = 0; k <= part.n; k++)
        sum += part.of[k]; // EXPECTED
    return sum;
}

__global__ void sums_kernel(const float *x, float *y)
{
    y[threadIdx.x] = total(x, (int)threadIdx.x);
}

int main()
{
    float x[32 + TAPS - 1], y[32], *d_x, *d_y;
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
        wrong += y[i] != TAPS * i + 3;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
