// expect: oob-shared
// [Dong], strategy 2, in our own words: the tile is a constant 4, but a block has as many
// threads as the user says, 16.
// Without BUG: a tile as wide as the block.
#include <stdio.h>
#include <stdlib.h>

#define N     256
#define WIDTH 3
#ifdef BUG
#define TILE 4
#else
#define TILE 16
#endif

__constant__ float d_mask[WIDTH];

__global__ void tiled_kernel(const float *x, float *y, int width, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, halo = (width - 1) / 2;
    __shared__ float s_x[TILE];
    if (i < n)
        s_x[threadIdx.x] = x[i]; // EXPECTED
    __syncthreads();
    if (i < halo || i > n - 1 - halo)
        return;
    int first = blockIdx.x * blockDim.x, next = first + blockDim.x;
    float sum = 0;
    for (int j = 0; j < width; j++) {
        int k = i - halo + j;
        if (k >= first && k < next)
            sum += s_x[k - first] * d_mask[j]; // EXPECTED
        else
            sum += x[k] * d_mask[j];
    }
    y[i] = sum;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 16;
    float x[N], y[N], mask[WIDTH] = {2, 5, -1}, *d_x, *d_y;
    int wrong = 0, halo = (WIDTH - 1) / 2;
    for (int i = 0; i < N; i++)
        x[i] = i % 31;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemset(d_y, 0, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(d_mask, mask, sizeof(mask));
    tiled_kernel<<<(N + threads - 1) / threads, threads>>>(d_x, d_y, WIDTH, N);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = halo; i < N - halo; i++) {
        float sum = 0;
        for (int j = 0; j < WIDTH; j++)
            sum += x[i - halo + j] * mask[j];
        wrong += y[i] != sum;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
