/* The products of a warp of conv_dense_split, and what a block of it is told. HALVES: 2 for fp32's
 * accuracy, by three products, 1 for TF32's, by one. */
#ifndef HPC_CONV2D_SPLIT_WARP_H
#define HPC_CONV2D_SPLIT_WARP_H

#include "conv2d/variants/split_patch.h"

namespace
{

struct split_job {
    struct conv2d_problem p;
    struct split_plan plan;
    struct split_memory memory;
    const uint4 *halves; /* of the weights */
    const float *unit;
    float4 *partial;  /* where blocks that share a sum leave their parts, NULL in a cluster */
    const int *zeros; /* run only where there are fewer than `least` of them, or NULL */
    int least, filters;
    bool exact;
    struct split_divisor by_pixels, by_patch, by_columns, by_taps, by_s, by_tiles, by_nt, by_wm;
};

/* Where a block's tile is. */
struct split_place {
    int image, top, left, filter; /* the first row and column of its outputs, its first filter */
};

/* A warp's part of a block: the steps wk, wk + plan.wk, .. of the block's. */
template <int MT, int NT, int HALVES> struct split_warp {
    const split_job &j;
    int wm, wn, wk, lane;
    const uint4 *weights; /* of the warp's first filters at the block's first step, the lane's */
    size_t across;        /* from 16 filters to the next 16 */
    bool begun;
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
        begun = false;
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
        if (begun) { /* the last chunk may have ended with either */
            load(a[0], now);
            load(a[1], now + j.plan.wk);
        }
        begun = true;
#pragma unroll 1
        while (now < end) { /* what is loaded must not be copied: that would wait for it */
            step(a[0], rows + where[now], unit_now);
            load(a[0], now + 2 * j.plan.wk);
            now += j.plan.wk;
            if (now >= end)
                break;
            step(a[1], rows + where[now], unit_now);
            load(a[1], now + 2 * j.plan.wk);
            now += j.plan.wk;
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

} // namespace

#endif
