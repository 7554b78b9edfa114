/* Kernels whose threads never wait, run as a loop: arrays and arguments are each thread's own. */
#include <cmath>
#include <cstdio>

enum { BLOCK = 96, BLOCKS = 5 };

__device__ __host__ float window(const float *x, int i, int n, int step)
{
    float own[24], sum = 0;
    for (int j = 0; j < 24; j++)
        own[j] = x[(i * 7 + j * 3) % n];
    for (int j = 1; j < 24; j++)
        own[j] += own[j * step % 24] * 0.5f;
    for (int j = 0; j < 24; j++)
        sum += own[(j * 5 + step) % 24] * (j + 1);
    return sum;
}

__global__ void never(const float *x, float *y, int n, int step)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = window(x, i, n, step);
}

__global__ void own_argument(float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    n -= i;
    y += i;
    if (n > 0)
        *y = n;
}

int main()
{
    const int n = BLOCK * BLOCKS - 7;
    float *d, *d_x, x[n], y[n];
    bool right = true;
    cudaMalloc(&d, BLOCK * BLOCKS * sizeof *d);
    cudaMalloc(&d_x, sizeof x);
    for (int i = 0; i < n; i++)
        x[i] = 1 + i % 17 * 0.25f;
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    for (int step = 1; step < 6; step++) {
        never<<<BLOCKS, BLOCK>>>(d_x, d, n, step);
        cudaMemcpy(y, d, sizeof y, cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; i++)
            if (fabsf(y[i] / window(x, i, n, step) - 1) > 1e-4f) {
                printf("never: y[%d] is %g\n", i, y[i]);
                right = false;
            }
    }
    own_argument<<<BLOCKS, BLOCK>>>(d, n);
    cudaMemcpy(y, d, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        right = right && y[i] == n - i;
    cudaFree(d);
    cudaFree(d_x);
    puts(right ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
