// expect: device-pointer
// Pinned memory of the host is freed as if it were the device's.
// Without BUG: by cudaFreeHost.
#include <stdio.h>

#define N 300

__global__ void double_kernel(int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        x[i] *= 2;
}

int main()
{
    int *x, *d_x, wrong = 0;
    cudaMallocHost(&x, N * sizeof(int));
    cudaMalloc(&d_x, N * sizeof(int));
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMemcpy(d_x, x, N * sizeof(int), cudaMemcpyHostToDevice);
    double_kernel<<<(N + 63) / 64, 64>>>(d_x);
    cudaMemcpy(x, d_x, N * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += x[i] != 2 * i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
#ifdef BUG
    cudaError_t error = cudaFree(x); // EXPECTED
#else
    cudaError_t error = cudaFreeHost(x);
#endif
    return wrong != 0 || error != cudaSuccess;
}
