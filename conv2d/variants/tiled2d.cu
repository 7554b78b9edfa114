/* conv2d/tiled2d: tiles in shared memory, TILE x TILE outputs of FILTERS filters a block.
 *
 * Changes from direct: for each channel a block brings the tile of x with its halo, and the
 * filters' weights, into shared memory once.
 * Why it wins: a pixel is read from global memory once for R S FILTERS / stride^2 uses, and one
 * pixel in a register meets FILTERS weights, which all threads read together.
 * What limits it: shared memory, (1 + FILTERS / 4) loads for FILTERS FMAs, and the tail of small
 * maps, whose tiles are mostly empty. Layout NCHW, floats. */
#include "conv2d/variants/gpu.h"

namespace
{

enum { TILE = 16, FILTERS = 8 };

__host__ __device__ int halo(int outputs, int stride, int filter)
{
    return (outputs - 1) * stride + filter;
}

/* The tile of channel map `x` from (top, left) on, zero outside of the map. */
__device__ void load_tile(const struct conv2d_problem &p, const float *x, int top, int left,
                          int height, int width, float *s_x)
{
    for (int i = threadIdx.y; i < height; i += TILE)
        for (int j = threadIdx.x; j < width; j += TILE) {
            const int h = top + i, v = left + j;
            const bool inside = h >= 0 && h < p.h && v >= 0 && v < p.w;
            s_x[i * width + j] = inside ? x[(size_t)h * p.w + v] : 0;
        }
}

__global__ void tiled2d_kernel(struct conv2d_problem p, const float *x, const float *w, float *y)
{
    extern __shared__ float s_memory[];
    const int rows = conv2d_rows(&p), columns = conv2d_columns(&p), taps = p.r * p.s;
    const int across = (columns + TILE - 1) / TILE;
    const int row = blockIdx.x / across * TILE, column = blockIdx.x % across * TILE;
    const int k = blockIdx.y * FILTERS, n = blockIdx.z;
    const int height = halo(TILE, p.stride, p.r), width = halo(TILE, p.stride, p.s);
    float *s_w = s_memory, *s_x = s_memory + taps * FILTERS; /* s_w: [taps][FILTERS] */
    float sum[FILTERS] = {0};

    for (int c = 0; c < p.c; c++) {
        __syncthreads(); /* the last channel's tile is no longer read */
        load_tile(p, x + ((size_t)n * p.c + c) * p.h * p.w, row * p.stride - p.pad,
                  column * p.stride - p.pad, height, width, s_x);
        for (int i = threadIdx.y * TILE + threadIdx.x; i < taps * FILTERS; i += TILE * TILE) {
            const int f = k + i % FILTERS;
            s_w[i] = f < p.k ? w[((size_t)f * p.c + c) * taps + i / FILTERS] : 0;
        }
        __syncthreads();
        for (int r = 0; r < p.r; r++)
            for (int s = 0; s < p.s; s++) {
                const float v =
                    s_x[(threadIdx.y * p.stride + r) * width + threadIdx.x * p.stride + s];
                for (int f = 0; f < FILTERS; f++)
                    sum[f] += v * s_w[(r * p.s + s) * FILTERS + f];
            }
    }
    if (row + (int)threadIdx.y < rows && column + (int)threadIdx.x < columns)
        for (int f = 0; f < FILTERS && k + f < p.k; f++)
            y[(((size_t)n * p.k + k + f) * rows + row + threadIdx.y) * columns + column +
              threadIdx.x] = sum[f];
}

size_t shared_bytes(const struct conv2d_problem *p)
{
    return sizeof(float) * ((size_t)p->r * p->s * FILTERS +
                            (size_t)halo(TILE, p->stride, p->r) * halo(TILE, p->stride, p->s));
}

int tiled2d_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)problem;
    (void)env;
    *state = (void *)problem;
    return p->layout != CONV_NCHW || p->type == CONV_F16 || shared_bytes(p) > 48 * 1024 ||
           p->n > 65535 || p->k > 65535 * FILTERS;
}

int tiled2d_run(void *state, const void *const in[], void *const out[])
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)state;
    const int tiles = gpu_blocks(conv2d_rows(p), TILE) * gpu_blocks(conv2d_columns(p), TILE);
    const dim3 grid(tiles, gpu_blocks(p->k, FILTERS), p->n), block(TILE, TILE);
    tiled2d_kernel<<<grid, block, shared_bytes(p)>>>(
        *p, (const float *)in[CONV2D_X], (const float *)in[CONV2D_W], (float *)out[CONV2D_Y]);
    CUDA(cudaGetLastError());
    return 0;
}

void tiled2d_close(void *state)
{
    (void)state;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "conv2d", "tiled2d", tiled2d_open, tiled2d_run, tiled2d_close,
};
