// expect: uninit-shared
// Tiled convolution: halo cells outside the signal are left as they are, where they should be
// zero.
// Without BUG: else 0.
#include <stdio.h>

#define N       512
#define R       3
#define THREADS 128

__constant__ float mask[2 * R + 1];

__global__ void conv_kernel(const float *x, float *y)
{
    __shared__ float tile[THREADS + 2 * R];
    int start = blockIdx.x * THREADS - R;
    for (int k = threadIdx.x; k < THREADS + 2 * R; k += THREADS) {
        if (start + k >= 0 && start + k < N)
            tile[k] = x[start + k];
#ifndef BUG
        else
            tile[k] = 0;
#endif
    }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j <= 2 * R; j++)
        sum += mask[j] * tile[threadIdx.x + j]; // EXPECTED
    y[blockIdx.x * THREADS + threadIdx.x] = sum;
}

int main()
{
    float x[N], y[N], w[2 * R + 1], *d_x, *d_y;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 14;
    for (int j = 0; j <= 2 * R; j++)
        w[j] = 7 - j;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(mask, w, sizeof(w));
    conv_kernel<<<N / THREADS, THREADS>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
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
