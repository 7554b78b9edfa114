/* conv_dense_split's kernel. Shapes: split_plan.h; x in shared memory: split_patch.h; weights:
 * split_weights.h. HALVES: 2 for fp32's accuracy, by three products, 1
 * for TF32's, by one. */
#ifndef HPC_CONV2D_SPLIT_PRODUCTS_H
#define HPC_CONV2D_SPLIT_PRODUCTS_H

#include "conv2d/variants/split_patch.h"

namespace
{

struct split_job {
    struct conv2d_problem p;
    struct split_plan plan;
    const uint4 *halves; /* of the weights */
    const float *unit;
    float4 *partial; /* where blocks that share a sum leave their parts, NULL in a cluster */
    int filters, patch_bytes;
    bool exact;
};

/* Where a block's tile is. */
struct split_place {
    int image, top, left, filter; /* the first row and column of its outputs, its first filter */
};

__device__ inline split_place split_find(const split_job &j, int filters, int tile)
{
    const int across = split_up(conv2d_columns(&j.p), j.plan.tw);
    const int tiles = across * split_up(conv2d_rows(&j.p), j.plan.th);
    const int here = tile % tiles;
    return {tile / tiles, here / across * j.plan.th, here % across * j.plan.tw,
            filters * split_filters(&j.plan)};
}

/* A warp's 16 x 8 sums: filters m + g and m + g + 8, outputs n and n + 1 of the tile. */
__device__ inline void split_write(const split_job &j, const split_place &at, int m, int n,
                                   float4 sum, float *y)
{
    const int lane = threadIdx.x % 32, rows = conv2d_rows(&j.p), columns = conv2d_columns(&j.p);
    const float v[2][2] = {{sum.x, sum.y}, {sum.z, sum.w}};
    n += lane % 4 * 2;
    m += at.filter + lane / 4;
    const bool pair = j.p.layout == CONV_NCHW && columns % 2 == 0 && j.plan.tw % 2 == 0;
    for (int b = 0; b < 2; b++, n++) {
        const int row = at.top + n / j.plan.tw, column = at.left + n % j.plan.tw;
        if (n >= j.plan.th * j.plan.tw || row >= rows || column >= columns)
            continue;
        for (int a = 0; a < 2; a++) {
            if (m + 8 * a >= j.p.k)
                continue;
            float *to = y + conv2d_y_at(&j.p, at.image, m + 8 * a, row, column);
            if (!pair)
                *to = v[a][b];
            else if (b == 0)
                *(float2 *)to = make_float2(v[a][0], v[a][1]);
        }
    }
}

/* Where things are, in a block's shared memory. */
struct split_tables {
    int *offset; /* of each pixel of the patch in a map of x, -1 outside of it */
    int *output; /* of each output: bytes to its first pixel's row of the patch */
    int *step;   /* step i of a chunk is group i / (R S), tap i % (R S): bytes from a row on */
};

__device__ inline split_tables split_set_tables(const split_job &j, const split_place &at,
                                                char *memory)
{
    const int columns = split_patch_columns(&j.p, &j.plan), pixels = split_pixels(&j.p, &j.plan);
    const int outputs = split_outputs(&j.plan), taps = j.p.r * j.p.s;
    const int pitch = split_pitch(&j.plan), last = j.plan.th * j.plan.tw - 1;
    int *const first = (int *)(memory + j.patch_bytes);
    const split_tables t = {first, first + pixels, first + pixels + outputs};
#pragma unroll 1
    for (int i = threadIdx.x; i < pixels; i += blockDim.x) {
        const int h = at.top * j.p.stride - j.p.pad + i / columns;
        const int v = at.left * j.p.stride - j.p.pad + i % columns;
        t.offset[i] = h >= 0 && h < j.p.h && v >= 0 && v < j.p.w ? h * j.p.w + v : -1;
    }
#pragma unroll 1
    for (int i = threadIdx.x; i < outputs; i += blockDim.x) {
        const int n = min(i, last);
        t.output[i] = (n / j.plan.tw * columns + n % j.plan.tw) * j.p.stride * pitch;
    }
#pragma unroll 1
    for (int i = threadIdx.x; i < j.plan.chunk * taps; i += blockDim.x)
        t.step[i] = i / taps * 32 + (i % taps / j.p.s * columns + i % taps % j.p.s) * pitch;
    return t;
}

/* The block's weights on their way to the L2, by as many blocks as have the same ones. */
__device__ inline void split_prefetch(const split_job &j, const split_place &at, int begin, int end)
{
    const int taps = j.p.r * j.p.s, step = j.plan.halves * 32; /* of 16 bytes */
    const size_t across = (size_t)split_up(j.p.c, SPLIT_GROUP) * taps * step;
    const int lines = (end - begin) * taps * step / 8;
    const int tiles = min(split_filters(&j.plan), j.filters - at.filter) / 16;
#pragma unroll 1
    for (int i = threadIdx.x * gridDim.z + blockIdx.z; i < tiles * lines;
         i += SPLIT_WARPS * 32 * gridDim.z)
        l2_prefetch(j.halves + (at.filter / 16 + i / lines) * across + (size_t)begin * taps * step +
                    i % lines * 8);
}

/* A warp's part of a block: the steps wk, wk + plan.wk, .. of the block's. */
template <int MT, int NT, int HALVES> struct split_warp {
    const split_job &j;
    int wm, wn, wk, lane;
    const uint4 *weights;   /* of the warp's first filters at the block's first step, the lane's */
    size_t across;          /* from 16 filters to the next 16 */
    int now, steps;         /* the warp's next step, and how many the block has */
    uint4 a[2][MT][HALVES]; /* weights of step `now` and of the warp's next */
    int pixel[NT];          /* of output 8 i + lane % 8: bytes to its first row of the patch */
    float sum[MT][NT][4];
    float x_unit; /* HALVES 1: what the sums are multiples of */

    __device__ split_warp(const split_job &job, const split_place &at, const int *outputs,
                          int begin, int end)
        : j(job)
    {
        const int warp = threadIdx.x / 32, taps = j.p.r * j.p.s;
        lane = threadIdx.x % 32;
        wm = warp % j.plan.wm;
        wn = warp / j.plan.wm % j.plan.wn;
        now = wk = warp / (j.plan.wm * j.plan.wn);
        steps = (end - begin) * taps;
        across = (size_t)split_up(j.p.c, SPLIT_GROUP) * taps * HALVES * 32;
        const int first = at.filter / 16 + wm * MT, last = j.filters / 16 - 1;
        weights = j.halves + min(first, last) * across + begin * taps * HALVES * 32 + lane;
        if (first + MT - 1 > last)
            across = 0; /* filters that do not exist: read others, write none */
        load(a[0], now);
        load(a[1], now + j.plan.wk);
#pragma unroll
        for (int i = 0; i < NT; i++)
            pixel[i] = outputs[(wn * NT + i) * 8 + lane % 8];
#pragma unroll
        for (int i = 0; i < MT * NT * 4; i++)
            sum[i / 4 / NT][i / 4 % NT][i % 4] = 0;
        x_unit = 1;
    }

    __device__ void load(uint4 to[MT][HALVES], int step) const
    {
        const uint4 *from = weights + min(step, steps - 1) * (HALVES * 32);
#pragma unroll
        for (int m = 0; m < MT; m++)
#pragma unroll
            for (int half = 0; half < HALVES; half++)
                to[m][half] = __ldg(from + m * across + half * 32);
    }

    /* One step: sum += scale * (upper upper + 2^-11 (lower upper + upper lower)). The Tensor Core's
     * additions cut bits off; so they add up 16 products, and floats the rest, while the next
     * products run. To TF32's accuracy it may add all. */
    __device__ void step(const uint4 w[MT][HALVES], const char *rows, float scale)
    {
        uint32_t b[2][4];
        float main[2][MT][4], cross[2][MT][4];
        tensor_load<2 * HALVES>(b[0], rows + pixel[0]);
#pragma unroll
        for (int i = 0; i <= NT; i++) {
            if (i + 1 < NT)
                tensor_load<2 * HALVES>(b[(i + 1) % 2], rows + pixel[i + 1 < NT ? i + 1 : 0]);
            if (i < NT && HALVES == 1)
                for (int m = 0; m < MT; m++)
                    tensor_multiply(sum[m][i < NT ? i : 0], (const uint32_t *)&w[m][0], b[i % 2]);
            if (i < NT && HALVES == 2)
                products(w, b[i % 2], main[i % 2], cross[i % 2]);
            if (i > 0 && HALVES == 2)
                add(i - 1, main[(i + 1) % 2], cross[(i + 1) % 2], scale);
        }
    }

    __device__ void products(const uint4 w[MT][HALVES], const uint32_t b[4], float main[MT][4],
                             float cross[MT][4]) const
    {
#pragma unroll
        for (int m = 0; m < MT; m++)
#pragma unroll
            for (int k = 0; k < 4; k++)
                main[m][k] = cross[m][k] = 0;
#pragma unroll
        for (int m = 0; m < MT; m++)
            tensor_multiply(cross[m], (const uint32_t *)&w[m][HALVES - 1], b);
#pragma unroll
        for (int m = 0; m < MT; m++)
            tensor_multiply(main[m], (const uint32_t *)&w[m][0], b);
#pragma unroll
        for (int m = 0; m < MT; m++)
            tensor_multiply(cross[m], (const uint32_t *)&w[m][0], b + 2);
    }

    __device__ void add(int i, float main[MT][4], float cross[MT][4], float scale)
    {
#pragma unroll
        for (int m = 0; m < MT; m++)
#pragma unroll
            for (int k = 0; k < 4; k++)
                sum[m][i][k] = fmaf(fmaf(cross[m][k], 0x1p-11f, main[m][k]), scale, sum[m][i][k]);
    }

    /* The warp's steps before step `end`: the chunk's, which is in `rows`. Step s of the chunk's
     * finds its elements where[s] bytes from a row on. */
    __device__ void multiply(const char *rows, const int *where, int end, float unit_now)
    {
        const int matrix = lane / 8;
        rows += matrix % 2 * 16 + matrix / 2 * j.plan.chunk * 32;
        if (HALVES == 1)
            rescale(unit_now);
#pragma unroll 1
        while (now < end) {
            step(a[0], rows + where[now], unit_now);
            load(a[0], now + 2 * j.plan.wk);
            now += j.plan.wk;
            if (now >= end) { /* so that a[0] is the next step's always */
                swap();
                break;
            }
            step(a[1], rows + where[now], unit_now);
            load(a[1], now + 2 * j.plan.wk);
            now += j.plan.wk;
        }
    }

    __device__ void swap()
    {
#pragma unroll
        for (int m = 0; m < MT; m++)
#pragma unroll
            for (int half = 0; half < HALVES; half++) {
                const uint4 other = a[0][m][half];
                a[0][m][half] = a[1][m][half];
                a[1][m][half] = other;
            }
    }

    __device__ void rescale(float unit_now)
    {
        const float ratio = x_unit / unit_now;
        x_unit = unit_now;
        if (ratio == 1)
            return;
#pragma unroll
        for (int i = 0; i < MT * NT * 4; i++)
            sum[i / 4 / NT][i / 4 % NT][i % 4] *= ratio;
    }

    /* The warp's sums into shared memory, behind those of warps with lower wk. */
    __device__ void leave(const split_place &at, float4 *shared) const
    {
        const int filter = at.filter + wm * MT * 16 + lane / 4, last = j.filters - 1;
        shared += ((wk * j.plan.wn + wn) * j.plan.wm + wm) * MT * NT * 32 + lane;
        __syncthreads();
#pragma unroll
        for (int m = 0; m < MT; m++) {
            const float top = j.unit[min(filter + m * 16, last)] * x_unit;
            const float low = j.unit[min(filter + m * 16 + 8, last)] * x_unit;
#pragma unroll
            for (int i = 0; i < NT; i++) {
                const float *s = sum[m][i];
                shared[(m * NT + i) * 32] =
                    make_float4(s[0] * top, s[1] * top, s[2] * low, s[3] * low);
            }
        }
    }
};

/* Sums i of the block's, in the order [wn][wm][MT NT][lane]: 16 x 8 of them are a warp's tile. */
struct split_tile {
    int m, n; /* its first filter and output in the block */

    __device__ split_tile(const split_plan &s, int i)
    {
        const int tile = i / 32 % (s.mt * s.nt), warp = i / 32 / (s.mt * s.nt);
        m = (warp % s.wm * s.mt + tile / s.nt) * 16;
        n = (warp / s.wm * s.nt + tile % s.nt) * 8;
    }
};

/* The block's sums in floats, from x and w as they are: slow, and right for all that floats hold.
 */
__device__ inline void split_exact(const split_job &j, const split_place &at, const split_patch &x,
                                   const split_tables &t, const float *w, int begin, int end,
                                   float4 *parts)
{
    const int columns = split_patch_columns(&j.p, &j.plan);
    const int all = split_filters(&j.plan) * split_outputs(&j.plan);
#pragma unroll 1
    for (int i = threadIdx.x; i < all; i += blockDim.x) { /* each float of each float4 */
        const int k = i % 4;
        const split_tile tile(j.plan, i / 4);
        const int filter = at.filter + tile.m + k / 2 * 8 + i / 4 % 32 / 4;
        const int pixel = t.output[tile.n + i / 4 % 4 * 2 + k % 2] / x.pitch;
        float sum = 0;
#pragma unroll 1
        for (int c = begin * SPLIT_GROUP; c < min(end * SPLIT_GROUP, j.p.c); c++)
            for (int r = 0; r < j.p.r; r++)
                for (int s = 0; s < j.p.s; s++) {
                    const int offset = x.offset[pixel + r * columns + s];
                    if (offset >= 0 && filter < j.p.k)
                        sum = fmaf(x.nhwc ? x.x[(size_t)offset * x.channels + c]
                                          : x.x[(size_t)c * x.plane + offset],
                                   w[conv2d_w_at(&j.p, filter, c, r, s)], sum);
                }
        ((float *)parts)[i] = sum;
    }
}

/* Sums i of all blocks that share them, always in the same order. */
__device__ inline float4 split_add(const float4 *parts, int i, int split, size_t apart)
{
    float4 all = make_float4(0, 0, 0, 0);
#pragma unroll 2
    for (int rank = 0; rank < split; rank++) {
        const float4 v = apart ? parts[i + rank * apart] : cluster_load(parts + i, rank);
        all.x += v.x, all.y += v.y, all.z += v.z, all.w += v.w;
    }
    return all;
}

__device__ inline size_t split_block(const split_job &j)
{
    return (size_t)(blockIdx.z * gridDim.y + blockIdx.y) * j.plan.split;
}

/* The block's sums, of which its shared memory has `terms` terms, to y, by way of the others that
 * share them: each block of a cluster adds its part of the tiles. */
__device__ inline void split_finish(const split_job &j, const split_place &at, float4 *shared,
                                    int terms, float *y)
{
    const int all = split_filters(&j.plan) * split_outputs(&j.plan) / 4, split = j.plan.split;
    float4 *parts = j.partial ? j.partial + (split_block(j) + blockIdx.x) * all : shared;
    __syncthreads();
    if (split > 1)
#pragma unroll 1
        for (int i = threadIdx.x; i < all; i += blockDim.x)
            parts[i] = split_add(shared + i, 0, terms, all);
    if (j.partial)
        return;
    if (split > 1)
        cluster_barrier();
#pragma unroll 1
    for (int part = threadIdx.x / 32 * split + blockIdx.x; part * 32 < all;
         part += SPLIT_WARPS * split) {
        const int i = part * 32 + threadIdx.x % 32;
        const split_tile tile(j.plan, i);
        split_write(j, at, tile.m, tile.n,
                    split > 1 ? split_add(shared, i, split, 0) : split_add(shared, i, terms, all),
                    y);
    }
    if (split > 1)
        cluster_barrier(); /* nobody ends while others read its memory */
}

template <int MT, int NT, int HALVES>
__global__ void __launch_bounds__(SPLIT_WARPS * 32, MT *NT > 7 ? 1 : 2)
    dense_split_kernel(const split_job j, const float *x, const float *w, float *y)
{
    extern __shared__ uint4 memory[];
    __shared__ split_range range[2];
    __shared__ int exact; /* sums are to be made from x and w as they are */
    const split_place at = split_find(j, blockIdx.y, blockIdx.z);
    const int share = split_groups(&j.p, &j.plan), begin = blockIdx.x * share;
    const int end = min(begin + share, split_up(j.p.c, SPLIT_GROUP)), chunk = j.plan.chunk;
    const int taps = j.p.r * j.p.s;
    others_begin();
    split_prefetch(j, at, begin, end);
    const split_tables tables = split_set_tables(j, at, (char *)memory);
    const split_patch patch = {x + (size_t)at.image * j.p.c * j.p.h * j.p.w,
                               tables.offset,
                               (char *)memory,
                               j.p.c,
                               j.p.h * j.p.w,
                               split_pixels(&j.p, &j.plan),
                               split_pitch(&j.plan),
                               j.p.layout == CONV_NHWC};
    if (threadIdx.x < 2)
        range[threadIdx.x] = split_nothing();
    if (threadIdx.x == 0)
        exact = j.exact;
    __syncthreads();
    split_warp<MT, NT, HALVES> warp(j, at, tables.output, begin, end);
    float unit = 1;
    others_wait();
    for (int from = begin; from < end + chunk && !exact; from += chunk) {
        const int turn = (from - begin) / chunk % 2, groups = min(chunk, end - from);
        if (from < end) /* its loads wait beside the products of the last chunk */
            split_scan(patch, from * SPLIT_GROUP, groups, &range[turn]);
        if (from > begin)
            warp.multiply(patch.rows, tables.step - (from - chunk - begin) * taps,
                          (min(from, end) - begin) * taps, unit);
        __syncthreads(); /* the range is known, the last chunk is no longer read */
        const split_range now = range[turn];
        unit = now.unit();
        if (from < end && !now.exact())
            split_store<HALVES>(patch, from * SPLIT_GROUP, groups, now.factor());
        if (threadIdx.x == 0) {
            range[1 - turn] = split_nothing();
            exact = from < end && now.exact();
        }
        __syncthreads();
    }
    if (exact)
        split_exact(j, at, patch, tables, w, begin, end, (float4 *)memory);
    else
        warp.leave(at, (float4 *)memory);
    split_finish(j, at, (float4 *)memory, exact ? 1 : j.plan.wk, y);
}

/* Where blocks left their sums in memory: adds them, a warp 32 of a tile's. */
__global__ void split_add_kernel(const split_job j, float *y)
{
    const int all = split_filters(&j.plan) * split_outputs(&j.plan) / 4;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const split_place at = split_find(j, blockIdx.y, blockIdx.z);
    const split_tile tile(j.plan, i);
    if (i < all) /* whole warps: 32 divides all */
        split_write(j, at, tile.m, tile.n,
                    split_add(j.partial + split_block(j) * all, i, j.plan.split, all), y);
}

} // namespace

#endif
