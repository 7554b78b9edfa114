/* How box_kernel.h's warps hold x in halves: by a power of two that takes the largest seen so far
 * into [2^14, 2^15). A larger one, which is rare, makes the sums smaller by as much. Two further
 * warps look for numbers that halves can't hold beside it: then the sums become NaN, and are made
 * again in floats (box_store.h). */
#ifndef HPC_CONV2D_BOX_RANGE_H
#define HPC_CONV2D_BOX_RANGE_H

#include <cuda_fp16.h>

#include "conv2d/variants/box_job.h"
#include "conv2d/variants/wide_job.h"

namespace
{

enum {
    BOX_LOWEST = 27, /* the exponent that all begin with, a float's bits of 2^-100 */
    BOX_LARGEST = 254,
    BOX_LOOKERS = 2,
};

/* The float with this exponent in its bits. */
DEVICE float box_power(int bits)
{
    return __int_as_float(bits << 23);
}

struct box_range {
    int exponent; /* of the warp's largest, as a float's bits have it */
    float scale;  /* takes the largest to 2^14 and more */

    DEVICE box_range() : exponent(BOX_LOWEST), scale(box_power(268 - BOX_LOWEST))
    {
    }

    /* Of two pairs of halves the larger ones, but for their signs. */
    static DEVICE uint32_t larger(uint32_t a, uint32_t b)
    {
        uint32_t most;
        asm("max.xorsign.abs.f16x2 %0, %1, %2;" : "=r"(most) : "r"(a), "r"(b));
        return most;
    }

    /* Whether one of the warp's is over 2^15. */
    static DEVICE bool outgrown(uint32_t most)
    {
        return __any_sync(~0u, ((most & 0x7fff7fff) + 0x07ff07ff) & 0x80008000);
    }

    /* By the thread's largest; what the sums are to be multiplied by. */
    DEVICE float grow(float most)
    {
        const int was = exponent;
        exponent =
            max(was, min((int)(warp_most((uint32_t)__float_as_int(most)) >> 23), (int)BOX_LARGEST));
        scale = box_power(268 - exponent);
        return box_power(max(127 + was - exponent, 0));
    }

    /* What a sum's unit is at the end; NaN where some number was lost. */
    DEVICE float unit(int binades, uint32_t least) const
    {
        const uint32_t lost = (uint32_t)max(exponent - binades, 1) << 24;
        return least < lost - 1 ? __int_as_float(0x7fffffff) : box_power(exponent - 14);
    }
};

DEVICE uint32_t box_less(uint32_t least, float v)
{
    return min(least, 2 * (uint32_t)__float_as_int(v) - 1);
}

/* A warp that looks for the least of the block's x, but for zeros: twice its bits, less one. */
DEVICE void box_look(const box_job &j, const box_shared &shared, const box_share &share, int warp)
{
    uint32_t least[4] = {~0u, ~0u, ~0u, ~0u};
    box_ring ring = {0, 0};
#pragma unroll 1
    for (int i = 0; i < share.count; i++) {
        uint32_t at = shared.x(ring.stage) + warp * 512 + threadIdx.x % 32 * 16;
        const uint32_t end = shared.x(ring.stage) + j.patch_pixels * BOX_PIXEL;
        barrier_wait(shared.x_full(ring.stage), ring.parity);
#pragma unroll 1
        for (; at < end; at += 4 * BOX_LOOKERS * 512) {
            float4 v[4];
#pragma unroll
            for (int k = 0; k < 4; k++) /* the last ones more than once */
                v[k] = shared_get_floats(min(at + k * BOX_LOOKERS * 512, end - 16));
#pragma unroll
            for (int k = 0; k < 4; k++) {
                least[0] = box_less(least[0], v[k].x);
                least[1] = box_less(least[1], v[k].y);
                least[2] = box_less(least[2], v[k].z);
                least[3] = box_less(least[3], v[k].w);
            }
        }
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            barrier_arrive(shared.x_empty(ring.stage));
        ring.next(j.plan.x_stages);
    }
    const uint32_t all = warp_least(min(min(least[0], least[1]), min(least[2], least[3])));
    if (threadIdx.x % 32 == 0) {
        shared_put(shared.least(warp), all);
        barrier_arrive(shared.barrier(BOX_LOOKED));
    }
}

/* What they found. */
DEVICE uint32_t box_least(const box_shared &shared)
{
    uint32_t least = ~0u;
    barrier_wait(shared.barrier(BOX_LOOKED), 0);
#pragma unroll
    for (int i = 0; i < BOX_LOOKERS; i++)
        least = min(least, shared_get(shared.least(i)));
    return least;
}

} // namespace

#endif
