// expect: race-shared
// Matrix product with two tiles in turn, one barrier too few: a tile is used while it is still
// being loaded.
// Without BUG: one barrier in each step, which with two tiles is enough.
#include <stdio.h>

#define N    32
#define TILE 8

__global__ void matmul_kernel(const float *a, const float *b, float *c)
{
    __shared__ float s_a[2][TILE][TILE], s_b[2][TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    s_a[0][y][x] = a[row * N + x];
    s_b[0][y][x] = b[y * N + col];
    __syncthreads();
    float sum = 0;
    for (int t = 0; t < N / TILE; t++) {
        int now = t % 2, next = 1 - now;
        if (t + 1 < N / TILE) {
            s_a[next][y][x] = a[row * N + (t + 1) * TILE + x];   // EXPECTED
            s_b[next][y][x] = b[((t + 1) * TILE + y) * N + col]; // EXPECTED
        }
        for (int k = 0; k < TILE; k++)
            sum += s_a[now][y][k] * s_b[now][k][x]; // EXPECTED
#ifndef BUG
        __syncthreads();
#endif
    }
    c[row * N + col] = sum;
}

int main()
{
    static float a[N * N], b[N * N], c[N * N];
    for (int i = 0; i < N * N; i++) {
        a[i] = i * 3 % 8;
        b[i] = i * 5 % 6;
    }
    float *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, sizeof(a));
    cudaMalloc(&d_b, sizeof(b));
    cudaMalloc(&d_c, sizeof(c));
    cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof(b), cudaMemcpyHostToDevice);
    matmul_kernel<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(d_a, d_b, d_c);
    cudaMemcpy(c, d_c, sizeof(c), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i * N + k] * b[k * N + j];
            wrong += c[i * N + j] != sum;
        }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return wrong != 0;
}
