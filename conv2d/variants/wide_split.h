/* conv_dense_split on Hopper: how a thread brings its part of x into shared memory as halves.
 *
 * A stage of x is 16 channels, or twice 16, of the tile's patch: [upper, lower halves][channels
 * 0-7, 8-15][pixel] [8 halves]. So 8 neighbouring pixels are 128 bytes wherever they begin, and
 * each tap is an operand at another address, without a copy or a swizzle. All of a stage is scaled
 * by a power of two so that its largest lies in [2^12, 2^15); where one is too small beside it, or
 * infinite, the stage's unit is 0, and the products are made from x as it is. */
#ifndef HPC_CONV2D_WIDE_SPLIT_H
#define HPC_CONV2D_WIDE_SPLIT_H

#include <cuda_fp16.h>

#include "conv2d/variants/wide_job.h"

namespace
{

enum { WIDE_CONVERTING = WIDE_CONVERTERS * 32 };

/* How x is read: maps one after another; a pixel's channels together, in eights; or any other way,
 * also where each tap of each channel is a channel. */
enum wide_reading { WIDE_MAPS, WIDE_EIGHTS, WIDE_ANY };

template <int HALVES, int READING, int ITEMS> struct wide_converter {
    const wide_job &j;
    const wide_shared &shared;
    const float *image, *next; /* next: of the first group that is not loaded */
    int step;                  /* elements to the next channel */
    int from[ITEMS];           /* elements from a group's first one on */
    int to[ITEMS];             /* bytes from a stage on, -1: no item */
    int there;                 /* a bit an item: the pixel lies in the image */
    int scale;                 /* the exponent of the largest number that the scale is for */

    DEVICE wide_converter(const wide_job &job, const wide_shared &s) : j(job), shared(s), scale(0)
    {
    }

    /* Item i: 8 channels, the lower or the upper ones of 16, of a pixel that a tap reads; they are
     * counted as they lie in x, row by row. */
    DEVICE void set_item(int i, const wide_place &at, int item)
    {
        const struct conv2d_problem &p = j.p;
        const struct wide_patch &a = j.patch;
        const bool eights = READING == WIDE_EIGHTS;
        const int each = 2 * j.plan.deep; /* eights of channels */
        const int upper = eights ? item & (each - 1) : wide_over(item, a.over_needed);
        const int number = eights ? item >> j.plan.deep : item - upper * a.needed;
        const wide_needed n = wide_needed_at(&p, &a, number);
        const int row = at.top * p.stride - p.pad + n.row;
        const int column = at.left * p.stride - p.pad + n.column;
        const bool is = item < each * a.needed;
        to[i] = is ? ((upper & 1) + (upper >> 1) * 2 * HALVES) * a.apart * 16 + n.pixel * 16 : -1;
        there |= (is && (unsigned)row < (unsigned)p.h && (unsigned)column < (unsigned)p.w) << i;
        from[i] = (row * p.w + column) * (p.layout == CONV_NHWC ? p.c : 1) + 8 * upper * step;
    }

    DEVICE void begin(const float *x, const wide_place &at, int thread, int group)
    {
        const int plane = j.p.h * j.p.w;
        image = x + (size_t)at.image * j.p.c * plane;
        step = j.p.layout == CONV_NHWC ? 1 : plane;
        next = image + (size_t)(group * WIDE_GROUP) * (size_t)step;
        there = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            set_item(i, at, thread + i * WIDE_CONVERTING);
    }

    /* All that a thread has of a group, which is the one after the last. */
    DEVICE void load(int group, float (&v)[ITEMS][8])
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            load_item(i, group, v);
        next_group();
    }

    DEVICE void next_group()
    {
        next += (size_t)(WIDE_GROUP * j.plan.deep) * (size_t)step;
    }

    DEVICE void load_item(int i, int group, float (&v)[ITEMS][8])
    {
        const bool inside = there >> i & 1;
        if (READING == WIDE_EIGHTS) {
            const float4 *at = (const float4 *)(next + from[i]), none = make_float4(0, 0, 0, 0);
            const float4 a = inside ? at[0] : none, b = inside ? at[1] : none;
            v[i][0] = a.x, v[i][1] = a.y, v[i][2] = a.z, v[i][3] = a.w;
            v[i][4] = b.x, v[i][5] = b.y, v[i][6] = b.z, v[i][7] = b.w;
            return;
        }
        int at = anew(from[i]);
        const int left = j.p.c - group * WIDE_GROUP - (to[i] >= j.patch.apart * 16 ? 8 : 0);
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const bool is = inside && (READING == WIDE_MAPS || k < left);
            v[i][k] = is ? next[at] : 0;
            at += step;
        }
    }

    /* Of bits b, without the sign, 2 b - 1 has the order of floats above zero, and of nought is the
     * most. A number that is none has no part in it: its products are none either. */
    DEVICE void range(uint32_t at, const float (&v)[ITEMS][8])
    {
        float most = 0;
        uint32_t least = 0xffffffffu;
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
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

    DEVICE void store(int i, uint32_t stage, const float (&v)[ITEMS][8]) const
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

} // namespace

#endif
