/* box_kernel.h's warpgroups: x from shared memory to registers, halves there, times weights. */
#ifndef HPC_CONV2D_BOX_MULTIPLY_H
#define HPC_CONV2D_BOX_MULTIPLY_H

#include "conv2d/variants/box_range.h"

namespace
{

/* BLOCKS of 64 filters, ROW taps a step. With two halves the Tensor Core, whose additions cut bits
 * off, adds up 32 products of upper halves, and floats the rest, while it multiplies lower ones. */
template <int BLOCKS, int HALVES, int ROW> struct box_sums {
    const box_job &j;
    const box_shared &shared;
    int warpgroup, lane;
    uint32_t first[2];    /* the thread's two outputs: 16 times their first pixels in the patch */
    uint32_t part, other; /* which 16 bytes of a pixel's 128; bits that lead to its second ones */
    box_range range;      /* of the warp's x */
    float x[ROW][16];     /* of a step's taps: eights of two products, of each output in turn */
    uint32_t upper[ROW][8], lower[HALVES == 2 ? 8 : 1]; /* the same, by pairs as products want it */
    float v[BLOCKS][32];
    float main[HALVES == 2 ? 32 : 1], cross[HALVES == 2 ? 32 : 1];

    DEVICE box_sums(const box_job &job, const box_shared &s, int warpgroup_)
        : j(job), shared(s), warpgroup(warpgroup_), lane(threadIdx.x % 32)
    {
        const int row = (j.plan.wk == 1 ? warpgroup * BOX_ROWS : 0) + threadIdx.x % 128 / 32 * 16;
        for (int i = 0; i < 2; i++) {
            const int output = min(row + lane / 4 + 8 * i, j.plan.th * j.plan.tw - 1);
            const int u = wide_over(output, j.by_columns);
            first[i] = (u * j.patch_columns + output - u * j.plan.tw) * j.p.stride * 16;
        }
        part = box_part(j.p.stride, lane) * 16;
        other = box_other(j.p.stride) * 16;
#pragma unroll
        for (int i = 0; i < BLOCKS * 32; i++)
            v[i / 32][i % 32] = 0;
#pragma unroll
        for (int i = 0; i < 32 && HALVES == 2; i++)
            main[HALVES == 2 ? i : 0] = cross[HALVES == 2 ? i : 0] = 0;
    }

    /* A step's x, as it is. */
    DEVICE void load(uint32_t stage, int tap)
    {
#pragma unroll
        for (int t = 0; t < ROW; t++) {
            const uint32_t shift = j.shift[tap + t];
#pragma unroll
            for (int i = 0; i < 2; i++) {
                const uint32_t pixel = first[i] + shift; /* 16 times it */
                const uint32_t at = stage + pixel * (BOX_PIXEL / 16) + (part ^ (pixel & 0x70));
                box_load(at, &x[t][i * 4]);
                box_load(at ^ other, &x[t][8 + i * 4]);
            }
        }
    }

    /* All sums by a factor. */
    DEVICE void scale_sums(float by)
    {
#pragma unroll
        for (int i = 0; i < BLOCKS * 32; i++)
            v[i / 32][i % 32] *= by;
#pragma unroll
        for (int i = 0; i < 32 && HALVES == 2; i++)
            cross[HALVES == 2 ? i : 0] *= by;
    }

    /* Where in x a tap's pair k of products is: two of four channels of output k % 2. */
    static DEVICE int pair(int k)
    {
        return k / 4 * 8 + k % 2 * 4 + k / 2 % 2 * 2;
    }

    /* Upper halves; the largest of them. */
    DEVICE uint32_t round()
    {
        uint32_t most[2] = {0, 0};
#pragma unroll
        for (int i = 0; i < ROW * 8; i++) {
            const float *const v = &x[i / 8][pair(i % 8)];
            const __half2 up = __floats2half2_rn(v[0] * range.scale, v[1] * range.scale);
            upper[i / 8][i % 8] = *(const uint32_t *)&up;
            most[i % 2] = range.larger(most[i % 2], upper[i / 8][i % 8]);
        }
        return range.larger(most[0], most[1]);
    }

    DEVICE float largest() const
    {
        float most[4] = {0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < ROW * 16; i++)
            most[i % 4] = fmaxf(most[i % 4], fabsf(x[i / 16][i % 16]));
        return fmaxf(fmaxf(most[0], most[1]), fmaxf(most[2], most[3]));
    }

    /* x in halves, of which none is too large. */
    DEVICE void convert()
    {
        if (range.exponent == BOX_LOWEST) /* the first one */
            scale_sums(range.grow(largest()));
#pragma unroll 1
        for (int turn = 0; range.outgrown(round()) && turn == 0; turn++)
            scale_sums(range.grow(largest()));
#pragma unroll
        for (int k = 0; k < 8 && HALVES == 2; k++) {
            const float *const v = &x[0][pair(k)];
            const float2 is = __half22float2(*(const __half2 *)&upper[0][k]);
            const __half2 low = __floats2half2_rn((v[0] * range.scale - is.x) * 0x1p11f,
                                                  (v[1] * range.scale - is.y) * 0x1p11f);
            lower[HALVES == 2 ? k : 0] = *(const uint32_t *)&low;
        }
    }

    DEVICE void release(uint32_t barrier) const
    {
        if (lane == 0)
            barrier_arrive(barrier);
    }

    /* A step's products of 11 bits, under way: of 64 filters, then of the next 64. */
    DEVICE void multiply_one(uint32_t w)
    {
        const uint64_t b = box_operand(w);
        products_begin();
#pragma unroll
        for (int i = 0; i < BLOCKS * ROW * 2; i++)
            box_product(v[i / (ROW * 2)], &upper[i / 2 % ROW][i % 2 * 4], b + i * BOX_PRODUCT / 16,
                        1);
        products_end();
    }

    /* A tap's products of 22 bits, under way: of upper halves first. */
    DEVICE void multiply_two(uint32_t w)
    {
        const uint64_t b = box_operand(w);
        products_begin();
#pragma unroll
        for (int k = 0; k < 2; k++)
            box_product(main, &upper[0][k * 4], b + k * BOX_PRODUCT / 16, k > 0);
        products_end();
#pragma unroll
        for (int k = 0; k < 2; k++) {
            box_product(cross, &lower[k * 4], b + k * BOX_PRODUCT / 16, 1);
            box_product(cross, &upper[0][k * 4], b + (BOX_STEP + k * BOX_PRODUCT) / 16, 1);
        }
        products_end();
    }

    /* A step, whose x is loaded; that of the warpgroup's next one in the chunk is, meanwhile. */
    DEVICE void step(uint32_t stage, int row, box_ring ws)
    {
        const int next = row + j.plan.wk;
        convert();
        barrier_wait(shared.w_full(ws.stage), ws.parity);
        if constexpr (HALVES == 1)
            multiply_one(shared.w(ws.stage));
        else
            multiply_two(shared.w(ws.stage));
        if (next < j.rows)
            load(stage, next * ROW);
        if constexpr (HALVES == 2) {
            products_wait<1>();
#pragma unroll
            for (int i = 0; i < 32; i++)
                v[0][i] += main[i];
        }
        products_wait<0>();
    }

    /* All of a block's steps, or every second one. */
    DEVICE void all(const box_share &share)
    {
        const int by = j.plan.wk;
        int row = by == 2 ? warpgroup : 0;
        box_ring xs = {0, 0}, ws = {row, 0};
#pragma unroll 1
        for (int chunk = 0; chunk < share.count; chunk++) {
            const uint32_t stage = shared.x(xs.stage);
            barrier_wait(shared.x_full(xs.stage), xs.parity);
            if (row < j.rows)
                load(stage, row * ROW);
#pragma unroll 1
            for (; row < j.rows; row += by) {
                step(stage, row, ws);
                release(shared.w_empty(ws.stage));
                ws.next(j.plan.w_stages, by);
            }
            row -= j.rows;
            release(shared.x_empty(xs.stage)); /* what was loaded of it is multiplied */
            xs.next(j.plan.x_stages);
        }
#pragma unroll
        for (int i = 0; i < 32 && HALVES == 2; i++)
            v[0][i] += cross[HALVES == 2 ? i : 0] * 0x1p-11f;
        scale_sums(range.unit(j.binades, box_least(shared)));
    }
};

} // namespace

#endif
