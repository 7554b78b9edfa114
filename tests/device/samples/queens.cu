/* Solutions of the eight queens: a thread for each place of the first two, the rest by
 * backtracking. */
#include <cstdio>
#include <cuda_runtime.h>

#define N 8

__global__ void queens_kernel(int *solutions)
{
    int columns[N], row = 2, count = 0;
    columns[0] = threadIdx.x;
    columns[1] = threadIdx.y;
    const int apart = columns[0] - columns[1];
    if (apart >= -1 && apart <= 1)
        return;
    columns[2] = -1;
    while (row >= 2) {
        if (++columns[row] == N) {
            row--;
            continue;
        }
        bool free = true;
        for (int r = 0; r < row && free; r++) {
            const int d = columns[row] - columns[r];
            free = d != 0 && d != row - r && d != r - row;
        }
        if (free && row == N - 1)
            count++;
        else if (free)
            columns[++row] = -1;
    }
    atomicAdd(solutions, count);
}

int main()
{
    int solutions, *d_solutions;
    cudaMalloc(&d_solutions, sizeof solutions);
    cudaMemset(d_solutions, 0, sizeof solutions);
    queens_kernel<<<1, dim3(N, N)>>>(d_solutions);
    cudaMemcpy(&solutions, d_solutions, sizeof solutions, cudaMemcpyDeviceToHost);
    const bool right = solutions == 92;
    cudaFree(d_solutions);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
