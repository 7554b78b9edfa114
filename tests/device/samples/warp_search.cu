/* A warp searches its row 32 elements at a time and stops, all lanes at once, where one has found.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define LENGTH 500

__global__ void first_above(const int *rows, int limit, int *where)
{
    int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int *x = rows + row * LENGTH;
    int found = -1;
    for (int i = 0; i < LENGTH; i += 32) {
        int k = i + lane;
        unsigned hits = __ballot_sync(0xffffffff, k < LENGTH && x[k] > limit);
        if (hits) {
            found = i + __ffs(hits) - 1;
            break;
        }
    }
    found = __shfl_sync(0xffffffff, found, 5);
    if (lane == 0)
        where[row] = found;
}

int main()
{
    const int rows = 12;
    static int x[rows * LENGTH];
    int where[rows], *d_x, *d_where;
    bool right = true;

    for (int r = 0; r < rows; r++)
        for (int i = 0; i < LENGTH; i++)
            x[r * LENGTH + i] = (i * 13 + r * 7) % 100 + (i > r * 50 ? r * 2 : 0);
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_where, sizeof where);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    first_above<<<rows / 4, 128>>>(d_x, 110, d_where);
    cudaMemcpy(where, d_where, sizeof where, cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; r++) {
        int wanted = -1;
        for (int i = LENGTH - 1; i >= 0; i--)
            if (x[r * LENGTH + i] > 110)
                wanted = i;
        right = right && where[r] == wanted;
    }
    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    cudaFree(d_x);
    cudaFree(d_where);
    return right ? 0 : 1;
}
