// expect: race-shared
// Transposition through a tile in shared memory: it is read before all of it is written.
// Without BUG: a barrier between writing and reading the tile.
#include <stdio.h>

#define W    48
#define H    32
#define TILE 16

__global__ void transpose_kernel(const float *in, float *out)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * W + x]; // EXPECTED
#ifndef BUG
    __syncthreads();
#endif
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    out[y * H + x] = tile[threadIdx.x][threadIdx.y]; // EXPECTED
}

int main()
{
    static float in[W * H], out[W * H];
    for (int i = 0; i < W * H; i++)
        in[i] = i;
    float *d_in, *d_out;
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    transpose_kernel<<<dim3(W / TILE, H / TILE), dim3(TILE, TILE)>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            wrong += out[x * H + y] != in[y * W + x];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong != 0;
}
