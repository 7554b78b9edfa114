// expect: oob-constant
// A mask of 9 taps is copied into constant memory for 7.
// Without BUG: constant memory for 9 taps.
#include <stdio.h>

#define N 300
#define R 4
#ifdef BUG
#define MAX_TAPS 7
#else
#define MAX_TAPS 9
#endif

__constant__ float mask[MAX_TAPS];

__global__ void conv_kernel(const float *x, float *y, int r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j <= 2 * r; j++)
        if (i + j - r >= 0 && i + j - r < N)
            sum += mask[j] * x[i + j - r]; // EXPECTED
    y[i] = sum;
}

int main()
{
    float x[N], y[N], w[2 * R + 1], *d_x, *d_y;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 9;
    for (int j = 0; j <= 2 * R; j++)
        w[j] = 1 + j;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(mask, w, sizeof(w)); // EXPECTED
    conv_kernel<<<N / 100, 100>>>(d_x, d_y, R);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int j = -R; j <= R; j++)
            sum += i + j >= 0 && i + j < N ? w[j + R] * x[i + j] : 0;
        wrong += y[i] != sum;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
