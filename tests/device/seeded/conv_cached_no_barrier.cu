// expect: race-shared
// Tiled convolution that takes its halo from global memory: nobody waits until the tile is
// loaded.
// Without BUG: a barrier between loading the tile and using it.
#include <stdio.h>

#define N       999
#define R       3
#define THREADS 128

__constant__ float mask[2 * R + 1];

__global__ void conv_kernel(const float *x, float *y, int n)
{
    __shared__ float tile[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        tile[threadIdx.x] = x[i]; // EXPECTED
#ifndef BUG
    __syncthreads();
#endif
    if (i >= n)
        return;
    int first = blockIdx.x * blockDim.x, next = first + blockDim.x;
    float sum = 0;
    for (int j = 0; j <= 2 * R; j++) {
        int k = i - R + j;
        if (k < 0 || k >= n)
            continue;
        if (k >= first && k < next)
            sum += mask[j] * tile[k - first]; // EXPECTED
        else
            sum += mask[j] * x[k];
    }
    y[i] = sum;
}

int main()
{
    float x[N], y[N], w[2 * R + 1], *d_x, *d_y;
    for (int i = 0; i < N; i++)
        x[i] = i * 5 % 13 - 6;
    for (int j = 0; j <= 2 * R; j++)
        w[j] = 2 * j - R;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(mask, w, sizeof(w));
    conv_kernel<<<(N + THREADS - 1) / THREADS, THREADS>>>(d_x, d_y, N);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int j = -R; j <= R; j++)
            sum += i + j >= 0 && i + j < N ? w[j + R] * x[i + j] : 0;
        wrong += y[i] != sum;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
