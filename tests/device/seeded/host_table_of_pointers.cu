// expect: host-pointer
// The rows are on the device, but the table of their addresses is on the host.
// Without BUG: the table is copied to the device too.
#include <stdio.h>

#define ROWS    4
#define COLUMNS 64

__global__ void scale_kernel(float **rows, float factor)
{
    rows[blockIdx.x][threadIdx.x] *= factor; // EXPECTED
}

int main()
{
    float row[COLUMNS], *rows[ROWS], **d_rows;
    int wrong = 0;
    for (int i = 0; i < COLUMNS; i++)
        row[i] = i;
    for (int r = 0; r < ROWS; r++) {
        cudaMalloc(&rows[r], sizeof(row));
        cudaMemcpy(rows[r], row, sizeof(row), cudaMemcpyHostToDevice);
    }
    cudaMalloc(&d_rows, sizeof(rows));
    cudaMemcpy(d_rows, rows, sizeof(rows), cudaMemcpyHostToDevice);
#ifdef BUG
    scale_kernel<<<ROWS, COLUMNS>>>(rows, 5);
#else
    scale_kernel<<<ROWS, COLUMNS>>>(d_rows, 5);
#endif
    for (int r = 0; r < ROWS; r++) {
        cudaMemcpy(row, rows[r], sizeof(row), cudaMemcpyDeviceToHost);
        for (int i = 0; i < COLUMNS; i++)
            wrong += row[i] != 5 * i;
        cudaFree(rows[r]);
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_rows);
    return wrong != 0;
}
