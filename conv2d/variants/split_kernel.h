/* conv_dense_split's kernel: what is around its warps' products. */
#ifndef HPC_CONV2D_SPLIT_KERNEL_H
#define HPC_CONV2D_SPLIT_KERNEL_H

#include "conv2d/variants/split_warp.h"

namespace
{

__device__ inline split_place split_find(const split_job &j, int filters, int tile)
{
    const int across = split_up(conv2d_columns(&j.p), j.plan.tw);
    const int tiles = across * split_up(conv2d_rows(&j.p), j.plan.th);
    const int image = tile / tiles, here = tile - image * tiles, row = here / across;
    return {image, row * j.plan.th, (here - row * across) * j.plan.tw,
            filters * split_filters(&j.plan)};
}

/* A warp's 16 x 8 sums: filters m + g and m + g + 8, outputs n + 2t and n + 2t + 1 of the tile. */
__device__ inline void split_write(const split_job &j, const split_place &at, int m, int n,
                                   float4 sum, float *y)
{
    const int lane = threadIdx.x % 32, rows = conv2d_rows(&j.p), columns = conv2d_columns(&j.p);
    const int plane = rows * columns, nhwc = j.p.layout == CONV_NHWC;
    const int step = nhwc ? j.p.k : 1, across = nhwc ? 1 : plane;
    const float v[2][2] = {{sum.x, sum.y}, {sum.z, sum.w}};
    n += lane % 4 * 2;
    m += at.filter + lane / 4;
    y += (size_t)at.image * j.p.k * plane + (size_t)m * across;
#pragma unroll
    for (int b = 0; b < 2; b++, n++) {
        const int i = split_over(n, j.by_columns), row = at.top + i;
        const int column = at.left + n - i * j.plan.tw;
        if (i >= j.plan.th || row >= rows || column >= columns)
            continue;
        float *to = y + (row * columns + column) * step;
        if (m < j.p.k)
            to[0] = v[0][b];
        if (m + 8 < j.p.k)
            to[8 * across] = v[1][b];
    }
}

/* Where things are, in a block's shared memory. */
struct split_tables {
    int *offset; /* of each pixel of the patch: split_patch.h */
    int *output; /* of each output: bytes to its first pixel's row of the patch */
    int *step;   /* step i of a chunk is group i / (R S), tap i % (R S): bytes from a row on */
};

__device__ inline split_tables split_set_tables(const split_job &j, const split_place &at,
                                                char *memory)
{
    const int columns = split_patch_columns(&j.p, &j.plan), pixels = split_pixels(&j.p, &j.plan);
    const int outputs = split_outputs(&j.plan), taps = j.p.r * j.p.s;
    const int pitch = split_pitch(&j.plan), last = j.plan.th * j.plan.tw - 1;
    const int top = at.top * j.p.stride - j.p.pad, left = at.left * j.p.stride - j.p.pad;
    int *const tables = (int *)(memory + j.memory.tables);
    const split_tables t = {tables, tables + pixels, tables + pixels + outputs};
#pragma unroll 1
    for (int i = threadIdx.x; i < pixels; i += blockDim.x) {
        const int row = split_over(i, j.by_patch), h = top + row, v = left + i - row * columns;
        t.offset[i] = h >= 0 && h < j.p.h && v >= 0 && v < j.p.w ? h * j.p.w + v : -1;
    }
#pragma unroll 1
    for (int i = threadIdx.x; i < outputs; i += blockDim.x) {
        const int n = min(i, last), row = split_over(n, j.by_columns);
        t.output[i] = (row * columns + n - row * j.plan.tw) * j.p.stride * pitch;
    }
#pragma unroll 1
    for (int i = threadIdx.x; i < j.plan.chunk * taps; i += blockDim.x) {
        const int group = split_over(i, j.by_taps), tap = i - group * taps;
        const int r = split_over(tap, j.by_s);
        t.step[i] = group * 32 + (r * columns + tap - r * j.p.s) * pitch;
    }
    return t;
}

/* The block's weights on their way to the L2, by as many blocks as have the same ones. */
__device__ inline void split_prefetch(const split_job &j, const split_place &at, int begin, int end)
{
    const int taps = j.p.r * j.p.s, step = j.plan.halves * 32; /* of 16 bytes */
    const size_t across = (size_t)split_up(j.p.c, SPLIT_GROUP) * taps * step;
    const int lines = (end - begin) * taps * step / 8;
    const int last = min(at.filter + split_filters(&j.plan), j.filters) / 16;
#pragma unroll 1
    for (int m = at.filter / 16 + threadIdx.x / 32; m < last; m += SPLIT_WARPS)
#pragma unroll 1
        for (int i = threadIdx.x % 32 * gridDim.z + blockIdx.z; i < lines; i += 32 * gridDim.z)
            l2_prefetch(j.halves + m * across + (size_t)begin * taps * step + i * 8);
}

/* Sums i of the block's, in the order [wn][wm][MT NT][lane]: 16 x 8 of them are a warp's tile. */
struct split_tile {
    int m, n; /* its first filter and output in the block */

    __device__ split_tile(const split_job &j, int i)
    {
        const int warp = split_over(i / 32, j.by_tiles);
        const int tile = i / 32 - warp * j.plan.mt * j.plan.nt, mt = split_over(tile, j.by_nt);
        const int wn = split_over(warp, j.by_wm);
        m = ((warp - wn * j.plan.wm) * j.plan.mt + mt) * 16;
        n = (wn * j.plan.nt + tile - mt * j.plan.nt) * 8;
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
        const split_tile tile(j, i / 4);
        const int filter = at.filter + tile.m + i % 4 / 2 * 8 + i / 4 % 32 / 4;
        const int pixel = t.output[tile.n + i / 4 % 4 * 2 + i % 2] / x.pitch;
        float sum = 0;
#pragma unroll 1
        for (int c = begin * SPLIT_GROUP; c < min(end * SPLIT_GROUP, j.p.c); c++)
#pragma unroll 1
            for (int tap = 0; tap < j.p.r * j.p.s; tap++) {
                const int r = tap / j.p.s, s = tap % j.p.s;
                const int offset = x.offset[pixel + r * columns + s];
                if (offset >= 0 && filter < j.p.k)
                    sum = fmaf(x.nhwc ? x.x[(size_t)offset * x.channels + c]
                                      : x.x[(size_t)c * x.plane + offset],
                               w[conv2d_w_at(&j.p, filter, c, r, s)], sum);
            }
        ((float *)parts)[i] = sum;
    }
}

/* The sum of `terms` float4, `apart` from each other, always in the same order. */
__device__ inline float4 split_add(const float4 *parts, int terms, size_t apart)
{
    float4 all = make_float4(0, 0, 0, 0);
#pragma unroll 8
    for (int i = 0; i < terms; i++) {
        const float4 v = parts[i * apart];
        all.x += v.x, all.y += v.y, all.z += v.z, all.w += v.w;
    }
    return all;
}

__device__ inline size_t split_block(const split_job &j)
{
    return (size_t)(blockIdx.z * gridDim.y + blockIdx.y) * j.plan.split;
}

/* The block's sums, of which its shared memory has `terms` terms, to y. In a cluster tile i goes to
 * block i % split, which adds what it is sent. */
__device__ inline void split_finish(const split_job &j, const split_place &at, char *memory,
                                    int terms, float *y)
{
    const int all = split_filters(&j.plan) * split_outputs(&j.plan) / 4, split = j.plan.split;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float4 *shared = (const float4 *)memory;
    float4 *inbox = (float4 *)(memory + j.memory.inbox);
    const bool cluster = split > 1 && !j.partial;
    __syncthreads();
    if (cluster)
        cluster_wait(); /* all have begun: their memory is theirs */
#pragma unroll 1
    for (int part = warp; part * 32 < all; part += SPLIT_WARPS) {
        const int i = part * 32 + lane;
        const split_tile tile(j, i);
        const float4 sum = split_add(shared + i, terms, all);
        if (cluster)
            cluster_store(inbox + (part / split * split + blockIdx.x) * 32 + lane, part % split,
                          sum);
        else if (split > 1)
            j.partial[(split_block(j) + blockIdx.x) * all + i] = sum;
        else
            split_write(j, at, tile.m, tile.n, sum, y);
    }
    if (!cluster)
        return;
    cluster_arrive();
    cluster_wait();
#pragma unroll 1
    for (int part = warp * split + blockIdx.x; part * 32 < all; part += SPLIT_WARPS * split) {
        const split_tile tile(j, part * 32);
        split_write(j, at, tile.m, tile.n,
                    split_add(inbox + part / split * split * 32 + lane, split, 32), y);
    }
}

/* The block's part of x: which image, where its pixels go. */
__device__ inline split_patch split_patch_of(const split_job &j, const split_place &at,
                                             const split_tables &tables, const float *x,
                                             char *memory)
{
    return {
        x + (size_t)at.image * j.p.c * j.p.h * j.p.w,
        tables.offset,
        memory,
        j.p.c,
        j.p.h * j.p.w,
        split_pixels(&j.p, &j.plan),
        split_pitch(&j.plan),
        j.by_pixels,
        j.p.layout == CONV_NHWC,
    };
}

template <int MT, int NT, int HALVES>
__device__ inline void split_all(const split_job &j, const float *x, const float *w, float *y)
{
    extern __shared__ uint4 shared[];
    __shared__ split_range range[2];
    __shared__ int exact; /* sums are to be made from x and w as they are */
    char *const memory = (char *)shared;
    const split_place at = split_find(j, blockIdx.y, blockIdx.z);
    const int share = split_groups(&j.p, &j.plan), begin = blockIdx.x * share;
    const int end = min(begin + share, split_up(j.p.c, SPLIT_GROUP)), chunk = j.plan.chunk;
    const int taps = j.p.r * j.p.s;
    if (j.zeros && *j.zeros >= j.least)
        return;
    others_begin();
    if (j.plan.split > 1 && !j.partial)
        cluster_begun();
    split_prefetch(j, at, begin, end);
    const split_tables tables = split_set_tables(j, at, memory);
    const split_patch patch = split_patch_of(j, at, tables, x, memory);
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
            warp.multiply(memory, tables.step - (from - chunk - begin) * taps,
                          (min(from, end) - begin) * taps, unit);
        if (from >= end)
            break;
        __syncthreads(); /* the range is known, the last chunk is no longer read */
        const split_range now = range[turn];
        unit = now.unit();
        if (!now.exact())
            split_store<HALVES>(patch, from * SPLIT_GROUP, groups, now.factor());
        if (threadIdx.x == 0) {
            range[1 - turn] = split_nothing();
            exact = now.exact();
        }
        __syncthreads();
    }
    if (exact)
        split_exact(j, at, patch, tables, w, begin, end, (float4 *)memory);
    else
        warp.leave(at, (float4 *)memory);
    split_finish(j, at, memory, exact ? 1 : j.plan.wk, y);
}

template <int MT, int NT, int HALVES>
__global__ void __launch_bounds__(SPLIT_WARPS * 32, MT *NT > 7 ? 1 : 2)
    dense_split_kernel(const split_job j, const float *x, const float *w, float *y)
{
    if constexpr (!SPLIT_SMALL || MT * NT == 4)
        split_all<MT, NT, HALVES>(j, x, w, y);
}

/* Where blocks left their sums in memory: adds them, a warp 32 of a tile's. */
__global__ void split_add_kernel(const split_job j, float *y)
{
    const int all = split_filters(&j.plan) * split_outputs(&j.plan) / 4;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const split_place at = split_find(j, blockIdx.y, blockIdx.z);
    const split_tile tile(j, i);
    if (i < all && !(j.zeros && *j.zeros >= j.least)) /* whole warps: 32 divides all */
        split_write(j, at, tile.m, tile.n,
                    split_add(j.partial + split_block(j) * all + i, j.plan.split, all), y);
}

} // namespace

#endif
