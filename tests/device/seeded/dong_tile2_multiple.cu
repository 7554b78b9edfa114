// expect: oob-global
// [Dong], strategy 2, in our own words: the length is no multiple of the block, and the tile is
// loaded without a guard.
// Without BUG: only elements of the signal are loaded.
#include <stdio.h>

#define N     1000
#define WIDTH 3
#define TILE  16

__constant__ float d_mask[WIDTH];

__global__ void tiled_kernel(const float *x, float *y, int width, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, halo = (width - 1) / 2;
    __shared__ float s_x[TILE];
#ifdef BUG
    s_x[threadIdx.x] = x[i]; // EXPECTED
#else
    if (i < n)
        s_x[threadIdx.x] = x[i];
#endif
    __syncthreads();
    if (i < halo || i > n - 1 - halo)
        return;
    int first = blockIdx.x * blockDim.x, next = first + blockDim.x;
    float sum = 0;
    for (int j = 0; j < width; j++) {
        int k = i - halo + j;
        if (k >= first && k < next)
            sum += s_x[k - first] * d_mask[j];
        else
            sum += x[k] * d_mask[j];
    }
    y[i] = sum;
}

int main()
{
    float x[N], y[N], mask[WIDTH] = {1, -3, 2}, *d_x, *d_y;
    int wrong = 0, halo = (WIDTH - 1) / 2;
    for (int i = 0; i < N; i++)
        x[i] = i % 25;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemset(d_y, 0, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(d_mask, mask, sizeof(mask));
    tiled_kernel<<<(N + TILE - 1) / TILE, TILE>>>(d_x, d_y, WIDTH, N);
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
