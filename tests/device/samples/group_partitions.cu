/* Parts of a tile by a label and by a truth, scans over groups, and shuffles of 32 bytes. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <stdio.h>

namespace cg = cooperative_groups;

struct wide {
    double a, b, c;
    int d, e;
};

__global__ void parts_kernel(int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int t = tile.thread_rank();
    auto third = cg::labeled_partition(tile, t % 3);
    auto half = cg::binary_partition(tile, t < 10);
    const wide mine = {1.0 * t, 2.0 * t, 3.0 * t, 4 * t, 5 * t}, next = tile.shfl(mine, t + 1);
    int *o = out + 7 * threadIdx.x;
    o[0] = third.size();
    o[1] = third.thread_rank();
    o[2] = half.size();
    o[3] = cg::reduce(third, t, cg::plus<int>());
    o[4] = cg::inclusive_scan(tile, t);
    o[5] = cg::exclusive_scan(tile, t + 1);
    o[6] = next.a + next.b + next.c + next.d + next.e;
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 7 * 64 * sizeof *out);
    parts_kernel<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < 64; i++) {
        const int t = i % 32, *o = out + 7 * i, sums[3] = {165, 176, 155};
        const int wanted[7] = {t % 3 == 2 ? 10 : 11, t / 3,           t < 10 ? 10 : 22,
                               sums[t % 3],          t * (t + 1) / 2, t * (t + 1) / 2,
                               15 * ((t + 1) % 32)};
        for (int k = 0; k < 7; k++)
            if (o[k] != wanted[k]) {
                printf("thread %d, %d: %d found, %d expected\n", i, k, o[k], wanted[k]);
                right = false;
            }
    }
    cudaFree(out);
    puts(right ? "PASS" : "FAIL");
    return !right;
}
