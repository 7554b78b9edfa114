/* The fused convolution-pooling on Hopper: one launch that reads x once, forms the sums S of
 * pool_tile.h on their way into shared memory and multiplies by shifted reads of it; neither S nor
 * its windows are ever in device memory.
 *
 * Interface: pool_kernel<F>, a block a tile and then every (gridDim.x / SPLIT)-th one, F::THREADS
 * threads, F::SHARED_BYTES, clusters of F::SPLIT (then a tile a cluster, no more).
 *
 *   a warp     copies boxes of x         -> x full                       (the copy engine)
 *   a warp     copies weights, tap by tap             -> w full          (the copy engine)
 *   sum warps  x full -> S               -> s full, x empty
 *   products   s full, w full -> wgmma   -> s empty, w empty; then y
 *
 * Launches may overlap: while the launch before this one ends, weights are copied, and the first
 * box of x comes as far as the L2. */
#ifndef HPC_CONV2D_POOL_KERNEL_H
#define HPC_CONV2D_POOL_KERNEL_H

#include "conv2d/variants/pool_products.h"
#include "conv2d/variants/pool_store.h"
#include "conv2d/variants/pool_sums.h"

namespace
{

/* What a block works on: tiles first, first + step ..; chunks [from, from + count) of each. */
struct block_work {
    int first, step, from, count, rank;

    template <class F> static DEVICE block_work of(const pool_call &call)
    {
        block_work w;
        w.rank = F::SPLIT > 1 ? (int)cluster_rank() : 0;
        w.first = blockIdx.x / F::SPLIT;
        w.step = gridDim.x / F::SPLIT;
        w.count = call.p.conv.c / F::CHUNK / F::SPLIT;
        w.from = w.rank * w.count;
        return w;
    }

    DEVICE int tiles(const pool_call &call) const
    {
        return first < call.tiles ? (call.tiles - first + step - 1) / step : 0;
    }
};

/* Goes over the boxes of x in the order of the sums: tiles, chunks, subtiles. */
template <class F> struct box_walk {
    const pool_call &call;
    const block_work &work;
    int tile, chunk, group;
    int row[F::GROUPS], column[F::GROUPS], image[F::GROUPS]; /* of a tile's subtiles */

    DEVICE box_walk(const pool_call &call_, const block_work &work_)
        : call(call_), work(work_), tile(work_.first), chunk(0), group(0)
    {
        find();
    }

    DEVICE void find()
    {
        const int down = call.down;
#pragma unroll
        for (int g = 0; g < F::GROUPS; g++) {
            const int subtile = tile / call.filter_tiles * F::GROUPS + g;
            row[g] = column[g] = -call.p.conv.pad;
            image[g] = subtile * 4;
            if (!F::SMALL) {
                image[g] = subtile / (call.across * down);
                row[g] += subtile / call.across % down * 16;
                column[g] += subtile % call.across * 16;
            }
        }
    }

    DEVICE bool more() const
    {
        return tile < call.tiles;
    }

    /* take(channel, column, row, image) of this box; on to the next one. */
    template <class TAKE> DEVICE void next(TAKE take)
    {
#pragma unroll
        for (int g = 0; g < F::GROUPS; g++) /* no register is indexed at run time */
            if (g == group)
                take((work.from + chunk) * F::CHUNK, column[g], row[g], image[g]);
        if (++group < F::GROUPS)
            return;
        group = 0;
        if (++chunk < work.count)
            return;
        chunk = 0;
        tile += work.step;
        find();
    }
};

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
        if (OVERLAP && now.more())
            fetch_box(boxes, now.work.from * F::CHUNK, now.column[0], now.row[0], now.image[0]);
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
            copy_box(base + F::X_AT + at.stage * F::X_STAGE, boxes, channel, column, row, image,
                     full);
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
               ((size_t)(tile % call.filter_tiles) * chunks + work.from) * 9 * F::W_STAGE;
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

/* The copy warps' only thread: one copies weights, one x; or one both. */
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
    } else {
        for (int i = 0; i < F::W_STAGES && weights.more(); i++)
            weights.issue();
        boxes.fetch_first();
        wait_for_earlier_launches();
        while (boxes.more() || weights.more()) {
            if (weights.more() && weights.ready())
                weights.issue();
            if (boxes.more() && boxes.ready())
                boxes.issue();
        }
    }
}

template <class F>
DEVICE void multiply_all(const pool_call &call, const block_work &work, uint32_t base, int thread)
{
    const int group = thread / 128, warp = thread / 32 % 4, lane = thread % 32;
    product_stages<F> at(base, group, lane);
#pragma unroll 1
    for (int tile = work.first; tile < call.tiles; tile += work.step) {
        tile_sums<F, F::PRODUCTS> sums;
        const int subtile = tile / call.filter_tiles * F::GROUPS;
        const int filter = tile % call.filter_tiles * F::FILTERS;
        const bool lost = sums.multiply(&at, work.count);
        if constexpr (F::SPLIT > 1) {
            keep_partial<F>(sums.v, base, group, warp, lane, lost);
        } else {
            bool bad = lost;
            if constexpr (F::FLOATS)
                bad |= store_floats<F>(call, sums.v, subtile + group, filter, warp, lane);
            else
                bad |= store_halves<F>(call, sums.v,
                                       base + F::OUT_AT + (group * 4 + warp) * 16 * F::OUT_PITCH,
                                       subtile + group, filter, warp, lane);
            if (__any_sync(~0u, bad)) {
                __syncwarp();
                mend_rows<F>(call, subtile + group, warp * 16, filter, lane, lost);
            }
        }
    }
}

template <class F> DEVICE void init_block(const CUtensorMap *boxes, uint32_t base)
{
    if (threadIdx.x == 32)
        asm volatile("prefetch.tensormap [%0];" ::"l"(boxes) : "memory");
    if (threadIdx.x == 0) {
        for (int i = 0; i < F::X_STAGES; i++) {
            barrier_init(F::x_full(base, i), 1);
            barrier_init(F::x_empty(base, i), F::SUM_WARPS);
        }
        for (int i = 0; i < F::S_STAGES; i++) {
            barrier_init(F::s_full(base, i), F::SUM_WARPS);
            barrier_init(F::s_empty(base, i), 4);
        }
        for (int i = 0; i < F::W_STAGES; i++) {
            barrier_init(F::w_full(base, i), 1);
            barrier_init(F::w_empty(base, i), 4 * F::GROUPS);
        }
        barriers_ready();
        for (int i = 0; i < F::SUM_GROUPS * 3; i++)
            sum_range<F>::clear(base + F::RANGE_AT + i * 8);
    }
    if (F::SPLIT > 1)
        cluster_sync();
    else
        __syncthreads();
}

template <class F>
__global__ void __launch_bounds__(F::THREADS, F::BLOCKS)
    pool_kernel(const __grid_constant__ CUtensorMap boxes, const pool_call call)
{
#if HOPPER
    extern __shared__ char stages[];
    const uint32_t base = (shared_address(stages) + 1023) & ~1023u;
    const int warp = __shfl_sync(~0u, (int)threadIdx.x / 32, 0), lane = threadIdx.x % 32;
    const int helper = warp - F::GROUPS * 4;
    init_block<F>(&boxes, base);
    const block_work work = block_work::of<F>(call);
    if (threadIdx.x == 0)
        allow_next_launch();
    if (helper < 0) {
        if (F::PRODUCT_REGISTERS > F::AT_LAUNCH)
            take_registers<F::PRODUCT_REGISTERS>();
        multiply_all<F>(call, work, base, threadIdx.x);
    } else {
        if (F::HELPER_REGISTERS < F::AT_LAUNCH)
            give_registers<F::HELPER_REGISTERS>();
        if (helper < F::ALL_SUM_WARPS)
            form_sums<F>(base, helper, lane, work.tiles(call) * work.count * F::GROUPS);
        else if (lane == 0 && helper - F::ALL_SUM_WARPS < 2)
            copy_all<F>(&boxes, call, work, base, helper - F::ALL_SUM_WARPS);
    }
    if constexpr (F::SPLIT > 1) {
        __syncwarp();
        cluster_sync();
        if (helper < 0)
            store_split<F>(call, base, work.rank, work.first / call.filter_tiles * F::GROUPS,
                           work.first % call.filter_tiles * F::FILTERS, threadIdx.x);
        __syncwarp();
        cluster_sync(); /* no block's shared memory goes before the others have read it */
    }
#endif
}

} // namespace

#endif
