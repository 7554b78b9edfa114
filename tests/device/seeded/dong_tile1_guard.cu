// expect: oob-global
// [Dong], strategy 1, in our own words: the guard of the store says "or" where "and" belongs, so
// it holds for all.
// Without BUG: &&.
#include <stdio.h>

#define N       1000
#define WIDTH   5
#define THREADS 16

__constant__ float d_mask[WIDTH];

__global__ void tiled_kernel(const float *x, float *y, int width, int n)
{
    extern __shared__ float s_x[];
    int tid = blockIdx.x * blockDim.x + threadIdx.x, halo = (width - 1) / 2;
    s_x[threadIdx.x] = tid < n ? x[tid] : 0;
    int second = threadIdx.x + blockDim.x;
    if (second < blockDim.x + 2 * halo)
        s_x[second] = tid + blockDim.x < n ? x[tid + blockDim.x] : 0;
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < width; j++)
        sum += s_x[threadIdx.x + j] * d_mask[j];
    int out = tid + halo;
#ifdef BUG
    if (out >= halo || out < n - halo)
#else
    if (out >= halo && out < n - halo)
#endif
        y[out] = sum; // EXPECTED
}

int main()
{
    float x[N], y[N], mask[WIDTH], *d_x, *d_y;
    int wrong = 0, halo = (WIDTH - 1) / 2;
    for (int i = 0; i < N; i++)
        x[i] = i % 10 * 0.5f;
    for (int j = 0; j < WIDTH; j++)
        mask[j] = j + 1;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemset(d_y, 0, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(d_mask, mask, sizeof(mask));
    int grid = (N + THREADS - 1) / THREADS;
    size_t shared = (THREADS + 2 * halo) * sizeof(float);
    tiled_kernel<<<grid, THREADS, shared>>>(d_x, d_y, WIDTH, N);
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
