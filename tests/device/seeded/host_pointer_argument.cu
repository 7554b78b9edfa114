// expect: host-pointer
// The kernel gets the host's array instead of its copy on the device.
// Without BUG: the device's array.
#include <stdio.h>
#include <stdlib.h>

#define N 256

__global__ void double_kernel(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i]; // EXPECTED
}

int main()
{
    float *x = (float *)malloc(N * sizeof(float)), y[N], *d_x, *d_y;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, N * sizeof(float));
    cudaMalloc(&d_y, N * sizeof(float));
    cudaMemcpy(d_x, x, N * sizeof(float), cudaMemcpyHostToDevice);
#ifdef BUG
    double_kernel<<<N / 64, 64>>>(x, d_y);
#else
    double_kernel<<<N / 64, 64>>>(d_x, d_y);
#endif
    cudaMemcpy(y, d_y, N * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != 2 * x[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    free(x);
    return wrong != 0;
}
