// expect: race-shared
// Two-dimensional tiled convolution: no barrier after the tile is loaded.
// Without BUG: a barrier between loading the tile and using it.
#include <stdio.h>
#include <stdlib.h>

#define W    40
#define H    36
#define TILE 8
#define R    1

__constant__ float mask[2 * R + 1][2 * R + 1];

__global__ void conv2d_kernel(const float *in, float *out)
{
    __shared__ float tile[TILE + 2 * R][TILE + 2 * R];
    int x0 = blockIdx.x * TILE - R, y0 = blockIdx.y * TILE - R;
    for (int ty = threadIdx.y; ty < TILE + 2 * R; ty += TILE)
        for (int tx = threadIdx.x; tx < TILE + 2 * R; tx += TILE) {
            int gx = x0 + tx, gy = y0 + ty;
            bool inside = gx >= 0 && gx < W && gy >= 0 && gy < H;
            tile[ty][tx] = inside ? in[gy * W + gx] : 0; // EXPECTED
        }
#ifndef BUG
    __syncthreads();
#endif
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= W || y >= H)
        return;
    float sum = 0;
    for (int dy = 0; dy <= 2 * R; dy++)
        for (int dx = 0; dx <= 2 * R; dx++)
            sum += mask[dy][dx] * tile[threadIdx.y + dy][threadIdx.x + dx]; // EXPECTED
    out[y * W + x] = sum;
}

int main()
{
    float *in = (float *)malloc(W * H * sizeof(float));
    float *out = (float *)malloc(W * H * sizeof(float));
    float w[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
    for (int i = 0; i < W * H; i++)
        in[i] = i % 17;
    float *d_in, *d_out;
    cudaMalloc(&d_in, W * H * sizeof(float));
    cudaMalloc(&d_out, W * H * sizeof(float));
    cudaMemcpy(d_in, in, W * H * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(mask, w, sizeof(w));
    dim3 block(TILE, TILE), grid((W + TILE - 1) / TILE, (H + TILE - 1) / TILE);
    conv2d_kernel<<<grid, block>>>(d_in, d_out);
    cudaMemcpy(out, d_out, W * H * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            float sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (x + dx >= 0 && x + dx < W && y + dy >= 0 && y + dy < H)
                        sum += w[dy + 1][dx + 1] * in[(y + dy) * W + x + dx];
            wrong += out[y * W + x] != sum;
        }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_in);
    cudaFree(d_out);
    free(in);
    free(out);
    return wrong != 0;
}
