// expect: oob-host
// A row with its padding is copied into an array that has no room for that.
// Without BUG: the row alone is copied.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void add_kernel(const float *x, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(sum, x[i]);
}

/* The sum of n floats of the host, on the device. */
static float sum_of(const float *x, int n)
{
    float *d_x, *d_sum, sum = 0;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_sum, sizeof(float));
    cudaMemcpy(d_x, x, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_sum, &sum, sizeof(float), cudaMemcpyHostToDevice);
    add_kernel<<<(n + 63) / 64, 64>>>(d_x, d_sum, n);
    cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_sum);
    return sum;
}

int main()
{
    const int columns = 100, pitch = 128;
    float *rows = (float *)calloc(2 * pitch, sizeof(float));
    float *row = (float *)calloc(columns, sizeof(float));
    for (int i = 0; i < columns; i++)
        rows[pitch + i] = 2;
#ifdef BUG
    const size_t bytes = pitch * sizeof(float);
#else
    const size_t bytes = columns * sizeof(float);
#endif
    memcpy(row, rows + pitch, bytes); // EXPECTED
    const bool right = sum_of(row, columns) == 2.0f * (float)columns;
    printf("%s\n", right ? "PASS" : "FAIL");
    free(rows);
    free(row);
    return !right;
}
