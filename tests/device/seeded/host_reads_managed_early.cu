// expect: race-host
// The host reads managed memory straight after the launch that writes it.
// Without BUG: it waits for the device.
#include <stdio.h>

#define N (1 << 12)

__global__ void add_kernel(int n, const float *x, float *y)
{
    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = x[i] + y[i];
}

int main()
{
    float *x, *y;
    int wrong = 0, n = N;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    for (int i = 0; i < n; i++) {
        x[i] = 1;
        y[i] = 2;
    }
    add_kernel<<<4, 256>>>(n, x, y); // EXPECTED
#ifndef BUG
    cudaDeviceSynchronize();
#endif
    for (int i = 0; i < n; i++)
        wrong += y[i] != 3; // EXPECTED
    cudaFree(x);
    cudaFree(y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
