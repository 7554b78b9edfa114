// expect: oob-constant
// The mask in constant memory has 2r + 1 taps, and the loop reads 2r + 2.
// Without BUG: j < 2 * R + 1.
#include <stdio.h>

#define N 500
#define R 2

__constant__ float mask[2 * R + 1];

__global__ void conv_kernel(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    float sum = 0;
#ifdef BUG
    for (int j = 0; j <= 2 * R + 1; j++)
#else
    for (int j = 0; j < 2 * R + 1; j++)
#endif
        if (i + j - R >= 0 && i + j - R < N)
            sum += mask[j] * x[i + j - R]; // EXPECTED
    y[i] = sum;
}

int main()
{
    float x[N], y[N], w[2 * R + 1] = {1, 3, 5, 3, 1}, *d_x, *d_y;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 8;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(mask, w, sizeof(w));
    conv_kernel<<<(N + 63) / 64, 64>>>(d_x, d_y);
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
