/* A tile of static shared memory behind a union of floats and float4, filled by cooperative groups
 * of a warp; neighbours' cells by __ldg; the mask in constant memory by its symbol's address. */
#include <cooperative_groups.h>

#include "conv1d/gpu.h"

namespace cg = cooperative_groups;

__constant__ float c_mask[CONV1D_MAX_MASK];

union cells {
    float one[1024];
    float4 four[256];
};

__global__ void cached(const float *__restrict__ x, float *__restrict__ y, int64_t n, int radius)
{
    __shared__ union cells tile;
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    const int64_t first = (int64_t)blockIdx.x * blockDim.x, i = first + block.thread_rank();
    const unsigned lane = warp.thread_rank(), base = warp.meta_group_rank() * 32;
    if (base + lane < blockDim.x)
        tile.one[base + lane] = i < n ? x[i] : 0;
    block.sync();
    if (i < n) {
        float sum = 0;
        for (int j = -radius; j <= radius; j++) {
            const int64_t at = i + j - first;
            if (at >= 0 && at < blockDim.x)
                sum = __fmaf_rn(c_mask[j + radius], tile.one[at], sum);
            else if (i + j >= 0 && i + j < n)
                sum = __fmaf_rn(c_mask[j + radius], __ldg(&x[i + j]), sum);
        }
        y[i] = sum;
    }
}

static cudaError_t keep_mask(const struct conv *s, const float *mask)
{
    void *at = nullptr;
    const cudaError_t error = cudaGetSymbolAddress(&at, c_mask);
    return error != cudaSuccess ? error
                                : cudaMemcpy(at, mask, (2 * (size_t)s->radius + 1) * sizeof *mask,
                                             cudaMemcpyHostToDevice);
}

static void launch(const struct conv *s, const float *x, const float *, float *y)
{
    cached<<<conv_blocks(s), s->block>>>(x, y, s->n, s->radius);
}

extern "C" const struct hpc_variant hpc_variant =
    conv_variant<256, launch, keep_mask>("tiled_cached");
