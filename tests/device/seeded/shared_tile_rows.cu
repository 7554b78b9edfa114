// expect: oob-shared
// A two-dimensional tile has a halo of one column, but not of one row.
// Without BUG: a halo of one row too.
#include <stdio.h>

#define N    32
#define TILE 8

__global__ void corner_kernel(const int *in, int *out)
{
#ifdef BUG
    __shared__ int tile[TILE][TILE + 1];
#else
    __shared__ int tile[TILE + 1][TILE + 1];
#endif
    int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE;
    for (int ty = threadIdx.y; ty < TILE + 1; ty += TILE)
        for (int tx = threadIdx.x; tx < TILE + 1; tx += TILE)
            tile[ty][tx] = in[(y0 + ty) * (N + 1) + x0 + tx]; // EXPECTED
    __syncthreads();
    int tx = threadIdx.x, ty = threadIdx.y;
    int upper = tile[ty][tx] + tile[ty][tx + 1];
    int lower = tile[ty + 1][tx] + tile[ty + 1][tx + 1]; // EXPECTED
    out[(y0 + ty) * N + x0 + tx] = upper + lower;
}

int main()
{
    static int in[(N + 1) * (N + 1)], out[N * N];
    int *d_in, *d_out, wrong = 0;
    for (int i = 0; i < (N + 1) * (N + 1); i++)
        in[i] = i % 13;
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    corner_kernel<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            const int *c = in + y * (N + 1) + x;
            wrong += out[y * N + x] != c[0] + c[1] + c[N + 1] + c[N + 2];
        }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong != 0;
}
