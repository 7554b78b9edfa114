/* box_kernel.h's warpgroups: x from shared memory to registers, rounded there, times weights. */
#ifndef HPC_CONV2D_BOX_MULTIPLY_H
#define HPC_CONV2D_BOX_MULTIPLY_H

#include "conv2d/variants/box_job.h"
#include "conv2d/variants/near_job.h"

namespace
{

/* BLOCKS of 64 filters, ROW taps a step. With two halves the Tensor Core, whose additions cut bits
 * off, adds up 32 products of upper parts, and floats the rest, while it multiplies lower ones. */
template <int BLOCKS, int HALVES, int ROW> struct box_sums {
    enum { HELD = HALVES == 1 ? ROW : 1 }; /* taps of x in registers */
    const box_job &j;
    const box_shared &shared;
    int warpgroup, lane;
    int first[2];         /* the thread's two outputs: their first pixels in the patch */
    uint32_t part, other; /* which 16 bytes of a pixel's 128; bits that lead to its second ones */
    uint32_t x[HELD][16]; /* of a tap: four products' four */
    float v[BLOCKS][32];
    float main[HALVES == 2 ? 32 : 1], cross[HALVES == 2 ? 32 : 1];
    uint32_t low[HALVES == 2 ? 16 : 1];

    DEVICE box_sums(const box_job &job, const box_shared &s, int warpgroup_)
        : j(job), shared(s), warpgroup(warpgroup_), lane(threadIdx.x % 32)
    {
        const int row = (j.plan.wk == 1 ? warpgroup * BOX_ROWS : 0) + threadIdx.x % 128 / 32 * 16;
        for (int i = 0; i < 2; i++) {
            const int output = min(row + lane / 4 + 8 * i, j.plan.th * j.plan.tw - 1);
            const int u = wide_over(output, j.by_columns);
            first[i] = (u * j.patch_columns + output - u * j.plan.tw) * j.p.stride;
        }
        part = box_part(j.p.stride, lane);
        other = box_other(j.p.stride) * 16;
#pragma unroll
        for (int i = 0; i < BLOCKS * 32; i++)
            v[i / 32][i % 32] = 0;
#pragma unroll
        for (int i = 0; i < 32 && HALVES == 2; i++)
            main[HALVES == 2 ? i : 0] = cross[HALVES == 2 ? i : 0] = 0;
    }

    /* A tap's x, as it is. */
    DEVICE void load(uint32_t (&to)[16], uint32_t stage, int tap) const
    {
        const int shift = j.shift[tap];
        uint32_t got[4][4];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const uint32_t pixel = first[i] + shift;
            const uint32_t at = stage + pixel * BOX_PIXEL + ((part ^ (pixel & 7)) << 4);
            box_load(at, got[i]);
            box_load(at ^ other, got[2 + i]);
        }
#pragma unroll
        for (int k = 0; k < 16; k++) /* product k / 4: outputs, then channels */
            to[k] = got[k / 8 * 2 + k % 2][k / 4 % 2 * 2 + k / 2 % 2];
    }

    DEVICE void release(uint32_t barrier) const
    {
        if (lane == 0)
            barrier_arrive(barrier);
    }

    /* A step to TF32's accuracy: all its products at a time. */
    DEVICE void step_of_one(uint32_t stage, int tap, box_ring ws)
    {
#pragma unroll
        for (int t = 0; t < ROW; t++)
            load(x[t], stage, tap + t);
#pragma unroll
        for (int i = 0; i < ROW * 16; i++)
            x[i / 16][i % 16] = near_upper(x[i / 16][i % 16]);
        products_begin();
#pragma unroll
        for (int t = 0; t < ROW; t++) {
            barrier_wait(shared.w_full(ws.stage), ws.parity);
            const uint64_t b = box_operand(shared.w(ws.stage));
#pragma unroll
            for (int k = 0; k < 4 * BLOCKS; k++) /* of 64 filters, then of the next 64 */
                box_product(v[k / 4], &x[t][k % 4 * 4], b + (k / 4 * BOX_STEP + k % 4 * 2048) / 16,
                            1);
            ws.next(j.plan.w_stages);
        }
        products_end();
        products_wait<0>();
    }

    /* A tap's products, under way. */
    DEVICE void multiply(const uint32_t (&from)[16], uint32_t w)
    {
        const uint64_t b = box_operand(w);
        uint32_t upper[16];
#pragma unroll
        for (int k = 0; k < 16; k++) {
            upper[k] = near_upper(from[k]);
            low[HALVES == 2 ? k : 0] = near_lower(from[k]);
        }
        products_begin();
#pragma unroll
        for (int k = 0; k < 4; k++)
            box_product(main, &upper[k * 4], b + k * 2048 / 16, k > 0);
        products_end();
#pragma unroll
        for (int k = 0; k < 4; k++) {
            box_product(cross, &low[k * 4], b + k * 2048 / 16, 1);
            box_product(cross, &upper[k * 4], b + (BOX_STEP + k * 2048) / 16, 1);
        }
        products_end();
    }

    /* A step of a tap to fp32's accuracy; x of the warpgroup's next one in the chunk, if there is
     * one, is loaded meanwhile. */
    DEVICE void step_of_two(uint32_t stage, int tap, box_ring ws, bool loaded, bool more)
    {
        if (!loaded)
            load(x[0], stage, tap);
        barrier_wait(shared.w_full(ws.stage), ws.parity);
        multiply(x[0], shared.w(ws.stage));
        if (more)
            load(x[0], stage, tap + j.plan.wk);
        products_wait<1>();
#pragma unroll
        for (int i = 0; i < 32; i++)
            v[0][i] += main[i];
        products_wait<0>();
    }

    /* All of a block's steps, or every second one. */
    DEVICE void all(const box_share &share)
    {
        const int by = j.plan.wk, steps = share.count * j.rows;
        int row = by == 2 ? warpgroup : 0;
        bool loaded = false;
        box_ring xs = {0, 0}, ws = {row * ROW, 0};
#pragma unroll 1
        for (int step = row; step < steps; step += by) {
            while (row >= j.rows) { /* what was loaded of it is multiplied */
                barrier_wait(shared.x_full(xs.stage), xs.parity);
                release(shared.x_empty(xs.stage));
                xs.next(j.plan.x_stages);
                row -= j.rows;
            }
            barrier_wait(shared.x_full(xs.stage), xs.parity);
            if constexpr (HALVES == 1) {
                step_of_one(shared.x(xs.stage), row * ROW, ws);
            } else {
                const bool more = row + by < j.rows;
                step_of_two(shared.x(xs.stage), row, ws, loaded, more);
                loaded = more;
            }
#pragma unroll
            for (int t = 0; t < ROW; t++) {
                release(shared.w_empty(ws.stage));
                ws.next(j.plan.w_stages);
            }
            if (by == 2)
                ws.next(j.plan.w_stages, ROW);
            row += by;
        }
#pragma unroll
        for (int i = 0; i < 32 && HALVES == 2; i++)
            v[0][i] += cross[HALVES == 2 ? i : 0];
    }
};

} // namespace

#endif
