// The twin of stencil_in_place_blocks.bug.cu: a second array for the output.
#include <stdio.h>

#define N       1024
#define THREADS 128

__global__ void smooth_kernel(const int *x, int *y)
{
    __shared__ int s[THREADS + 2];
    int i = blockIdx.x * THREADS + threadIdx.x, t = threadIdx.x + 1;
    s[t] = x[i];
    if (threadIdx.x == 0)
        s[0] = i > 0 ? x[i - 1] : 0;
    if (threadIdx.x == THREADS - 1)
        s[t + 1] = i + 1 < N ? x[i + 1] : 0;
    __syncthreads();
    y[i] = s[t - 1] + 2 * s[t] + s[t + 1];
}

int main()
{
    int x[N], y[N], *d_x, *d_y;
    for (int i = 0; i < N; i++)
        x[i] = i % 29;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    smooth_kernel<<<N / THREADS, THREADS>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += y[i] != (i > 0 ? x[i - 1] : 0) + 2 * x[i] + (i + 1 < N ? x[i + 1] : 0);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
