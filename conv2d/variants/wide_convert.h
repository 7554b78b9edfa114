/* conv_dense_split on Hopper: the warps that bring x into shared memory as halves, and the thread
 * that has weights copied.
 *
 * A stage of x is 16 channels, or twice 16, of the tile's patch: [upper, lower halves][channels
 * 0-7, 8-15][pixel] [8 halves]. So 8 neighbouring pixels are 128 bytes wherever they begin, and
 * each tap is an operand at another address, without a copy or a swizzle. All of a stage is scaled
 * by a power of two so that its largest lies in [2^12, 2^15); where one is too small beside it, or
 * infinite, the stage's unit is 0, and the products are made from x as it is. */
#ifndef HPC_CONV2D_WIDE_CONVERT_H
#define HPC_CONV2D_WIDE_CONVERT_H

#include <cuda_fp16.h>

#include "conv2d/variants/wide_job.h"

namespace
{

enum { WIDE_CONVERTING = WIDE_CONVERTERS * 32 };

/* How x is read: maps one after another; a pixel's channels together, in eights; or any other way,
 * also where each tap of each channel is a channel. */
enum wide_reading { WIDE_MAPS, WIDE_EIGHTS, WIDE_ANY };

template <int HALVES, int READING> struct wide_converter {
    const wide_job &j;
    const wide_shared &shared;
    const float *image;
    const float *from[WIDE_ITEMS]; /* the next group's first element */
    size_t step, further; /* elements to the next channel; after eight to the next stage's */
    int place[READING == WIDE_ANY ? WIDE_ITEMS : 1]; /* folded: row << 16 | column */
    int to[WIDE_ITEMS];                              /* bytes from a stage on, -1: no item */
    int there; /* a bit an item: the pixel lies in the image */
    int scale; /* the exponent of the largest number that the scale is for */
    float v[WIDE_ITEMS][8];

    DEVICE wide_converter(const wide_job &job, const wide_shared &s) : j(job), shared(s), scale(0)
    {
    }

    /* Item i: 8 channels, the lower or the upper ones of 16, of a pixel of the patch. */
    DEVICE void set_item(int i, const wide_place &at, int item, int group)
    {
        const struct conv2d_problem &p = j.p;
        const struct wide_patch &a = j.patch;
        const bool eights = READING == WIDE_EIGHTS;
        const int each = 2 * j.plan.deep; /* eights of channels */
        const int upper = eights ? item & (each - 1) : wide_over(item, j.over_pixels);
        const int pixel = eights ? item >> j.plan.deep : item - upper * a.pixels;
        int in_plane = pixel, row = at.top, column = at.left;
        if (p.stride > 1) {
            const int phase = wide_over(pixel, j.over_plane);
            const int row_phase = wide_over(phase, j.over_phases);
            in_plane -= phase * a.plane;
            row = row * p.stride + row_phase;
            column = column * p.stride + phase - row_phase * a.column_phases;
        }
        const int u = wide_over(in_plane, j.over_pitch), w = in_plane - u * a.pitch;
        row += u * p.stride - p.pad;
        column += w * p.stride - p.pad;
        const bool is = item < each * a.pixels;
        to[i] = is ? ((upper & 1) + (upper >> 1) * 2 * HALVES) * a.apart * 16 + pixel * 16 : -1;
        there |= (is && (unsigned)row < (unsigned)p.h && (unsigned)column < (unsigned)p.w) << i;
        from[i] = image + (ptrdiff_t)(row * p.w + column) * (p.layout == CONV_NHWC ? p.c : 1) +
                  (size_t)(group * WIDE_GROUP + 8 * upper) * step;
        if (READING == WIDE_ANY)
            place[i] = (int)((uint32_t)row << 16 | ((uint32_t)column & 0xffffu));
    }

    DEVICE void begin(const float *x, const wide_place &at, int thread, int group)
    {
        const int plane = j.p.h * j.p.w;
        image = x + (size_t)at.image * j.p.c * plane;
        step = j.p.layout == CONV_NHWC ? 1 : plane;
        further = step * (WIDE_GROUP * j.plan.deep - 8);
        there = 0;
#pragma unroll
        for (int i = 0; i < WIDE_ITEMS; i++)
            set_item(i, at, thread + i * WIDE_CONVERTING, group);
    }

    DEVICE void load_fold(int i, int group)
    {
        const int row = place[i] >> 16, column = (int)(short)(place[i] & 0xffff);
        const int channel = group * WIDE_GROUP + (to[i] >= j.patch.apart * 16 ? 8 : 0);
        const int pixel = (row * j.p.w + column) * (j.p.layout == CONV_NHWC ? j.p.c : 1);
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const wide_fold f = j.fold[channel + k];
            const unsigned h = row + f.row, w = column + f.column;
            v[i][k] = to[i] >= 0 && h < (unsigned)j.p.h && w < (unsigned)j.p.w
                          ? image[pixel + f.offset]
                          : 0;
        }
    }

    /* Of item i the 8 channels of a group, which is the one after the last. */
    DEVICE void load(int i, int group)
    {
        const bool inside = there >> i & 1;
        if (READING == WIDE_ANY && j.plan.fold) {
            load_fold(i, group);
            return;
        }
        if (READING == WIDE_EIGHTS) {
            const float4 *at = (const float4 *)from[i], none = make_float4(0, 0, 0, 0);
            const float4 a = inside ? at[0] : none, b = inside ? at[1] : none;
            v[i][0] = a.x, v[i][1] = a.y, v[i][2] = a.z, v[i][3] = a.w;
            v[i][4] = b.x, v[i][5] = b.y, v[i][6] = b.z, v[i][7] = b.w;
            from[i] += WIDE_GROUP * j.plan.deep;
            return;
        }
        const int left = j.p.c - group * WIDE_GROUP - (to[i] >= j.patch.apart * 16 ? 8 : 0);
#pragma unroll
        for (int k = 0; k < 8; k++) {
            v[i][k] = inside && (READING == WIDE_MAPS || k < left) ? *from[i] : 0;
            from[i] += step;
        }
        from[i] += further;
    }

    /* Of bits b, without the sign, 2 b - 1 has the order of floats above zero, and of nought is the
     * most. A number that is none has no part in it: its products are none either. */
    DEVICE void range(uint32_t at)
    {
        float most = 0;
        uint32_t least = 0xffffffffu;
#pragma unroll
        for (int i = 0; i < WIDE_ITEMS; i++)
#pragma unroll
            for (int k = 0; k < 8; k++) {
                most = fmaxf(most, fabsf(v[i][k]));
                least = min(least, 2 * (uint32_t)__float_as_int(v[i][k]) - 1);
            }
        const uint32_t high = warp_most((uint32_t)__float_as_int(most));
        least = warp_least(least);
        if (threadIdx.x % 32 == 0) {
            asm volatile("red.shared.max.u32 [%0], %1;" ::"r"(at), "r"(high) : "memory");
            asm volatile("red.shared.min.u32 [%0], %1;" ::"r"(at + 4), "r"(least) : "memory");
        }
    }

    /* The scale for a stage of this range; false where it can't be. */
    DEVICE bool choose(uint32_t most, uint32_t least)
    {
        const int high = (int)(most >> 23), low = (int)((least + 1) >> 24);
        if (most == 0) {
            scale = scale ? scale : 127;
            return true;
        }
        if (high < 77 || high > 207) /* 2^e, and products of it with a filter's unit, are floats */
            return false;
        if (high > scale || high < scale - 2)
            scale = high;
        return scale - low <= j.binades;
    }

    DEVICE void store(int i, uint32_t stage) const
    {
        const float factor = __int_as_float((127 + 141 - scale) << 23);
        uint32_t high[4], low[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const float a = v[i][2 * k] * factor, b = v[i][2 * k + 1] * factor;
            const __half2 h = __floats2half2_rn(a, b);
            const __half2 l =
                __floats2half2_rn((a - __low2float(h)) * 0x1p11f, (b - __high2float(h)) * 0x1p11f);
            memcpy(&high[k], &h, 4);
            memcpy(&low[k], &l, 4);
        }
        shared_put4(stage + to[i], high);
        if (HALVES == 2)
            shared_put4(stage + to[i] + 32 * j.patch.apart, low);
    }
};

/* All that the converting warps do. */
template <int HALVES, int READING>
DEVICE void wide_convert_all(const wide_job &j, const wide_shared &shared, const wide_share &share,
                             const float *x, int thread)
{
    wide_converter<HALVES, READING> c(j, shared);
    wide_ring ring = {0, 1};
    int turn = 0;
    wait_for_earlier_launches();
#pragma unroll 1
    for (int tile = blockIdx.z; tile < j.p.n * j.tiles; tile += gridDim.z) {
        c.begin(x, wide_place(j, tile), thread, share.begin);
#pragma unroll
        for (int i = 0; i < WIDE_ITEMS; i++)
            c.load(i, share.begin);
#pragma unroll 1
        for (int group = 0; group < share.count; group += j.plan.deep) {
            const bool more = group + j.plan.deep < share.count;
            c.range(shared.range(turn));
            named_sync<WIDE_CONVERTING>(1);
            const uint32_t most = shared_get(shared.range(turn));
            const uint32_t least = shared_get(shared.range(turn) + 4);
            const int last = turn == 0 ? 2 : turn - 1; /* all have read it */
            if (thread == 0) {
                shared_put(shared.range(last), 0);
                shared_put(shared.range(last) + 4, 0xffffffffu);
            }
            turn = turn == 2 ? 0 : turn + 1;
            const bool good = c.choose(most, least);
            barrier_wait(shared.x_empty(ring.stage), ring.parity);
#pragma unroll
            for (int i = 0; i < WIDE_ITEMS; i++) { /* the next group's come in what is free */
                if (good && c.to[i] >= 0)
                    c.store(i, shared.x(ring.stage));
                if (more)
                    c.load(i, share.begin + group + j.plan.deep);
            }
            if (thread == 0)
                shared_put(shared.unit(ring.stage), good ? (uint32_t)(c.scale - 14) << 23 : 0);
            stores_before_wgmma();
            __syncwarp();
            if (thread % 32 == 0)
                barrier_arrive(shared.x_full(ring.stage));
            ring.next(j.plan.x_stages);
        }
    }
}

template <int HALVES>
DEVICE void wide_convert(const wide_job &j, const wide_shared &shared, const wide_share &share,
                         const float *x, int thread)
{
    const bool nhwc = j.p.layout == CONV_NHWC;
    if (j.plan.fold || j.p.c % WIDE_GROUP != 0 || (nhwc && ((size_t)x & 15) != 0))
        wide_convert_all<HALVES, WIDE_ANY>(j, shared, share, x, thread);
    else if (nhwc)
        wide_convert_all<HALVES, WIDE_EIGHTS>(j, shared, share, x, thread);
    else
        wide_convert_all<HALVES, WIDE_MAPS>(j, shared, share, x, thread);
}

/* One thread's copies of weights: all of a block's groups for each tile. */
DEVICE void wide_copy_weights(const wide_job &j, const wide_shared &shared, const wide_share &share)
{
    wide_ring ring = {0, 1};
    const char *const first = j.weights + ((size_t)blockIdx.y * j.groups + share.begin) * j.rows *
                                              (size_t)j.memory.w_stage;
#pragma unroll 1
    for (int tile = blockIdx.z; tile < j.p.n * j.tiles; tile += gridDim.z) {
        const char *from = first;
#pragma unroll 1
        for (int i = share.count * j.rows; i > 0; i--) {
            barrier_wait(shared.w_empty(ring.stage), ring.parity);
            barrier_expect(shared.w_full(ring.stage), j.memory.w_stage);
            copy_bytes(shared.w(ring.stage), from, j.memory.w_stage, shared.w_full(ring.stage));
            from += j.memory.w_stage;
            ring.next(j.plan.w_stages);
        }
    }
}

} // namespace

#endif
