// expect: race-shared
// Tiled convolution with the halo in shared memory: nobody waits until the tile is loaded.
// Without BUG: a barrier between loading the tile and using it.
#include <stdio.h>

#define N       1000
#define R       4
#define THREADS 64

__constant__ float mask[2 * R + 1];

__global__ void conv_kernel(const float *x, float *y, int n)
{
    __shared__ float tile[THREADS + 2 * R];
    int start = blockIdx.x * THREADS - R; // of the tile in x
    for (int k = threadIdx.x; k < THREADS + 2 * R; k += THREADS) {
        int g = start + k;
        tile[k] = g >= 0 && g < n ? x[g] : 0; // EXPECTED
    }
#ifndef BUG
    __syncthreads();
#endif
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = 0; j <= 2 * R; j++)
        sum += mask[j] * tile[threadIdx.x + j]; // EXPECTED
    y[i] = sum;
}

int main()
{
    float x[N], y[N], w[2 * R + 1], *d_x, *d_y;
    for (int i = 0; i < N; i++)
        x[i] = i * 7 % 11 - 5;
    for (int j = 0; j <= 2 * R; j++)
        w[j] = j + 1;
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
