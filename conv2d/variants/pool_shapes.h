/* The rule that chooses the shape of tiles (pool_lists.h) for a problem: the first of the list that
 * fits it and has blocks for the part of the machine that it asks for; if none has, of those that
 * fit the first with the most blocks.
 *
 * C as well as CUDA: tests ask the rule without a GPU. */
#ifndef HPC_CONV2D_POOL_SHAPES_H
#define HPC_CONV2D_POOL_SHAPES_H

#include "conv2d/convpool.h"
#include "conv2d/variants/pool_lists.h"

/* What a subtile is, 64 outputs: 8 x 8 of an image; 4 x 4 of four images; where blocks are few
 * 4 x 4 of two images or one and 4 x 8 of one, the other outputs idle; in NCHW 4 x 16 of an image,
 * the last two of maps with one and two of them side by side, copied without padding. */
enum {
    POOL_SQUARE,
    POOL_SMALL,
    POOL_TWO,
    POOL_ONE,
    POOL_SHORT,
    POOL_FLAT,
    POOL_ROWS,
    POOL_SIDES,
};

/* Images of a subtile, 0 where it is a part of one; a template's argument, too. */
#define POOL_IMAGES(kind)                                                                          \
    ((kind) == POOL_SMALL ? 4 : (kind) == POOL_TWO ? 2 : (kind) == POOL_ONE ? 1 : 0)

struct pool_shape {
    int kind, chunk, groups, filters, x_stages, s_stages, w_stages, held;
    int sum_groups, sum_warps, columns, segments, split, blocks, pair, least;
};

#define POOL_SHAPE_ROW(...) {__VA_ARGS__},

/* What all shapes want: 3 x 3 filters, 2 x 2 pools, multiples of 32 channels and filters. */
static inline int pool_takes_layout(const struct convpool_problem *p, int layout)
{
    return p->conv.r == 3 && p->conv.s == 3 && p->pool == 2 && p->conv.layout == layout &&
           p->conv.c % 32 == 0 && p->conv.k % 32 == 0 && convpool_rows(p) > 0 &&
           convpool_columns(p) > 0;
}

static inline int pool_takes_shape(const struct convpool_problem *p)
{
    return pool_takes_layout(p, CONV_NHWC);
}

/* In NCHW, of elements of `bytes`: the copy engine wants rows of a multiple of 16 bytes. */
static inline int pool_takes_maps(const struct convpool_problem *p, int bytes)
{
    return pool_takes_layout(p, CONV_NCHW) && p->conv.w * bytes % 16 == 0;
}

/* Of either layout, whose maps are a box's each: rows of at most 256 elements in NCHW. */
static inline int pool_takes_whole(const struct convpool_problem *p)
{
    return pool_takes_layout(p, p->conv.layout) && p->conv.pad == 1 && p->conv.h == p->conv.w &&
           (p->conv.h == 8 || p->conv.h == 16);
}

/* Columns, x's or its neighbour's, that a box in NCHW begins early, for its 16 bytes. */
static inline int pool_early(const struct convpool_problem *p, int bytes)
{
    const int per = 16 / bytes;
    return (per - p->conv.pad % per) % per;
}

static inline int pool_is_small(const struct convpool_problem *p)
{
    return convpool_rows(p) <= 4 && convpool_columns(p) <= 4;
}

/* Subtiles of an image, down and across: not of a small one. */
static inline int pool_down(const struct convpool_problem *p, int kind)
{
    return kind >= POOL_SHORT ? (convpool_rows(p) + 3) / 4 : (convpool_rows(p) + 7) / 8;
}

static inline int pool_across(const struct convpool_problem *p, int kind)
{
    return kind >= POOL_FLAT ? (convpool_columns(p) + 15) / 16 : (convpool_columns(p) + 7) / 8;
}

static inline long long pool_subtiles(const struct convpool_problem *p, int kind)
{
    const int images = POOL_IMAGES(kind);
    if (images)
        return (p->conv.n + images - 1) / images;
    return (long long)p->conv.n * pool_down(p, kind) * pool_across(p, kind);
}

/* Whether subtiles of this kind suit a problem. The copy engine takes as long as x has lines of 128
 * bytes in a box, and columns outside of x cost as much: a flat box has fewer for its outputs than
 * a square one, worth up to a quarter more subtiles. */
static inline int pool_suits(const struct convpool_problem *p, int kind)
{
    if (POOL_IMAGES(kind) || pool_is_small(p))
        return POOL_IMAGES(kind) && pool_is_small(p);
    if (kind == POOL_SQUARE || kind == POOL_SHORT)
        return 1;
    if (p->conv.layout != CONV_NCHW ||
        4 * pool_subtiles(p, kind) > 5 * pool_subtiles(p, POOL_SQUARE))
        return 0;
    if (kind == POOL_ROWS)
        return p->conv.pad == 1 && p->conv.w == 32;
    return kind == POOL_FLAT || (p->conv.pad == 1 && p->conv.w > 32 && p->conv.w <= 64);
}

/* Blocks that work at the same time, at best. */
static inline long long pool_tiles(const struct convpool_problem *p, const struct pool_shape *s)
{
    return (pool_subtiles(p, s->kind) + s->groups - 1) / s->groups * (p->conv.k / s->filters);
}

static inline int pool_fits(const struct convpool_problem *p, const struct pool_shape *s)
{
    const int chunks = p->conv.c / (s->chunk * s->split);
    if (!pool_suits(p, s->kind) || p->conv.k % (s->filters * (s->pair ? 2 : 1)) != 0 ||
        p->conv.c % (s->chunk * s->split) != 0)
        return 0;
    if (s->sum_warps && s->split > 2 && chunks > 1) /* clusters that would take two rounds */
        return 0;
    return !s->held || 9 * chunks == s->w_stages;
}

/* Index into shapes[count], or -1. */
static inline int pool_choose(const struct convpool_problem *p, const struct pool_shape *shapes,
                              int count, int multiprocessors)
{
    long long most = 0;
    int chosen = -1;
    for (int i = 0; i < count; i++) {
        const long long blocks = pool_tiles(p, &shapes[i]) * shapes[i].split;
        const int enough = blocks * 8 >= (long long)shapes[i].least * multiprocessors;
        if (!pool_fits(p, &shapes[i]) || blocks + enough <= most)
            continue;
        chosen = i;
        most = blocks;
        if (enough)
            break;
    }
    return chosen;
}

#endif
