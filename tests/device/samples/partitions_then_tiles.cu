// Groups by a label, then tiles of four: lanes of a tile wait in different groups before they meet.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

struct seen {
    int sum, count, rank, most, tile, tiles, odd;
};

__global__ void look(const int *in, seen *out)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto quad = cg::tiled_partition<4>(warp);
    const int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    seen s;
    auto same = cg::labeled_partition(warp, v % 3);
    s.sum = cg::reduce(same, v, cg::plus<int>());
    s.count = same.size();
    s.rank = same.thread_rank();
    s.most = cg::reduce(quad, v, cg::greater<int>());
    s.tile = quad.meta_group_rank();
    s.tiles = quad.meta_group_size();
    s.odd = cg::binary_partition(warp, v & 1).size();
    out[i] = s;
}

static seen expected(const int *in, int i)
{
    seen s = {0, 0, 0, 0, i % 32 / 4, 8, 0};
    for (int j = i / 32 * 32; j < i / 32 * 32 + 32; j++) {
        if (in[j] % 3 == in[i] % 3) {
            s.sum += in[j];
            s.count++;
            s.rank += j < i;
        }
        s.odd += (in[j] & 1) == (in[i] & 1);
    }
    for (int j = i / 4 * 4; j < i / 4 * 4 + 4; j++)
        s.most = in[j] > s.most ? in[j] : s.most;
    return s;
}

int main()
{
    const int n = 256;
    int in[n], *d_in, wrong = 0;
    seen out[n], *d_out;
    for (int i = 0; i < n; i++)
        in[i] = (i * i * 7 + i) % 101;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    look<<<2, n / 2>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        const seen e = expected(in, i), s = out[i];
        if (s.sum != e.sum || s.count != e.count || s.rank != e.rank || s.most != e.most ||
            s.tile != e.tile || s.tiles != e.tiles || s.odd != e.odd)
            wrong++;
    }
    printf(wrong ? "FAIL: %d threads\n" : "PASS\n", wrong);
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong != 0;
}
