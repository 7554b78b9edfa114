/* Heat along a rod until it changes no more: the largest change by atomicMax on the bits of a
 * float. */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define N 34

__global__ void relax_kernel(const float *x, float *y, int *change)
{
    const int i = threadIdx.x + 1;
    y[i] = (x[i - 1] + x[i + 1]) / 2;
    atomicMax(change, __float_as_int(fabsf(y[i] - x[i])));
}

int main()
{
    float x[N] = {0}, *d_x, *d_y;
    int change = 1 << 30, *d_change;
    bool right = true;
    x[N - 1] = N - 1;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof x);
    cudaMalloc(&d_change, sizeof change);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, x, sizeof x, cudaMemcpyHostToDevice);
    for (float largest = 1; largest > 1e-6f;) {
        cudaMemset(d_change, 0, sizeof change);
        relax_kernel<<<1, N - 2>>>(d_x, d_y, d_change);
        relax_kernel<<<1, N - 2>>>(d_y, d_x, d_change);
        cudaMemcpy(&change, d_change, sizeof change, cudaMemcpyDeviceToHost);
        memcpy(&largest, &change, sizeof largest);
    }
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        right = right && x[i] - i < 1e-2f && i - x[i] < 1e-2f;
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_change);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
