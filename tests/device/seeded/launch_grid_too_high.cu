// expect: launch-error
// 70000 blocks in the grid's second dimension, which ends at 65535.
// Without BUG: in the first dimension.
#include <stdio.h>
#include <stdlib.h>

#define ROWS 70000

__global__ void row_kernel(unsigned char *y)
{
#ifdef BUG
    int row = blockIdx.y;
#else
    int row = blockIdx.x;
#endif
    y[row] = row % 251;
}

int main()
{
    unsigned char *y = (unsigned char *)malloc(ROWS), *d_y;
    int wrong = 0;
    cudaMalloc(&d_y, ROWS);
    cudaMemset(d_y, 255, ROWS);
#ifdef BUG
    row_kernel<<<dim3(1, ROWS), 1>>>(d_y); // EXPECTED
#else
    row_kernel<<<dim3(ROWS, 1), 1>>>(d_y);
#endif
    cudaMemcpy(y, d_y, ROWS, cudaMemcpyDeviceToHost);
    for (int row = 0; row < ROWS; row++)
        wrong += y[row] != row % 251;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_y);
    free(y);
    return wrong != 0;
}
