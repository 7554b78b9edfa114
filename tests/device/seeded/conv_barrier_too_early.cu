// expect: race-shared
// Tiled convolution: the barrier stands between the tile and its halo, so the halo is used while
// it is loaded.
// Without BUG: the barrier after the halo, where all of the tile is there.
#include <stdio.h>

#define N       500
#define R       5
#define THREADS 50

__global__ void conv_kernel(const int *x, const int *w, int *y)
{
    __shared__ int tile[R + THREADS + R];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    tile[R + t] = x[i];
#ifdef BUG
    __syncthreads();
#endif
    if (t < R) {
        tile[t] = i - R >= 0 ? x[i - R] : 0;                          // EXPECTED
        tile[R + THREADS + t] = i + THREADS < N ? x[i + THREADS] : 0; // EXPECTED
    }
#ifndef BUG
    __syncthreads();
#endif
    int sum = 0;
    for (int j = 0; j < 2 * R + 1; j++)
        sum += w[j] * tile[t + j]; // EXPECTED
    y[i] = sum;
}

int main()
{
    int x[N], y[N], w[2 * R + 1], *d_x, *d_w, *d_y;
    for (int i = 0; i < N; i++)
        x[i] = i * i % 23;
    for (int j = 0; j < 2 * R + 1; j++)
        w[j] = j * j - 7;
    cudaMalloc((void **)&d_x, sizeof(x));
    cudaMalloc((void **)&d_w, sizeof(w));
    cudaMalloc((void **)&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpy(d_w, w, sizeof(w), cudaMemcpyHostToDevice);
    conv_kernel<<<N / THREADS, THREADS>>>(d_x, d_w, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        int sum = 0;
        for (int j = -R; j <= R; j++)
            sum += i + j >= 0 && i + j < N ? w[j + R] * x[i + j] : 0;
        wrong += y[i] != sum;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_w);
    cudaFree(d_y);
    return wrong != 0;
}
