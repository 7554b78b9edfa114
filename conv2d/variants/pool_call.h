/* What a launch of the fused convolution-pooling is given, and where its outputs lie. */
#ifndef HPC_CONV2D_POOL_CALL_H
#define HPC_CONV2D_POOL_CALL_H

#include "conv2d/convpool.h"
#include "conv2d/variants/hopper_copy.h"
#include "conv2d/variants/quotient.h"

/* Whether launches may overlap; with -DALONE they do not. */
#ifdef ALONE
#define OVERLAP false
#else
#define OVERLAP true
#endif

namespace
{

struct pool_call {
    struct convpool_problem p;
    const void *x, *w;
    int early;            /* columns that a box of x begins early: pool_tile.h; 0 in NHWC */
    const void *packed;   /* weights as the stages want them: pool_weights.h */
    const float *unscale; /* of each filter: what its sums are multiplied by at the end */
    void *y;
    int rows, columns;          /* of y */
    int down, across;           /* subtiles of an image */
    int subtiles, filter_tiles; /* of all images; K / FILTERS */
    int tiles;                  /* those of a block's shape: (subtiles / GROUPS) x filter_tiles */
    struct quotient by_filter_tiles, by_across, by_down;
    float4 *partial; /* pool_stream.h, where blocks share the channels: their sums, */
    int *arrived;    /* and how many of a tile's have left them */
};

/* One output's place; not `there` where a subtile hangs over the map's or the batch's end. */
struct pool_place {
    int image, u, v;
    bool there;
};

/* Where in its image a subtile lies that is no small map's. */
struct subtile_place {
    int image, down, across;

    DEVICE subtile_place(const pool_call &call, int subtile)
    {
        const int row = quotient_of(subtile, call.by_across);
        across = subtile - row * call.across;
        image = quotient_of(row, call.by_down);
        down = row - image * call.down;
    }
};

/* Output m < 64 of a subtile. */
template <class F> DEVICE pool_place place_of(const pool_call &call, int subtile, int m)
{
    pool_place at;
    if (F::SMALL) {
        at.image = subtile * F::IMAGES + m / 4 % F::IMAGES;
        at.u = m / 4 / F::IMAGES; /* past the last one: an idle row */
        at.v = m & 3;
    } else {
        const subtile_place place(call, subtile);
        at.image = place.image;
        at.u = place.down * F::OUT_ROWS + m / F::OUT_COLUMNS;
        at.v = place.across * F::OUT_COLUMNS + m % F::OUT_COLUMNS;
    }
    at.there = at.image < call.p.conv.n && at.u < call.rows && at.v < call.columns &&
               (!F::SHORT || m < 32);
    return at;
}

/* Index of its filter 0 in y, and what lies between neighbouring filters. */
template <class F> DEVICE size_t place_index(const pool_call &call, const pool_place &at)
{
    if (F::NCHW)
        return ((size_t)at.image * call.p.conv.k * call.rows + at.u) * call.columns + at.v;
    return (((size_t)at.image * call.rows + at.u) * call.columns + at.v) * call.p.conv.k;
}

template <class F> DEVICE size_t filter_step(const pool_call &call)
{
    return F::NCHW ? (size_t)call.rows * call.columns : 1;
}

} // namespace

#endif
