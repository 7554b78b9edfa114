// expect: oob-global
// An index is multiplied by the size of an element, which the language does already.
// Without BUG: the index counts elements.
#include <stdio.h>

#define ROWS    40
#define COLUMNS 64

__global__ void clear_diagonal_kernel(float *a)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < ROWS)
#ifdef BUG
        a[row * COLUMNS * sizeof(float) + row] = 0; // EXPECTED
#else
        a[row * COLUMNS + row] = 0;
#endif
}

int main()
{
    static float a[ROWS * COLUMNS];
    float *d_a;
    int wrong = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        a[i] = 1 + i;
    cudaMalloc(&d_a, sizeof(a));
    cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
    clear_diagonal_kernel<<<2, 32>>>(d_a);
    cudaMemcpy(a, d_a, sizeof(a), cudaMemcpyDeviceToHost);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        wrong += a[i] != (i / COLUMNS == i % COLUMNS ? 0 : 1 + i);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_a);
    return wrong != 0;
}
