/* Parts of a tile by a label and by a truth, parts of the lanes that are together by their ranks,
 * scans over groups, and shuffles of 32 bytes. */
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

/* Ranks and sizes of parts among their kin; threads of a last warp that is not full. */
__global__ void ranks_kernel(int *out)
{
    auto block = cg::this_thread_block();
    cg::thread_group eight = cg::tiled_partition(block, 8);
    int *o = out + 7 * threadIdx.x;
    o[0] = eight.size() * 100 + eight.thread_rank();
    if (threadIdx.x % 3 == 0)
        return;
    auto active = cg::coalesced_threads();
    auto label = cg::labeled_partition(active, threadIdx.x * 7 % 4);
    auto truth = cg::labeled_partition(active, threadIdx.x % 2 == 1);
    auto none = cg::binary_partition(active, threadIdx.x > 1000);
    auto four = cg::tiled_partition(active, 4);
    o[1] = label.meta_group_rank() * 100 + label.meta_group_size();
    o[2] = truth.meta_group_rank() * 100 + truth.meta_group_size();
    o[3] = none.meta_group_rank() * 100 + none.meta_group_size();
    o[4] = four.meta_group_rank() * 100 + four.meta_group_size();
    o[5] = four.size() * 100 + four.thread_rank();
    o[6] = cg::reduce(four, (int)threadIdx.x, cg::plus<int>());
}

/* What ranks_kernel writes for thread t of a block of n, counted one by one. */
static void wanted_ranks(int t, int n, int *wanted)
{
    const int end = t / 32 * 32 + 32 < n ? t / 32 * 32 + 32 : n;
    int labels = 0, before = 0, parity = 0, active = 0, rank = 0, first[4] = {-1, -1, -1, -1};
    for (int i = t / 32 * 32; i < end; i++) {
        if (i % 3 == 0)
            continue;
        int &f = first[i * 7 % 4];
        f = f < 0 ? i : f;
        parity |= 1 << i % 2;
        rank += i < t;
        active++;
    }
    for (int k = 0; k < 4; k++) {
        labels += first[k] >= 0;
        before += first[k] >= 0 && first[k] < first[t * 7 % 4];
    }
    const int left = n - t / 8 * 8, size = active - rank / 4 * 4 < 4 ? active - rank / 4 * 4 : 4;
    int sum = 0, at = 0;
    for (int i = t / 32 * 32; i < end; i++)
        if (i % 3 != 0)
            sum += at++ / 4 == rank / 4 ? i : 0;
    wanted[0] = (left < 8 ? left : 8) * 100 + t % 8;
    wanted[1] = before * 100 + labels;
    wanted[2] = parity == 3 ? t % 2 * 100 + 2 : 1;
    wanted[3] = 1;
    wanted[4] = active <= 4 ? 1 : rank / 4 * 100 + (active + 3) / 4;
    wanted[5] = size * 100 + rank % 4;
    wanted[6] = sum;
}

static bool ranks_are_right(int *out, int n)
{
    bool right = true;
    ranks_kernel<<<1, n>>>(out);
    cudaDeviceSynchronize();
    for (int t = 0; t < n; t++) {
        int wanted[7];
        wanted_ranks(t, n, wanted);
        for (int k = 0; k < (t % 3 ? 7 : 1); k++)
            if (out[7 * t + k] != wanted[k]) {
                printf("rank of thread %d, %d: %d found, %d expected\n", t, k, out[7 * t + k],
                       wanted[k]);
                right = false;
            }
    }
    return right;
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
    right = ranks_are_right(out, 64) && right;
    right = ranks_are_right(out, 44) && right;
    cudaFree(out);
    puts(right ? "PASS" : "FAIL");
    return !right;
}
