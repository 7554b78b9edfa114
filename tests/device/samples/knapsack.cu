/* The most value that a sack holds, a launch an item, two rows in turn. */
#include <cstdio>
#include <cuda_runtime.h>

#define ROOM 50

__global__ void item_kernel(const int *before, int *after, int weight, int value)
{
    const int room = blockIdx.x * blockDim.x + threadIdx.x;
    if (room > ROOM)
        return;
    const int with = room >= weight ? before[room - weight] + value : 0;
    after[room] = max(before[room], with);
}

int main()
{
    const int weight[3] = {10, 20, 30}, value[3] = {60, 100, 120};
    int best[ROOM + 1], *d_row[2];
    for (int i = 0; i < 2; i++) {
        cudaMalloc(&d_row[i], sizeof best);
        cudaMemset(d_row[i], 0, sizeof best);
    }
    for (int i = 0; i < 3; i++)
        item_kernel<<<2, 32>>>(d_row[i % 2], d_row[(i + 1) % 2], weight[i], value[i]);
    cudaMemcpy(best, d_row[1], sizeof best, cudaMemcpyDeviceToHost);
    const bool right = best[50] == 220 && best[9] == 0 && best[30] == 160 && best[49] == 180;
    cudaFree(d_row[0]);
    cudaFree(d_row[1]);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
