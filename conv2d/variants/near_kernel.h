/* conv_dense_split for little work: what bounds it is the chain of waits after the launch before
 * has ended, so that chain is short.
 *
 *   before: where things are, the first four steps' weights to registers, the others' to the L2,
 *           and x where that was measured to help
 *   then:   x, as it is, by cp.async -> products -> sums to the block of the cluster that adds them
 *
 * A float is two of 11 bits, upper + lower, each with a float's range (TF32): no scale, so no pass
 * over x before the one that multiplies it, and nothing is written to shared memory twice. Where a
 * sum is not finite it is made again in floats. Of 16 channels lane t has 4t .. 4t + 3: the order
 * of a sum's terms is free, so x's are one load of 16 bytes. sm_80 and up. */
#ifndef HPC_CONV2D_NEAR_KERNEL_H
#define HPC_CONV2D_NEAR_KERNEL_H

#include "conv2d/variants/near_warp.h"

namespace
{

/* One output in floats, from x and w as they are. */
__device__ __noinline__ float near_exact(const conv2d_problem &p, const float *x, const float *w,
                                         int image, int filter, int row, int column)
{
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < p.c * p.r * p.s; i++) {
        const int c = i / (p.r * p.s), r = i / p.s % p.r, s = i % p.s;
        const int h = row * p.stride + r - p.pad, v = column * p.stride + s - p.pad;
        if (h >= 0 && h < p.h && v >= 0 && v < p.w)
            sum =
                fmaf(x[conv2d_x_at(&p, image, c, h, v)], w[conv2d_w_at(&p, filter, c, r, s)], sum);
    }
    return sum;
}

/* Where the i-th of the floats that a block adds lies in a fragment, and which output it is. */
template <int MT, int NT> struct near_output {
    int at, filter, row, column, image;
    int to; /* in y, -1: it is none */

    __device__ near_output(const near_job &j, int i, int filter_, int tile)
    {
        const int f = i / 128 * j.plan.split + (int)blockIdx.x, m = i % 128 / 8, n = i % 8;
        const int warp = f / (MT * NT), in = f - warp * (MT * NT);
        const int wn = warp / j.plan.wm, wm = warp - wn * j.plan.wm;
        at = m % 8 * 16 + n / 2 * 4 + m / 8 * 2 + n % 2;
        filter = filter_ + (wm * MT + in / NT) * 16 + m;
        const int output = (wn * NT + in % NT) * 8 + n, u = split_over(output, j.by_columns);
        image = j.p.n == 1 ? 0 : tile / j.tiles;
        const int here = tile - image * j.tiles, down = here / j.across;
        row = down * j.plan.th + u;
        column = (here - down * j.across) * j.plan.tw + output - u * j.plan.tw;
        const bool there = filter < j.p.k && u < j.plan.th && row < j.y_rows &&
                           column < j.y_columns && warp < j.plan.wm * j.plan.wn;
        const int pixel = row * j.y_columns + column, plane = j.y_rows * j.y_columns;
        to = j.p.layout == CONV_NHWC ? (image * plane + pixel) * j.p.k + filter
                                     : (image * j.p.k + filter) * plane + pixel;
        to = there ? to : -1;
    }
};

/* Adds the terms of the i-th float, always in the same order. */
template <int MT, int NT>
__device__ inline void near_add(const near_job &j, int i, int at, int to, const char *inbox,
                                const float *x, const float *w, float *y)
{
    const int terms = j.plan.split * j.plan.wk;
    const float *from = (const float *)(inbox + (size_t)(i / 128) * terms * 512) + at;
    float sum = 0;
#pragma unroll 8
    for (int t = 0; t < terms; t++)
        sum += from[t * 128];
    if (to < 0)
        return;
    if (!(fabsf(sum) <= 3.4028235e38f)) {
        const near_output<MT, NT> o(j, i, blockIdx.y * split_filters(&j.plan), blockIdx.z);
        sum = near_exact(j.p, x, w, o.image, o.filter, o.row, o.column);
    }
    y[to] = sum;
}

/* What a block does. */
template <int MT, int NT, int HALVES, bool ONE>
__device__ inline void near_block(const near_job &j, const float *x, const float *w, float *y)
{
    extern __shared__ uint4 shared[];
    __shared__ uint64_t received;
    char *const memory = (char *)shared, *const inbox = memory + j.memory.inbox;
    const int filter = blockIdx.y * split_filters(&j.plan), split = j.plan.split;
    const int owned = split_up(near_fragments(&j.plan) - (int)blockIdx.x, split) * 128;
    if (split > 1) {
        if (threadIdx.x == 0)
            near_expect(&received, owned * split * j.plan.wk * 4);
        __syncwarp();
        cluster_begun();
    }
    near_warp<MT, NT, HALVES, ONE> warp(j, filter);
    const near_patch patch(j, x, blockIdx.z, memory);
    const near_output<MT, NT> first(j, threadIdx.x, filter, blockIdx.z);
    warp.fetch();
    for (int i = 0; j.fetched && i < j.chunks; i++)
        patch.fetch(i);
    if (split > 1)
        cluster_wait(); /* all have begun: their memory is theirs, and their barriers count */
    others_wait();
    patch.bring(0);
    if (!ONE)
        patch.bring(1);
    others_begin(); /* not earlier: its blocks would lie where these ones leave room, unevenly */
    warp.multiply(patch);
    warp.send(inbox, &received);
    if (split > 1)
        near_receive(&received);
    else
        __syncthreads();
    if ((int)threadIdx.x < owned)
        near_add<MT, NT>(j, threadIdx.x, first.at, first.to, inbox, x, w, y);
#pragma unroll 1
    for (int i = threadIdx.x + blockDim.x; i < owned; i += blockDim.x) {
        const near_output<MT, NT> o(j, i, filter, blockIdx.z);
        near_add<MT, NT>(j, i, o.at, o.to, inbox, x, w, y);
    }
}

template <int MT, int NT, int HALVES, bool ONE>
__global__ void __launch_bounds__(SPLIT_WARPS * 32, MT *NT > (ONE ? 7 : 4) ? 1 : 2)
    near_kernel(const __grid_constant__ near_job j, const float *x, const float *w, float *y)
{
    if constexpr (NEAR_THERE && (!SPLIT_SMALL || MT * NT == 4))
        near_block<MT, NT, HALVES, ONE>(j, x, w, y);
}

} // namespace

#endif
