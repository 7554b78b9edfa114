/* A sparse matrix in compressed rows times a vector: a thread a row, and a warp a row. */
#include <cstdio>
#include <cuda_runtime.h>

#define N 96

__global__ void thread_a_row_kernel(const int *rows, const int *columns, const float *values,
                                    const float *x, float *y)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = rows[row]; k < rows[row + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}

__global__ void warp_a_row_kernel(const int *rows, const int *columns, const float *values,
                                  const float *x, float *y)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int k = rows[row] + lane; k < rows[row + 1]; k += 32)
        sum += values[k] * x[columns[k]];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0)
        y[row] = sum;
}

int main()
{
    static int rows[N + 1], columns[N * N];
    static float values[N * N], x[N], y[2][N];
    int n = 0, *d_rows, *d_columns;
    float *d_values, *d_x, *d_y;
    bool right = true;
    for (int i = 0; i < N; i++) { /* row i has the multiples of i + 1 */
        rows[i] = n;
        x[i] = 1;
        for (int j = 0; j < N; j += i + 1) {
            columns[n] = j;
            values[n++] = 2;
        }
    }
    rows[N] = n;
    cudaMalloc(&d_rows, sizeof rows);
    cudaMalloc(&d_columns, n * sizeof(int));
    cudaMalloc(&d_values, n * sizeof(float));
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, N * sizeof(float));
    cudaMemcpy(d_rows, rows, sizeof rows, cudaMemcpyHostToDevice);
    cudaMemcpy(d_columns, columns, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_values, values, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    thread_a_row_kernel<<<N / 32, 32>>>(d_rows, d_columns, d_values, d_x, d_y);
    cudaMemcpy(y[0], d_y, N * sizeof(float), cudaMemcpyDeviceToHost);
    warp_a_row_kernel<<<N / 4, 128>>>(d_rows, d_columns, d_values, d_x, d_y);
    cudaMemcpy(y[1], d_y, N * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 2; k++)
            right = right && y[k][i] == 2 * ((N + i) / (i + 1));
    cudaFree(d_rows);
    cudaFree(d_columns);
    cudaFree(d_values);
    cudaFree(d_x);
    cudaFree(d_y);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
