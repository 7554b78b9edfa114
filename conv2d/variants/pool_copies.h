/* The copy warps of the fused convolution-pooling (pool_kernel.h): which boxes of x and which
 * weights a block gets, in which order. */
#ifndef HPC_CONV2D_POOL_COPIES_H
#define HPC_CONV2D_POOL_COPIES_H

#include "conv2d/variants/pool_walk.h"

namespace
{

/* One thread's copies of x. */
template <class F> struct box_copies {
    const CUtensorMap *boxes;
    uint32_t base;
    ring<F::X_STAGES> at;
    box_walk<F> now;

    DEVICE box_copies(const CUtensorMap *boxes_, const pool_call &call, const block_work &work,
                      uint32_t base_)
        : boxes(boxes_), base(base_), at(1), now(call, work)
    {
    }

    /* The first box comes as far as the L2 while an earlier launch may still write x: there the two
     * meet, so what a copy reads later is right. */
    DEVICE void fetch_first() const
    {
        for (int slab = 0; slab < F::SLABS && OVERLAP && now.more(); slab++)
            at_box(now.work.from * F::CHUNK, now.column[0], now.row[0],
                   now.image[0] + slab * F::BOX_IMAGES,
                   [&](int a, int b, int c, int d) { fetch_box(boxes, a, b, c, d); });
    }

    /* take(coordinates of the box in the map of x). */
    template <class TAKE>
    DEVICE void at_box(int channel, int column, int row, int image, TAKE take) const
    {
        if (F::WHOLE && F::NCHW)
            take(0, channel, image, 0);
        else if (F::WHOLE)
            take(channel, 0, 0, image);
        else if (F::BARE) /* beside another one, a multiple of 16 bytes early */
            take(column < 0 ? 0 : column + now.call.p.conv.pad - F::PER, row, channel, image);
        else if (F::NCHW)
            take(column - now.call.early, row, channel, image);
        else
            take(channel, column, row, image);
    }

    DEVICE bool more() const
    {
        return now.more();
    }

    DEVICE bool ready() const
    {
        return barrier_passed(F::x_empty(base, at.stage), at.parity);
    }

    DEVICE void issue()
    {
        const uint32_t full = F::x_full(base, at.stage);
        barrier_wait(F::x_empty(base, at.stage), at.parity);
        barrier_expect(full, F::X_BYTES);
        now.next([&](int channel, int column, int row, int image) {
            at_box(channel, column, row, image, [&](int a, int b, int c, int d) {
                copy_box(base + F::X_AT + at.stage * F::X_STAGE, boxes, a, b, c, d, full);
            });
        });
        at.next();
    }
};

/* One thread's copies of weights: nine taps a chunk; `from` runs on. */
template <class F> struct weight_copies {
    const pool_call &call;
    const block_work &work;
    uint32_t base;
    ring<F::W_STAGES> at;
    int tile, left;
    const char *from;

    DEVICE weight_copies(const pool_call &call_, const block_work &work_, uint32_t base_)
        : call(call_), work(work_), base(base_), at(1), tile(work_.first)
    {
        find();
    }

    DEVICE void find()
    {
        const int chunks = call.p.conv.c / F::CHUNK;
        left = work.count * 9;
        from = (const char *)call.packed +
               ((size_t)work.filter_tile<F>(call, tile) * chunks + work.from) * 9 * F::W_STAGE;
    }

    DEVICE bool more() const
    {
        return tile < call.tiles;
    }

    DEVICE bool ready() const
    {
        return barrier_passed(F::w_empty(base, at.stage), at.parity);
    }

    DEVICE void issue()
    {
        const uint32_t full = F::w_full(base, at.stage);
        barrier_wait(F::w_empty(base, at.stage), at.parity);
        barrier_expect(full, F::W_STAGE);
        copy_bytes(base + F::W_AT + at.stage * F::W_STAGE, from, F::W_STAGE, full);
        from += F::W_STAGE;
        at.next();
        if (--left == 0) {
            tile = F::HELD ? call.tiles : tile + work.step;
            find();
        }
    }
};

/* Barriers `first` .. `first + count - 1` of a block, by one thread. */
template <class F> DEVICE void init_barriers(uint32_t base, int first, int count, int rank)
{
#pragma unroll
    for (int i = first; i < first + count; i++) {
        barrier_init(F::x_full(base, i), F::arrivals(i, rank));
        if (F::CLUSTER > 1 && F::bytes_sent(i, rank))
            barrier_expect(F::x_full(base, i), F::bytes_sent(i, rank));
    }
}

/* A copy warp's own barriers: nobody waits for its first copies, so it sets what they arrive at,
 * and what later ones wait for, itself. */
template <class F>
DEVICE void init_copies(const CUtensorMap *map, uint32_t base, int warp, int lane)
{
    if (lane == 0) {
        if (F::COPY_WARPS == 1 || warp == 1) {
            asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
            init_barriers<F>(base, 0, 2 * F::X_STAGES, 0);
        }
        if (F::COPY_WARPS == 1 || warp == 0)
            init_barriers<F>(base, F::W_FULL, 2 * F::W_STAGES, 0);
        barriers_ready();
    }
    __syncwarp();
}

/* The copy warps' only thread: one copies weights, one x; or one both. A warp that waits for it
 * would slow it, and so would numbers that the compiler does not see to be the warp's. The next
 * launch is let in behind the last box: before that its blocks would take memory's time from this
 * one's. */
template <class F>
DEVICE void copy_all(const CUtensorMap *map, const pool_call &call, const block_work &work,
                     uint32_t base, int warp)
{
    box_copies<F> boxes(map, call, work, base);
    weight_copies<F> weights(call, work, base);
    if (F::COPY_WARPS == 2 && warp == 0) {
        while (weights.more())
            weights.issue();
    } else if (F::COPY_WARPS == 2) {
        boxes.fetch_first();
        wait_for_earlier_launches();
        while (boxes.more())
            boxes.issue();
        allow_next_launch();
    } else {
        boxes.fetch_first();
        for (int i = 0; i < F::W_STAGES && weights.more(); i++)
            weights.issue();
        wait_for_earlier_launches();
        for (int i = 0; i < F::X_STAGES && boxes.more(); i++)
            boxes.issue();
        if (!boxes.more())
            allow_next_launch();
        while (boxes.more() || weights.more()) {
            if (weights.more() && weights.ready())
                weights.issue();
            if (boxes.more() && boxes.ready()) {
                boxes.issue();
                if (!boxes.more())
                    allow_next_launch();
            }
        }
    }
}

} // namespace

#endif
