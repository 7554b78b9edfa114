/* What a block of the fused convolution-pooling works on (pool_kernel.h): its tiles, its part of
 * the channels, and its boxes of x in the order of the sums. */
#ifndef HPC_CONV2D_POOL_WALK_H
#define HPC_CONV2D_POOL_WALK_H

#include "conv2d/variants/pool_call.h"

namespace
{

/* What a block works on: tiles first, first + step ..; chunks [from, from + count) of each. */
struct block_work {
    int first, step, from, count, rank;

    template <class F> static DEVICE block_work of(const pool_call &call)
    {
        block_work w;
        w.rank = F::CLUSTER > 1 ? (int)cluster_rank() : 0;
        w.first = blockIdx.x / F::CLUSTER;
        w.step = gridDim.x / F::CLUSTER;
        w.count = call.p.conv.c / F::CHUNK / F::SPLIT;
        w.from = F::SPLIT > 1 ? w.rank * w.count : 0;
        return w;
    }

    /* A tile's first subtile, and its tile of filters: of this block. */
    template <class F> DEVICE int subtile(const pool_call &call, int tile) const
    {
        return quotient_of(tile, call.by_filter_tiles) * F::GROUPS;
    }

    template <class F> DEVICE int filter_tile(const pool_call &call, int tile) const
    {
        const int column = tile - quotient_of(tile, call.by_filter_tiles) * call.filter_tiles;
        return F::PAIR ? column * 2 + rank : column;
    }

    /* Boxes that this block sums. */
    template <class F> DEVICE int boxes(const pool_call &call) const
    {
        const int all = tiles(call) * count * F::GROUPS;
        return F::PAIR ? (all - rank + 1) / 2 : all;
    }

    /* Whether its i-th box is the left or the right one of two subtiles side by side. */
    template <class F> DEVICE int side(const pool_call &call, int i) const
    {
        const int tile = first + i / (count * F::GROUPS) * step;
        return (subtile<F>(call, tile) + i % F::GROUPS) % 2;
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
    int tile, chunk, group, slab;
    int row[F::GROUPS], column[F::GROUPS], image[F::GROUPS]; /* of a tile's subtiles */

    DEVICE box_walk(const pool_call &call_, const block_work &work_)
        : call(call_), work(work_), tile(work_.first), chunk(0), group(0), slab(0)
    {
        find();
        if (F::PAIR && work.rank == 1)
            step();
    }

    DEVICE void find()
    {
#pragma unroll
        for (int g = 0; g < F::GROUPS; g++) {
            const int subtile = work.subtile<F>(call, tile) + g;
            row[g] = column[g] = -call.p.conv.pad;
            image[g] = subtile * F::IMAGES;
            if (!F::SMALL) {
                const subtile_place place(call, subtile);
                image[g] = place.image;
                row[g] += place.down * (2 * F::OUT_ROWS);
                column[g] += place.across * (2 * F::OUT_COLUMNS);
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
                take((work.from + chunk) * F::CHUNK, column[g], row[g],
                     F::SLABS > 1 ? image[g] + slab * F::BOX_IMAGES : image[g]);
        if (F::SLABS > 1) {
            if (++slab < F::SLABS)
                return;
            slab = 0;
        }
        step();
        if (F::PAIR && more())
            step();
    }

    DEVICE void step()
    {
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

} // namespace

#endif
