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
#include <limits.h>
#include <stdlib.h>

#include "conv1d/conv1d.h"

__constant__ float c_mask[CONV1D_MAX_MASK];

struct conv {
    int64_t n;
    int radius, threads, blocks;
    size_t bytes; /* of a block's tile */
};

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

static int conv_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv1d_problem *p = (const struct conv1d_problem *)problem;
    const int threads = p->block ? p->block : 256;
    const int taps = 2 * p->radius + 1;
    const int64_t n = (int64_t)p->n, blocks = (n + threads - 1) / threads;
    struct conv *s = blocks > INT_MAX ? NULL : (struct conv *)calloc(1, sizeof *s);
    if (!s)
        return 1;
    if (cudaMemcpyToSymbol(c_mask, env->fixed[CONV1D_W], (size_t)taps * sizeof(float)) !=
        cudaSuccess) {
        free(s);
        return 1;
    }
    s->n = n;
    s->radius = p->radius;
    s->threads = threads;
    s->blocks = (int)blocks;
    s->bytes = (size_t)(threads + ALIGN - 1 + (taps < CHUNK ? taps : CHUNK) - 1) * sizeof(float);
    *state = s;
    return 0;
}

static int conv_run(void *state, const void *const in[], void *const out[])
{
    const struct conv *s = (const struct conv *)state;
    if (s->n == 0) /* a grid of no blocks is an error */
        return 0;
    tiled_halo_kernel<<<s->blocks, s->threads, s->bytes>>>((const float *)in[CONV1D_X],
                                                           (float *)out[CONV1D_Y], s->n, s->radius);
    return cudaGetLastError() != cudaSuccess;
}

static void conv_close(void *state)
{
    free(state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,   "conv1d", "tiled_halo",
                                                   conv_open, conv_run, conv_close};
