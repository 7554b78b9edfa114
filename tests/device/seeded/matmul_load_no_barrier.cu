// expect: race-shared
// Tiled matrix product: no barrier after the tiles are loaded.
// Without BUG: a barrier between loading the tiles and multiplying them.
#include <stdio.h>

#define N    32
#define TILE 8

__global__ void matmul_kernel(const float *a, const float *b, float *c)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < N / TILE; t++) {
        s_a[y][x] = a[row * N + t * TILE + x];   // EXPECTED
        s_b[y][x] = b[(t * TILE + y) * N + col]; // EXPECTED
#ifndef BUG
        __syncthreads();
#endif
        for (int k = 0; k < TILE; k++)
            sum += s_a[y][k] * s_b[k][x]; // EXPECTED
        __syncthreads();
    }
    c[row * N + col] = sum;
}

int main()
{
    static float a[N * N], b[N * N], c[N * N];
    for (int i = 0; i < N * N; i++) {
        a[i] = i % 5 - 2;
        b[i] = i % 7 - 3;
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
