/* box_kernel.h's warps that bring x and weights into shared memory. */
#ifndef HPC_CONV2D_BOX_COPY_H
#define HPC_CONV2D_BOX_COPY_H

#include "conv2d/variants/box_job.h"

namespace
{

/* A warp: a block's weights, step by step. Of 128 filters 64 are copied, then the others. */
DEVICE void box_copy_weights(const box_job &j, const box_shared &shared, const box_share &share)
{
    const int bytes = j.memory.w_stage / j.plan.blocks, steps = share.count * j.rows;
    const size_t filters = (size_t)j.chunks * j.rows * bytes; /* from 64 to the next 64 */
    const bool both = j.plan.blocks > 1 && share.filter + BOX_FILTERS < j.p.k;
    const bool one = threadIdx.x % 32 == 0;
    const char *from =
        j.weights + share.filter / BOX_FILTERS * filters + (size_t)share.begin * j.rows * bytes;
    box_ring ring = {0, 1};
#pragma unroll 1
    for (int i = 0; i < steps; i++) {
        const uint32_t full = shared.w_full(ring.stage), to = shared.w(ring.stage);
        if (i == j.plan.w_stages)
            named_sync<BOX_THREADS>(BOX_EMPTY_SET);
        if (i >= j.plan.w_stages)
            barrier_wait(shared.w_empty(ring.stage), ring.parity);
        if (one) {
            barrier_expect(full, both ? 2 * bytes : bytes);
            copy_bytes(to, from, bytes, full);
            if (both)
                copy_bytes(to + bytes, from + filters, bytes, full);
        }
        from += bytes;
        ring.next(j.plan.w_stages);
    }
    if (steps <= j.plan.w_stages)
        named_sync<BOX_THREADS>(BOX_EMPTY_SET); /* all come here once */
    if (one) {
        barrier_expect(shared.barrier(BOX_UNITS_FULL), j.plan.blocks * BOX_FILTERS * 4);
        copy_bytes(shared.unit(0), j.unit + share.filter, j.plan.blocks * BOX_FILTERS * 4,
                   shared.barrier(BOX_UNITS_FULL));
    }
    __syncwarp();
}

/* The warp's own copy of a chunk of the patch: a channel a lane, where the copy engine can't. */
DEVICE void box_copy_by_hand(const box_job &j, const box_share &share, const float *x, int top,
                             int left, int chunk, uint32_t to)
{
    const int lane = threadIdx.x % 32, c = chunk * BOX_CHANNELS + lane;
#pragma unroll 1
    for (int i = 0; i < j.patch_pixels; i++) {
        const int h = top + i / j.patch_columns, v = left + i % j.patch_columns;
        const bool is = h >= 0 && h < j.p.h && v >= 0 && v < j.p.w && c < j.p.c;
        const float f = is ? x[conv2d_x_at(&j.p, share.image, c, h, v)] : 0;
        asm volatile("st.shared.f32 [%0], %1;" ::"r"(to + i * BOX_PIXEL +
                                                     (((lane / 4) ^ (i & 7)) << 4) + lane % 4 * 4),
                     "f"(f)
                     : "memory");
    }
    __syncwarp();
}

/* One warp: a block's x, chunk by chunk. Before it may be read it comes as far as the L2. */
DEVICE void box_copy_x(const box_job &j, const box_shared &shared, const box_share &share,
                       const CUtensorMap *map, const float *x)
{
    const int top = share.top * j.p.stride - j.p.pad, left = share.left * j.p.stride - j.p.pad;
    const bool one = threadIdx.x % 32 == 0;
    box_ring ring = {0, 1};
#pragma unroll 1
    for (int i = 0; one && j.fetched && j.mapped && i < share.count; i++)
        fetch_box(map, (share.begin + i) * BOX_CHANNELS, left, top, share.image);
    wait_for_earlier_launches();
#pragma unroll 1
    for (int i = 0; i < share.count; i++) {
        const uint32_t full = shared.x_full(ring.stage), to = shared.x(ring.stage);
        const int chunk = share.begin + i;
        if (i == j.plan.x_stages)
            named_sync<BOX_THREADS>(BOX_EMPTY_SET);
        if (i >= j.plan.x_stages)
            barrier_wait(shared.x_empty(ring.stage), ring.parity);
        if (!j.mapped)
            box_copy_by_hand(j, share, x, top, left, chunk, to);
        if (one)
            barrier_expect(full, j.mapped ? j.patch_pixels * BOX_PIXEL : 0);
        if (one && j.mapped)
            copy_box(to, map, chunk * BOX_CHANNELS, left, top, share.image, full);
        ring.next(j.plan.x_stages);
    }
    if (share.count <= j.plan.x_stages)
        named_sync<BOX_THREADS>(BOX_EMPTY_SET);
}

} // namespace

#endif
