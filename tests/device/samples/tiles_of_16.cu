/* Tiles of 16 threads that take different ways: one scans, one sums, each with its own barriers. */
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void half_warps(const int *x, int *y)
{
    __shared__ int s[64];
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int rank = tile.thread_rank(), v = x[threadIdx.x];

    if (tile.meta_group_rank() % 2 == 0) { /* an inclusive scan */
        for (int d = 1; d < 16; d *= 2) {
            int before = tile.shfl_up(v, d);
            if (rank >= d)
                v += before;
        }
    } else { /* a sum through shared memory, then the rank of the largest */
        s[threadIdx.x] = v;
        for (int d = 8; d > 0; d /= 2) {
            tile.sync();
            if (rank < d)
                s[threadIdx.x] += s[threadIdx.x + d];
        }
        tile.sync();
        int most = v;
        for (int d = 8; d > 0; d /= 2)
            most = max(most, tile.shfl_xor(most, d));
        unsigned who = tile.ballot(v == most);
        v = s[threadIdx.x - rank] * 100 + __ffs(who);
    }
    block.sync();
    y[threadIdx.x] = v + (tile.any(rank == 3) ? 0 : 1000) + (tile.all(rank < 15) ? 1000 : 0);
}

int main()
{
    int x[64], y[64], *d_x, *d_y;
    bool right = true;

    for (int i = 0; i < 64; i++)
        x[i] = i * 23 % 41;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    half_warps<<<1, 64>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 64; t += 16) {
        int sum = 0, most = 0;
        for (int i = 15; i >= 0; i--)
            if (x[t + i] >= x[t + most])
                most = i;
        for (int i = 0; i < 16; i++) {
            sum += x[t + i];
            right = right && (t % 32 || y[t + i] == sum);
        }
        for (int i = 0; i < 16; i++)
            right = right && (t % 32 == 0 || y[t + i] == sum * 100 + most + 1);
    }
    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    cudaFree(d_x);
    cudaFree(d_y);
    return right ? 0 : 1;
}
