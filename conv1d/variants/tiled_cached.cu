/* conv1d/tiled_cached: a tile without a halo; what lies beyond it comes through the caches. [Dong],
 * Code 5 ("strategy 2"), in our own words: its tile is of 4 elements whatever the block has.
 *
 * Changes from tiled_halo: each thread brings one element, its own, and nothing has to be worked
 * out about halos; x[i + j] is looked for in the tile, else in global memory, where a neighbouring
 * block has just read it, so it is in a cache.
 * What limits it: the question itself, asked for each tap, and warps whose threads answer it
 * differently, which then go both ways. */
#include "conv1d/gpu.h"

__constant__ float c_mask[CONV1D_MAX_MASK];

__global__ void tiled_cached_kernel(const float *x, float *y, int64_t n, int radius)
{
    extern __shared__ float tile[]; /* an element a thread */
    const int64_t begin = (int64_t)blockIdx.x * blockDim.x, i = begin + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -radius; j <= radius; j++) {
        const int at = (int)threadIdx.x + j;
        if (at >= 0 && at < (int)blockDim.x)
            sum += c_mask[j + radius] * tile[at];
        else if (i + j >= 0 && i + j < n)
            sum += c_mask[j + radius] * x[i + j];
    }
    y[i] = sum;
}

static cudaError_t keep_mask(const struct conv *s, const float *mask)
{
    return cudaMemcpyToSymbol(c_mask, mask, (2 * (size_t)s->radius + 1) * sizeof *mask);
}

static void launch(const struct conv *s, const float *x, const float *, float *y)
{
    const size_t bytes = s->block * sizeof(float); /* of a block's tile */
    tiled_cached_kernel<<<conv_blocks(s), s->block, bytes>>>(x, y, s->n, s->radius);
}

extern "C" const struct hpc_variant hpc_variant =
    conv_variant<256, launch, keep_mask>("tiled_cached");
