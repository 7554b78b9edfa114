// expect: race-shared
// Lanes of a tile of 16 read what others of it wrote, and do not meet before.
// Without BUG: tile.sync() between.
#include <cooperative_groups.h>
#include <stdio.h>

namespace cg = cooperative_groups;

#define THREADS 64

__global__ void turn_kernel(const int *x, int *y)
{
    __shared__ int s[THREADS];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x, lane = tile.thread_rank();
    s[t] = x[t]; // EXPECTED
#ifndef BUG
    tile.sync();
#endif
    y[t] = s[t - lane + (lane + 1) % 16]; // EXPECTED
}

int main()
{
    int x[THREADS], y[THREADS], *d_x, *d_y, bad = 0;
    for (int i = 0; i < THREADS; i++)
        x[i] = 3 * i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    turn_kernel<<<1, THREADS>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < THREADS; i++)
        bad += y[i] != x[i / 16 * 16 + (i + 1) % 16];
    printf("%s: %d wrong\n", bad ? "FAIL" : "PASS", bad);
    cudaFree(d_x);
    cudaFree(d_y);
    return bad != 0;
}
