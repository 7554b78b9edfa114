// expect: api-error
// A copy by rows is given a pitch below the width; it fails, and nobody looks.
// Without BUG: the pitch is the width.
#include <cstdio>
#include <cuda_runtime.h>

#define ROWS    8
#define COLUMNS 16

__global__ void double_kernel(int *x)
{
    x[blockIdx.x * COLUMNS + threadIdx.x] *= 2;
}

int main()
{
    int x[ROWS * COLUMNS], *d_x, wrong = 0;
    const size_t width = COLUMNS * sizeof(int);
#ifdef BUG
    const size_t pitch = COLUMNS;
#else
    const size_t pitch = width;
#endif
    for (int i = 0; i < ROWS * COLUMNS; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof x);
    cudaMemset(d_x, 0, sizeof x);
    cudaMemcpy2D(d_x, width, x, pitch, width, ROWS, cudaMemcpyHostToDevice); // EXPECTED
    double_kernel<<<ROWS, COLUMNS>>>(d_x);
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        wrong += x[i] != 2 * i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
