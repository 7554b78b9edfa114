/* The sum warps of the fused convolution-pooling (pool_kernel.h): which boxes of x become which
 * stage of S, and who waits for whom. */
#ifndef HPC_CONV2D_POOL_FORM_H
#define HPC_CONV2D_POOL_FORM_H

#include "conv2d/variants/pool_walk.h"
#include "conv2d/variants/pool_sums.h"

namespace
{

/* What the sum warps do all along. A box begins `early` columns before its first. */
template <class F> struct sum_former {
    uint32_t base;
    int first_thread, lane, early, side;
    ring<F::X_STAGES> x;
    ring<F::S_STAGES> s;
    sum_range<F> range;

    DEVICE sum_former(uint32_t base_, int group, int first_thread_, int early_)
        : base(base_), first_thread(first_thread_), lane(first_thread_ % 32), early(early_),
          side(0), x(0), s(1), range(base_, group)
    {
    }

    DEVICE uint32_t sums() const
    {
        return base + F::S_AT + s.stage * F::S_STAGE;
    }

    DEVICE uint32_t wait_box() const
    {
        barrier_wait(F::x_full(base, x.stage), x.parity);
        return first_of_box<F>(base, x.stage, early);
    }

    DEVICE void next_box()
    {
        free_box<F>(base, x.stage, lane);
        x.next();
    }

    /* A box at a time. */
    DEVICE void halves(int thread)
    {
#pragma unroll
        for (int slab = 0; slab < F::SLABS; slab++) {
            const uint32_t from = wait_box();
            if constexpr (strips<F>::KEPT) {
                kept_halves<F> kept;
                kept.load(from, thread, side);
                next_box();
                barrier_wait(F::s_empty(base, s.stage), s.parity);
                kept.store(sums(), slab, anew(first_thread));
            } else {
                barrier_wait(F::s_empty(base, s.stage), s.parity);
                sums_of_halves<F>(from, sums(), slab, thread, side);
                next_box();
            }
        }
    }

    /* The power of two that sums are multiplied by, once S has room. */
    DEVICE float choose_scale(int thread, uint32_t most, uint32_t least)
    {
        range.agree(thread, &most, &least);
        /* of a box, a sum has four */
        const int e = max(scale_exponent < strips<F>::KEPT ? 14 : 12 > (most), -124) & ~1;
        const bool lost = least != ~0u && ((least + 1) >> 23) + LOST < most >> 23;
        barrier_wait(F::s_empty(base, s.stage), s.parity);
        if (thread == 0)
            asm volatile("st.shared.f32 [%0], %1;" ::"r"(F::scale_of(base, s.stage)),
                         "f"(lost ? -power_of_two(-e) : power_of_two(-e))
                         : "memory");
        return power_of_two(e);
    }

    /* All boxes, for they have one scale. */
    DEVICE void floats(int thread)
    {
        uint32_t most = 0, least = ~0u;
        if constexpr (strips<F>::KEPT) {
            kept_sums<F> kept[F::SLABS];
#pragma unroll
            for (int slab = 0; slab < F::SLABS; slab++) {
                kept[slab].load(wait_box(), thread, side, &most, &least);
                next_box();
            }
            const float scale = choose_scale(thread, most, least);
#pragma unroll
            for (int slab = 0; slab < F::SLABS; slab++)
                kept[slab].store(sums(), slab, anew(first_thread), scale);
        } else {
            ring<F::X_STAGES> again = x;
#pragma unroll
            for (int slab = 0; slab < F::SLABS; slab++) {
                range_of_floats<F>(wait_box(), thread, &most, &least);
                x.next();
            }
            const float scale = choose_scale(thread, most, least);
            x = again;
#pragma unroll
            for (int slab = 0; slab < F::SLABS; slab++) {
                sums_of_floats<F>(first_of_box<F>(base, x.stage, early), sums(), slab, thread,
                                  scale);
                next_box();
            }
        }
    }
};

enum { REST_CLEARED = 7 }; /* a named barrier */

/* Rows of S that are read and never filled: zeros, for what is no number has its tile mended. */
template <class F> DEVICE void clear_rest(uint32_t base, int thread)
{
    enum { FROM = F::FILLED * F::ROW_BYTES, EACH = (F::S_HALF - FROM) / 16 };
#pragma unroll 1
    for (int i = thread; i < F::S_STAGES * F::HALVES * EACH; i += F::ALL_SUM_WARPS * 32)
        store_16(base + F::S_AT + i / EACH * F::S_HALF + FROM + i % EACH * 16,
                 make_uint4(0, 0, 0, 0));
    named_sync<F::ALL_SUM_WARPS * 32>(REST_CLEARED);
}

/* Every SUM_GROUPS-th of a block's boxes. */
template <class F>
DEVICE void form_sums(const pool_call &call, const block_work &work, uint32_t base, int warp,
                      int lane)
{
    const int group = warp / F::SUM_WARPS, items = work.boxes<F>(call), rank = work.rank;
    sum_former<F> former(base, group, warp % F::SUM_WARPS * 32 + lane, call.early);
    if (F::FILLED < F::READ)
        clear_rest<F>(base, warp * 32 + lane);
    former.x.skip(group * F::SLABS);
    former.s.skip(F::PAIR ? rank : group);
#pragma unroll 1
    for (int item = group; item < items; item += F::SUM_GROUPS) {
        if (F::SIDES)
            former.side = work.side<F>(call, item);
        if constexpr (F::FLOATS)
            former.floats(anew(former.first_thread));
        else
            former.halves(anew(former.first_thread));
        stores_before_wgmma();
        __syncwarp();
        if (lane == 0)
            barrier_arrive(F::s_full(base, former.s.stage));
        if constexpr (F::PAIR)
            give_sums<F>(base, former.s.stage, rank, former.first_thread);
        former.x.skip((F::SUM_GROUPS - 1) * F::SLABS);
        former.s.skip(F::PAIR ? 2 : F::SUM_GROUPS);
    }
}

} // namespace

#endif
