/* conv2d/sparse_blocked: [Xu]'s format over many channels and filters.
 *
 * Changes from sparse_window: all filters share what a window's compression costs. A warp has one
 * window, and 4 filters in each of its lanes. Piece by piece of C R S it compresses the window into
 * shared memory, 32 elements at a time, and multiplies.
 *
 *   s_value[..], s_tap[..]  the values that are not zero, and which of C R S each is
 *   count                   how many; a piece without any is left at once (the paper's -1)
 *
 * Instead of the filter's value (one filter) the entry holds its place: lanes read the weights of
 * that place together, from weights stored [C R S][K]. Where there are few windows, C is split over
 * blocks (SPLIT), and a second kernel adds the partial sums, always in the same order. Layout NCHW,
 * floats.
 * Why it wins: one launch instead of C K, and 128 multiplications for each entry stored. It wins
 * over a dense product where few entries are left.
 * What limits it: every 4 FMAs of a lane load 16 bytes of weights from L1, which holds it to a
 * quarter of the FMA peak, times dense over left. */
#include "conv2d/variants/filter_lanes.h"

#ifndef COMPRESSIONS
#define COMPRESSIONS                                                                               \
    1 /* benchmarks/sparse builds it with 2 too: the difference is what one costs */
#endif

namespace
{

enum { WARPS = 8, PIECE = 256, LANES = 128, WANTED_BLOCKS = 264 };

struct blocked {
    struct conv2d_problem p;
    float *weights; /* [C R S][across] */
    float *partial; /* [split][N][K][P][Q], where split > 1 */
    int4 *taps;     /* of each of C R S: row and column in the window, offset in the image */
    int across, split, depth_each;
};

/* Entries [from, to) of the window at (top, left) of image x; returns how many are not zero. */
__device__ int compress(const struct conv2d_problem &p, const int4 *taps, const float *x, int top,
                        int left, int from, int to, float *s_value, int *s_tap)
{
    const int lane = threadIdx.x % 32;
    int count = 0;
    for (int base = from; base < to; base += 32) {
        float value = 0;
        if (base + lane < to) {
            const int4 tap = taps[base + lane];
            const int h = top + tap.x, v = left + tap.y;
            if (h >= 0 && h < p.h && v >= 0 && v < p.w)
                value = x[tap.z + top * p.w + left];
        }
        const unsigned found = __ballot_sync(0xffffffffu, value != 0);
        if (value != 0) {
            const int at = count + __popc(found & ((1u << lane) - 1));
            s_value[at] = value;
            s_tap[at] = base + lane;
        }
        count += __popc(found);
    }
    __syncwarp();
    return count;
}

__global__ void sparse_blocked_kernel(struct blocked b, const float *x, float *y)
{
    __shared__ float s_value[WARPS][PIECE];
    __shared__ int s_tap[WARPS][PIECE];
    const struct conv2d_problem &p = b.p;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int columns = conv2d_columns(&p), windows = conv2d_rows(&p) * columns;
    const int window = blockIdx.x * WARPS + warp;
    const int n = window / windows, pixel = window % windows;
    const int top = pixel / columns * p.stride - p.pad, left = pixel % columns * p.stride - p.pad;
    const int k = blockIdx.y * LANES + lane * 4, depth = p.c * p.r * p.s;
    const int begin = blockIdx.z * b.depth_each, end = min(depth, begin + b.depth_each);
    if (n >= p.n)
        return;
    x += (size_t)n * p.c * p.h * p.w;
    float4 sum = make_float4(0, 0, 0, 0);
    for (int from = begin; from < end; from += PIECE) {
        const int to = min(end, from + PIECE);
        int count = 0;
        for (int i = 0; i < COMPRESSIONS; i++) {
            __syncwarp(); /* the last piece's entries are no longer read */
            count = compress(p, b.taps, x, top, left, from, to, s_value[warp], s_tap[warp]);
        }
#pragma unroll 4
        for (int i = 0; i < count; i++) {
            const float value = s_value[warp][i];
            const float4 w = *(const float4 *)(b.weights + (size_t)s_tap[warp][i] * b.across + k);
            sum.x += value * w.x;
            sum.y += value * w.y;
            sum.z += value * w.z;
            sum.w += value * w.w;
        }
    }
    y += blockIdx.z * conv2d_y_count(&p) + ((size_t)n * p.k + k) * windows + pixel;
    const float sums[4] = {sum.x, sum.y, sum.z, sum.w};
    for (int f = 0; f < 4 && k + f < p.k; f++)
        y[(size_t)f * windows] = sums[f];
}

/* y[i] = sum over the parts of C, in order. */
__global__ void add_parts_kernel(const float *partial, int parts, size_t count, float *y)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float sum = 0;
    for (int part = 0; part < parts; part++)
        sum += partial[part * count + i];
    y[i] = sum;
}

int4 *make_taps(const struct conv2d_problem *p)
{
    const int depth = p->c * p->r * p->s;
    int4 *taps = (int4 *)malloc(depth * sizeof *taps);
    if (!taps)
        return NULL;
    for (int i = 0; i < depth; i++) {
        const int c = i / (p->r * p->s), r = i / p->s % p->r, s = i % p->s;
        taps[i] = make_int4(r, s, (c * p->h + r) * p->w + s, 0);
    }
    int4 *d_taps = (int4 *)gpu_copy(taps, depth * sizeof *taps);
    free(taps);
    return d_taps;
}

dim3 grid_of(const struct blocked *b)
{
    const size_t windows = (size_t)b->p.n * conv2d_rows(&b->p) * conv2d_columns(&b->p);
    return dim3(gpu_blocks(windows, WARPS), b->across / LANES, b->split);
}

int blocked_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)problem;
    if (p->layout != CONV_NCHW || p->type == CONV_F16 || (double)p->c * p->h * p->w >= 0x1p31 ||
        (double)p->n * conv2d_rows(p) * conv2d_columns(p) >= 0x1p31)
        return 1;
    struct blocked *b = new blocked();
    const int depth = p->c * p->r * p->s;
    b->p = *p;
    b->across = filters_padded(p, LANES);
    b->split = 1;
    const dim3 grid = grid_of(b);
    while (grid.x * grid.y * b->split < WANTED_BLOCKS && depth / (b->split * 2) >= PIECE)
        b->split *= 2;
    b->depth_each = (depth + b->split - 1) / b->split;
    b->weights = filters_to_lanes(p, env->fixed[CONV2D_W], LANES);
    b->taps = make_taps(p);
    b->partial = b->split > 1 ? gpu_alloc<float>(b->split * conv2d_y_count(p)) : NULL;
    *state = b;
    return !b->weights || !b->taps;
}

int blocked_run(void *state, const void *const in[], void *const out[])
{
    const struct blocked *b = (const struct blocked *)state;
    const size_t count = conv2d_y_count(&b->p);
    float *y = (float *)out[CONV2D_Y];
    sparse_blocked_kernel<<<grid_of(b), WARPS * 32>>>(*b, (const float *)in[CONV2D_X],
                                                      b->split > 1 ? b->partial : y);
    if (b->split > 1)
        add_parts_kernel<<<gpu_blocks(count, 256), 256>>>(b->partial, b->split, count, y);
    CUDA(cudaGetLastError());
    return 0;
}

void blocked_close(void *state)
{
    struct blocked *b = (struct blocked *)state;
    CUDA(cudaFree(b->weights));
    CUDA(cudaFree(b->taps));
    CUDA(cudaFree(b->partial));
    delete b;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "conv2d", "sparse_blocked", blocked_open, blocked_run, blocked_close,
};
