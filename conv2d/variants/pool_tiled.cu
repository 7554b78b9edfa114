/* convpool/pool_tiled: one kernel, no library, nothing in memory between convolution and pooling.
 *
 * Changes from pool_cudnn_direct: a block forms the sums x * alpha of a tile on their way into
 * shared memory, and multiplies there with stride `pool`, as tiled2d does. NCHW, floats.
 * Why it wins: x is read and y written, and that is all that memory sees.
 * What limits it: as in tiled2d, shared memory, (1 + FILTERS / 4) loads for FILTERS FMAs; and each
 * block of filters forms the sums again. Tensor cores ask for another design: pool_fused. */
#include "conv2d/convpool.h"
#include "conv2d/variants/gpu.h"

namespace
{

enum { TILE = 16, FILTERS = 8 };

/* Rows or columns of sums that `TILE` outputs need. */
__host__ __device__ int reach(int pool, int filter)
{
    return (TILE - 1) * pool + filter;
}

/* The sum of pool x pool elements of map `x` from (h, v) on; there are zeros around it. */
__device__ float window(const struct conv2d_problem &p, const float *x, int h, int v, int pool)
{
    float sum = 0;
    for (int a = max(h, 0); a < min(h + pool, p.h); a++)
        for (int b = max(v, 0); b < min(v + pool, p.w); b++)
            sum += x[(size_t)a * p.w + b];
    return sum;
}

__global__ void pool_tiled_kernel(struct convpool_problem q, const float *x, const float *w,
                                  float *y)
{
    extern __shared__ float s_memory[];
    const struct conv2d_problem &p = q.conv;
    const int rows = convpool_rows(&q), columns = convpool_columns(&q), taps = p.r * p.s;
    const int across = (columns + TILE - 1) / TILE;
    const int row = blockIdx.x / across * TILE, column = blockIdx.x % across * TILE;
    const int k = blockIdx.y * FILTERS, n = blockIdx.z;
    const int height = reach(q.pool, p.r), width = reach(q.pool, p.s);
    float *s_w = s_memory, *s_sums = s_memory + taps * FILTERS; /* s_w: [taps][FILTERS] */
    float sum[FILTERS] = {0};

    for (int c = 0; c < p.c; c++) {
        const float *map = x + ((size_t)n * p.c + c) * p.h * p.w;
        __syncthreads(); /* the last channel's sums are no longer read */
        for (int i = threadIdx.y; i < height; i += TILE)
            for (int j = threadIdx.x; j < width; j += TILE)
                s_sums[i * width + j] = window(p, map, row * q.pool - p.pad + i,
                                               column * q.pool - p.pad + j, q.pool);
        for (int i = threadIdx.y * TILE + threadIdx.x; i < taps * FILTERS; i += TILE * TILE) {
            const int f = k + i % FILTERS;
            s_w[i] = f < p.k ? w[((size_t)f * p.c + c) * taps + i / FILTERS] : 0;
        }
        __syncthreads();
        for (int r = 0; r < p.r; r++)
            for (int s = 0; s < p.s; s++) {
                const float v =
                    s_sums[(threadIdx.y * q.pool + r) * width + threadIdx.x * q.pool + s];
                for (int f = 0; f < FILTERS; f++)
                    sum[f] += v * s_w[(r * p.s + s) * FILTERS + f];
            }
    }
    const float share = 1.0f / (q.pool * q.pool);
    if (row + (int)threadIdx.y < rows && column + (int)threadIdx.x < columns)
        for (int f = 0; f < FILTERS && k + f < p.k; f++)
            y[(((size_t)n * p.k + k + f) * rows + row + threadIdx.y) * columns + column +
              threadIdx.x] = sum[f] * share;
}

size_t shared_bytes(const struct convpool_problem *q)
{
    const struct conv2d_problem *p = &q->conv;
    return sizeof(float) * ((size_t)p->r * p->s * FILTERS +
                            (size_t)reach(q->pool, p->r) * reach(q->pool, p->s));
}

int pool_tiled_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct convpool_problem *q = (const struct convpool_problem *)problem;
    const struct conv2d_problem *p = &q->conv;
    (void)env;
    *state = (void *)problem;
    return p->layout != CONV_NCHW || p->type == CONV_F16 || shared_bytes(q) > 48 * 1024 ||
           p->n > 65535 || p->k > 65535 * FILTERS;
}

int pool_tiled_run(void *state, const void *const in[], void *const out[])
{
    const struct convpool_problem *q = (const struct convpool_problem *)state;
    const int tiles = gpu_blocks(convpool_rows(q), TILE) * gpu_blocks(convpool_columns(q), TILE);
    const dim3 grid(tiles, gpu_blocks(q->conv.k, FILTERS), q->conv.n), block(TILE, TILE);
    pool_tiled_kernel<<<grid, block, shared_bytes(q)>>>(
        *q, (const float *)in[CONV2D_X], (const float *)in[CONV2D_W], (float *)out[CONV2D_Y]);
    CUDA(cudaGetLastError());
    return 0;
}

void pool_tiled_close(void *state)
{
    (void)state;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "convpool", "pool_tiled", pool_tiled_open, pool_tiled_run, pool_tiled_close,
};
