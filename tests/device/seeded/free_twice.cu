// expect: device-pointer
// Two buffers are freed by the name of one.
// Without BUG: each is freed by its own.
#include <stdio.h>

#define N 300

__global__ void add_kernel(const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        y[i] = x[i] + i;
}

int main()
{
    int x[N], y[N], wrong = 0, *d_x, *d_y;
    for (int i = 0; i < N; i++)
        x[i] = 3 * i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    add_kernel<<<(N + 63) / 64, 64>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != 4 * i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
#ifdef BUG
    cudaError_t error = cudaFree(d_x); // EXPECTED
#else
    cudaError_t error = cudaFree(d_y);
#endif
    return wrong != 0 || error != cudaSuccess;
}
