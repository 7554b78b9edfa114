// expect: device-pointer
// Each block allocates a buffer of its own in the kernel, and frees it in two places.
// Without BUG: it frees it at the end alone.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void buffer_kernel(int *y, int n)
{
    __shared__ int *buffer;
    const int t = threadIdx.x;
    if (t == 0)
        buffer = (int *)malloc(n * sizeof(int));
    __syncthreads();
    buffer[t] = t;
    __syncthreads();
    y[blockIdx.x * n + t] = buffer[n - 1 - t];
    __syncthreads();
    if (t == 0)
        free(buffer);
#ifdef BUG
    if (t == n - 1)
        free(buffer); // EXPECTED
#endif
}

int main()
{
    int y[64], *d_y, wrong = 0;
    cudaMalloc(&d_y, sizeof y);
    buffer_kernel<<<2, 32>>>(d_y, 32);
    if (cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    cudaFree(d_y);
    for (int i = 0; i < 64; i++)
        wrong += y[i] != 31 - i % 32;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
