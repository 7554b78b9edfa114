// expect: oob-global
// The sums are double, but their memory was asked for by the size of a float.
// Without BUG: sizeof(double).
#include <stdio.h>

#define ROWS    300
#define COLUMNS 16

__global__ void row_sum_kernel(const float *a, double *sums)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= ROWS)
        return;
    double sum = 0;
    for (int k = 0; k < COLUMNS; k++)
        sum += a[row * COLUMNS + k];
    sums[row] = sum; // EXPECTED
}

int main()
{
    static float a[ROWS * COLUMNS];
    double sums[ROWS], *d_sums;
    float *d_a;
    int wrong = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        a[i] = i % 100;
    cudaMalloc(&d_a, sizeof(a));
#ifdef BUG
    cudaMalloc(&d_sums, ROWS * sizeof(float));
#else
    cudaMalloc(&d_sums, ROWS * sizeof(double));
#endif
    cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
    row_sum_kernel<<<(ROWS + 31) / 32, 32>>>(d_a, d_sums);
    cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost); // EXPECTED
    for (int row = 0; row < ROWS; row++) {
        double sum = 0;
        for (int k = 0; k < COLUMNS; k++)
            sum += a[row * COLUMNS + k];
        wrong += sums[row] != sum;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_a);
    cudaFree(d_sums);
    return wrong != 0;
}
