// expect: uninit-shared
// A block of 16 x 8 threads fills a tile of 16 x 16 once, so that its lower half stays as it
// was.
// Without BUG: each thread fills two rows.
#include <stdio.h>

#define N    64
#define TILE 16
#define ROWS 8

__global__ void transpose_kernel(const float *in, float *out)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * N + x];
#ifndef BUG
    tile[threadIdx.y + ROWS][threadIdx.x] = in[(y + ROWS) * N + x];
#endif
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        out[(y + k) * N + x] = tile[threadIdx.x][threadIdx.y + k]; // EXPECTED
}

int main()
{
    static float in[N * N], out[N * N];
    float *d_in, *d_out;
    int wrong = 0;
    for (int i = 0; i < N * N; i++)
        in[i] = i + 1;
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    transpose_kernel<<<dim3(N / TILE, N / TILE), dim3(TILE, ROWS)>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            wrong += out[x * N + y] != in[y * N + x];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong != 0;
}
