/* The block part of cooperative groups: a block, tiles of 32 and of fewer threads, a group as a
 * function's parameter. */
#include <cstdio>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* Works for every group that has sync, size and thread_rank. */
template <typename Group> __device__ int sumReduction(const Group &g, int *x, int val)
{
    int lane = g.thread_rank();

    for (int i = g.size() / 2; i > 0; i /= 2) {
        x[lane] = val;
        g.sync();
        if (lane < i)
            val += x[lane + i];
        g.sync();
    }
    return lane == 0 ? val : -1;
}

__global__ void rankSums(int *block_sum, int *tile_sums)
{
    extern __shared__ int workspace[];
    cg::thread_block block = cg::this_thread_block();
    int sum = sumReduction(block, workspace, block.thread_rank());
    if (block.thread_rank() == 0)
        *block_sum = sum;
    cg::sync(block);

    cg::thread_block_tile<16> tile16 = cg::tiled_partition<16>(block);
    int offset = block.thread_rank() - tile16.thread_rank();
    sum = sumReduction(tile16, workspace + offset, tile16.thread_rank());
    if (tile16.thread_rank() == 0)
        tile_sums[tile16.meta_group_rank()] = sum;
}

template <class T> __global__ void reduceKernel(const T *in, T *out, unsigned n)
{
    cg::thread_block cta = cg::this_thread_block();
    __shared__ T sdata[32];
    auto tile32 = cg::tiled_partition<32>(cta);
    T mySum = 0;
    for (unsigned i = cta.group_index().x * cta.size() + cta.thread_index().x; i < n;
         i += gridDim.x * cta.size())
        mySum += in[i];
    for (int offset = tile32.size() / 2; offset > 0; offset /= 2)
        mySum += tile32.shfl_down(mySum, offset);
    if (tile32.thread_rank() == 0)
        sdata[tile32.meta_group_rank()] = mySum;
    cg::sync(cta);
    if (cta.thread_rank() == 0) {
        for (unsigned w = 1; w < tile32.meta_group_size(); w++)
            mySum += sdata[w];
        out[blockIdx.x] = mySum;
    }
}

__global__ void voteKernel(unsigned *ballots, int *flags)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    bool odd = warp.thread_rank() % 2;
    unsigned ballot = warp.ballot(odd);
    int left = warp.shfl_xor((int)warp.thread_rank(), 1), first = warp.shfl(left, 0);
    int up = warp.shfl_up((int)warp.thread_rank(), 2);
    bool right = warp.any(odd) && !warp.all(odd) && first == 1;
    if (warp.thread_rank() == 5) {
        ballots[warp.meta_group_rank()] = ballot;
        flags[warp.meta_group_rank()] = right && left == 4 && up == 3;
    }
    warp.sync();
}

int main()
{
    const int n = 3000, blocks = 4, threads = 128;
    int sums[1 + threads / 16], *d_sums, wrong = 0;
    float in[n], out[blocks], *d_in, *d_out, want = 0, got = 0;

    cudaMalloc(&d_sums, sizeof(sums));
    rankSums<<<1, threads, threads * sizeof(int)>>>(d_sums, d_sums + 1);
    cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost);
    wrong += sums[0] != threads * (threads - 1) / 2;
    for (int k = 1; k <= threads / 16; k++)
        wrong += sums[k] != 120;

    for (int i = 0; i < n; i++)
        want += in[i] = i % 25;
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    reduceKernel<float><<<blocks, threads>>>(d_in, d_out, n);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int b = 0; b < blocks; b++)
        got += out[b];
    wrong += got != want;
    unsigned ballots[2], *d_ballots;
    int flags[2], *d_flags;
    cudaMalloc(&d_ballots, sizeof(ballots));
    cudaMalloc(&d_flags, sizeof(flags));
    voteKernel<<<1, 64>>>(d_ballots, d_flags);
    cudaMemcpy(ballots, d_ballots, sizeof(ballots), cudaMemcpyDeviceToHost);
    cudaMemcpy(flags, d_flags, sizeof(flags), cudaMemcpyDeviceToHost);
    for (int w = 0; w < 2; w++)
        wrong += ballots[w] != 0xaaaaaaaau || !flags[w];
    cudaFree(d_ballots);
    cudaFree(d_flags);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_sums);
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong != 0;
}
