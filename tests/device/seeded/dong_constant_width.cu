// expect: oob-constant
// [Dong], code 3, in our own words: constant memory for a mask of 3, and a kernel that is told a
// width of 5.
// Without BUG: constant memory for 5.
#include <stdio.h>

#ifdef BUG
#define MASK_WIDTH 3
#else
#define MASK_WIDTH 5
#endif
#define N 640

__constant__ float d_mask[MASK_WIDTH];

__global__ void constant_kernel(const float *x, float *y, int width, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, halo = (width - 1) / 2;
    if (i < halo || i > n - 1 - halo)
        return;
    float sum = 0;
    for (int j = 0; j < width; j++)
        sum += x[i - halo + j] * d_mask[j]; // EXPECTED
    y[i] = sum;
}

int main()
{
    const int width = 5, halo = 2;
    float x[N], y[N], mask[width] = {1, 2, 3, 2, 1}, *d_x, *d_y;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 10;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemset(d_y, 0, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(d_mask, mask, MASK_WIDTH * sizeof(float));
    constant_kernel<<<(N + 15) / 16, 16>>>(d_x, d_y, width, N);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = halo; i < N - halo; i++) {
        float sum = 0;
        for (int j = 0; j < width; j++)
            sum += x[i - halo + j] * mask[j];
        wrong += y[i] != sum;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
