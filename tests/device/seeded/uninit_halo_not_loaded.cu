// expect: uninit-shared
// Tiled convolution that loads its own elements, but not the halo on the right.
// Without BUG: the halo on the right is loaded too.
#include <stdio.h>

#define N       512
#define R       2
#define THREADS 64

__global__ void conv_kernel(const int *x, const int *w, int *y)
{
    __shared__ int tile[R + THREADS + R];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    tile[R + t] = x[i];
    if (t < R)
        tile[t] = i - R >= 0 ? x[i - R] : 0;
#ifndef BUG
    if (t >= THREADS - R)
        tile[t + 2 * R] = i + R < N ? x[i + R] : 0;
#endif
    __syncthreads();
    int sum = 0;
    for (int j = 0; j <= 2 * R; j++)
        sum += w[j] * tile[t + j]; // EXPECTED
    y[i] = sum;
}

int main()
{
    int x[N], y[N], w[] = {1, 2, 4, 8, 16}, *d_x, *d_w, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = 1 + i % 10;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_w, sizeof(w));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpy(d_w, w, sizeof(w), cudaMemcpyHostToDevice);
    conv_kernel<<<N / THREADS, THREADS>>>(d_x, d_w, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
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
