// Addresses of device variables that a kernel stores, and by which the host then copies; and what
// printf returns in a kernel, the arguments that it has printed.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int counter = 3, row[4] = {5, 6, 7, 8};
__device__ int *where[2];

__global__ void store_kernel(int *printed)
{
    where[0] = &counter;
    where[1] = &row[2];
    *where[0] += 1;
    *printed = printf("%d and %d\n", counter, row[2]);
    *printed += 10 * printf("no more\n");
}

int main()
{
    int *at[2], values[2] = {0, 0}, *d_printed, printed = -1;
    cudaMalloc(&d_printed, sizeof *d_printed);
    store_kernel<<<1, 1>>>(d_printed);
    cudaMemcpy(&printed, d_printed, sizeof printed, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(at, where, sizeof at);
    for (int i = 0; i < 2; i++)
        cudaMemcpy(&values[i], at[i], sizeof values[i], cudaMemcpyDeviceToHost);
    cudaFree(d_printed);
    printf("%d %d %d\n", values[0], values[1], printed);
    const bool right = values[0] == 4 && values[1] == 7 && printed == 2;
    printf("%s\n", right ? "PASS" : "FAIL");
    return !right;
}
