// expect: oob-global
// Tiled matrix product whose size is no multiple of the tile: the last tiles are loaded from
// beyond the matrices.
// Without BUG: elements outside count as zero, and only those inside are stored.
#include <stdio.h>

#define N    20
#define TILE 8

__global__ void matmul_kernel(const float *a, const float *b, float *c)
{
    __shared__ float s_a[TILE][TILE], s_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < N; t += TILE) {
#ifdef BUG
        s_a[y][x] = a[row * N + t + x];   // EXPECTED
        s_b[y][x] = b[(t + y) * N + col]; // EXPECTED
#else
        s_a[y][x] = row < N && t + x < N ? a[row * N + t + x] : 0;
        s_b[y][x] = t + y < N && col < N ? b[(t + y) * N + col] : 0;
#endif
        __syncthreads();
        for (int k = 0; k < TILE && t + k < N; k++)
            sum += s_a[y][k] * s_b[k][x];
        __syncthreads();
    }
    if (row < N && col < N)
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
    int tiles = (N + TILE - 1) / TILE;
    matmul_kernel<<<dim3(tiles, tiles), dim3(TILE, TILE)>>>(d_a, d_b, d_c);
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
