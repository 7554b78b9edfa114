/* conv1d/tiled_halo: a block brings its part of x into shared memory, its halo too, and reads it
 * from there. [Dong], Code 4 ("strategy 1"), in our own words and without its three mistakes: the
 * paper's guard is true for every thread, it reads behind the end of x, and its tile is of int.
 *
 * Changes from constant: an element of x is read from global memory once a block, not once for each
 * tap. The tile begins at a multiple of 8 elements, so that its loads meet whole sectors of 32
 * bytes. A mask of more than CHUNK taps is applied in chunks, each with a tile of its own, so that
 * any mask fits into any block's shared memory.
 * What limits it: a load from shared memory for each tap takes as long as one that the first-level
 * cache answers, which is the same memory; the tile adds a copy and a barrier. */
#include "conv1d/gpu.h"

__constant__ float c_mask[CONV1D_MAX_MASK];

enum {
    CHUNK = 1024, /* taps */
    ALIGN = 8,    /* elements, 32 bytes */
};

__global__ void tiled_halo_kernel(const float *x, float *y, int64_t n, int radius)
{
    extern __shared__ float tile[];
    const int64_t begin = (int64_t)blockIdx.x * blockDim.x, i = begin + threadIdx.x;
    const int taps = 2 * radius + 1;
    float sum = 0;
    for (int first = 0; first < taps; first += CHUNK) {
        const int count = min(CHUNK, taps - first);
        /* Tap `first` of the block's first output meets x[from]; tile[k] is x[base + k]. */
        const int64_t from = begin - radius + first, base = from & -(int64_t)ALIGN;
        const int skip = (int)(from - base), cells = skip + blockDim.x + count - 1;
        for (int k = threadIdx.x; k < cells; k += blockDim.x)
            tile[k] = base + k >= 0 && base + k < n ? x[base + k] : 0;
        __syncthreads();
        for (int j = 0; j < count; j++)
            sum += c_mask[first + j] * tile[skip + threadIdx.x + j];
        __syncthreads(); /* all have read it before the next chunk overwrites it */
    }
    if (i < n)
        y[i] = sum;
}

static cudaError_t keep_mask(const struct conv *s, const float *mask)
{
    return cudaMemcpyToSymbol(c_mask, mask, (2 * (size_t)s->radius + 1) * sizeof *mask);
}

static void launch(const struct conv *s, const float *x, const float *, float *y)
{
    const int taps = 2 * s->radius + 1, cells = s->block + ALIGN - 1 + min(taps, CHUNK) - 1;
    tiled_halo_kernel<<<conv_blocks(s), s->block, cells * sizeof(float)>>>(x, y, s->n, s->radius);
}

extern "C" const struct hpc_variant hpc_variant =
    conv_variant<256, launch, keep_mask>("tiled_halo");
