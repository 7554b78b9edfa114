/* How conv_dense_split parts a convolution among blocks, and the rule that chooses: plain C, so
 * that a test can try it without a GPU.
 *
 * A block of 8 warps has a tile of th x tw outputs of one image, for 16 mt wm filters. Its warps
 * stand as wm x wn x wk: along the filters, along the tile's outputs (8 nt each), and along the
 * sum (every wk-th step; a step is 16 channels at one tap). Channels go by groups of 16: `split`
 * blocks share them, and a block takes its own `chunk` groups at a time. */
#ifndef HPC_CONV2D_SPLIT_PLAN_H
#define HPC_CONV2D_SPLIT_PLAN_H

#include <stdbool.h>

#include "conv2d/conv2d.h"

enum { SPLIT_WARPS = 8, SPLIT_MOST = 8, SPLIT_GROUP = 16 };

struct split_plan {
    int mt, nt;     /* a warp's products: 16 filters each, 8 outputs each */
    int wm, wn, wk; /* warps of a block; their product is SPLIT_WARPS */
    int th, tw;     /* rows and columns of a tile: th tw <= 8 nt wn */
    int split, chunk;
    int halves; /* of each number: 2 for fp32's accuracy, 1 where TF32's will do */
};

/* Where products are shuffles, up to sm_70, a kernel takes a minute to compile: there is one size.
 */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 750
#define SPLIT_SMALL 1
#else
#define SPLIT_SMALL 0
#endif

/* What the rule knows of the GPU. */
struct split_gpu {
    int processors;   /* multiprocessors */
    int shared_bytes; /* of shared memory that a block may have */
    int halves;       /* as in a plan */
    bool clusters;    /* blocks may share a sum through each other's shared memory */
    bool small;       /* kernels of the smallest size alone: SPLIT_SMALL */
};

CONV_INLINE int split_up(int a, int b)
{
    return (a + b - 1) / b;
}

/* Rows and columns of x that a tile needs. */
CONV_INLINE int split_patch_rows(const struct conv2d_problem *p, const struct split_plan *s)
{
    return (s->th - 1) * p->stride + p->r;
}

CONV_INLINE int split_patch_columns(const struct conv2d_problem *p, const struct split_plan *s)
{
    return (s->tw - 1) * p->stride + p->s;
}

CONV_INLINE int split_pixels(const struct conv2d_problem *p, const struct split_plan *s)
{
    return split_patch_rows(p, s) * split_patch_columns(p, s);
}

/* Bytes of a pixel in shared memory: its channels' upper halves, their lower halves, and 16 more so
 * that 8 neighbours lie in 8 different sets of banks. */
CONV_INLINE int split_pitch(const struct split_plan *s)
{
    return s->chunk * SPLIT_GROUP * 2 * s->halves + 16;
}

CONV_INLINE int split_filters(const struct split_plan *s)
{
    return 16 * s->mt * s->wm;
}

/* Groups of channels that one of the `split` blocks has. */
CONV_INLINE int split_groups(const struct conv2d_problem *p, const struct split_plan *s)
{
    return split_up(split_up(p->c, SPLIT_GROUP), s->split);
}

CONV_INLINE int split_tiles(const struct conv2d_problem *p, const struct split_plan *s)
{
    return split_up(conv2d_rows(p), s->th) * split_up(conv2d_columns(p), s->tw);
}

CONV_INLINE int split_outputs(const struct split_plan *s)
{
    return 8 * s->nt * s->wn;
}

/* Shared memory: the patch, and in the same place the block's sums; then what other blocks of the
 * cluster send; then where each pixel, each output and each step is. */
struct split_memory {
    int inbox, tables, all; /* where they begin, and bytes of all */
};

CONV_INLINE struct split_memory split_memory_of(const struct conv2d_problem *p,
                                                const struct split_plan *s)
{
    struct split_memory m;
    const int pixels = split_pixels(p, s);
    const int block = split_filters(s) * split_outputs(s) * 4, sums = s->wk * block;
    m.inbox = pixels * split_pitch(s);
    if (m.inbox < sums)
        m.inbox = sums;
    m.inbox = split_up(m.inbox, 16) * 16;
    m.tables = m.inbox + (s->split > 1 ? block + 512 * s->split : 0);
    m.all = m.tables + 4 * (pixels + split_outputs(s) + s->chunk * p->r * p->s);
    return m;
}

/* x / by for 0 <= x < 2^22, by a multiplication: what a GPU divides by takes 20 instructions. */
struct split_divisor {
    float inverse;
};

CONV_INLINE struct split_divisor split_by(int by)
{
    const struct split_divisor d = {1.0f / (float)by};
    return d;
}

CONV_INLINE int split_over(int x, struct split_divisor by)
{
    return (int)(((float)x + 0.5f) * by.inverse);
}

/* Two blocks share a multiprocessor where a warp's sums are few enough. */
CONV_INLINE int split_resident(const struct split_plan *s)
{
    return s->mt * s->nt > 7 ? 1 : 2;
}

/* Blocks that run at a time: a cluster lies in one of 8 parts of the GPU, which have 14 to 18 of an
 * H200's 132 processors. */
CONV_INLINE int split_room(const struct split_plan *s, const struct split_gpu *g)
{
    static const int parts[8] = {18, 18, 18, 18, 16, 16, 14, 14};
    int room = 0;
    if (g->processors < 8 || !g->clusters)
        return g->processors * split_resident(s);
    for (int i = 0; i < 8; i++)
        room += parts[i] * g->processors / 132 * split_resident(s) / s->split * s->split;
    return room > 0 ? room : 1;
}

/* Clock cycles that a plan takes, roughly. The factors were fitted to 4,600 plans on an H200:
 * products, steps that wait for one another, x to be split, chunks, sums to be added, L2 traffic.
 */
CONV_INLINE double split_cost(const struct conv2d_problem *p, const struct split_plan *s,
                              const struct split_gpu *g)
{
    const int taps = p->r * p->s, groups = split_groups(p, s), tiles = s->mt * s->nt;
    const double blocks =
        (double)p->n * split_tiles(p, s) * split_up(p->k, split_filters(s)) * s->split;
    const double rounds = (double)(long)((blocks + split_room(s, g) - 1) / split_room(s, g));
    const double filled = blocks / g->processors / rounds;
    const double together = filled <= 1 ? 1 : split_resident(s);
    const double steps = split_up(groups * taps, s->wk), chunks = split_up(groups, s->chunk);
    const double elements = (double)split_pixels(p, s) * groups * SPLIT_GROUP;
    const double weights = (double)split_filters(s) * groups * SPLIT_GROUP * taps * 2 * s->halves;
    const double adding = s->split > 1 ? 96.0 * tiles + 200 * s->split : 0;
    const double each = steps * (19 + 26 * tiles) + 5000 * chunks + adding;
    const double shared = 19 * steps * tiles * (2 * s->halves - 1) + 0.75 * elements;
    return 2200 + rounds * (each + together * shared) +
           2.3e-4 * 132 / g->processors * blocks * (weights + 4 * elements);
}

/* As many groups at a time as `room` bytes allow, in equal chunks; false where not even one. */
CONV_INLINE bool split_set_chunk(const struct conv2d_problem *p, struct split_plan *s, int room)
{
    const int groups = split_groups(p, s);
    for (int chunks = 1; chunks <= groups; chunks++) {
        s->chunk = split_up(groups, chunks);
        if (split_memory_of(p, s).all <= room)
            return true;
    }
    return false;
}

/* Tiles whose columns are the i-th part of a row, as high as the warps' outputs allow. */
CONV_INLINE bool split_set_tile(const struct conv2d_problem *p, struct split_plan *s, int part)
{
    const int rows = conv2d_rows(p), most = 8 * s->nt * s->wn;
    s->tw = split_up(conv2d_columns(p), part);
    if (s->tw > most)
        return false;
    s->th = most / s->tw < rows ? most / s->tw : rows;
    s->th = split_up(rows, split_up(rows, s->th));
    return true;
}

/* All that the rule tries, one after another: 0 .. SPLIT_PLANS - 1; false where one cannot be. */
enum { SPLIT_PARTS = 16, SPLIT_SPLITS = 8, SPLIT_SHAPES = 10, SPLIT_SIZES = 4 };
enum { SPLIT_PLANS = SPLIT_PARTS * SPLIT_SPLITS * SPLIT_SHAPES * SPLIT_SIZES };

CONV_INLINE bool split_plan_at(const struct conv2d_problem *p, const struct split_gpu *g, int at,
                               struct split_plan *s)
{
    static const int sizes[SPLIT_SIZES][2] = {{1, 4}, {1, 7}, {2, 7}, {2, 14}};
    int shape = at / (SPLIT_PARTS * SPLIT_SPLITS) % SPLIT_SHAPES;
    const int *size = sizes[at / (SPLIT_PARTS * SPLIT_SPLITS * SPLIT_SHAPES)];
    s->halves = g->halves;
    if (g->small && size != sizes[0])
        return false;
    s->mt = size[0];
    s->nt = size[1];
    for (s->wm = 1; s->wm <= SPLIT_WARPS; s->wm *= 2)
        for (s->wn = 1; s->wm * s->wn <= SPLIT_WARPS; s->wn *= 2)
            if (shape-- == 0) {
                s->wk = SPLIT_WARPS / (s->wm * s->wn);
                s->split = at % SPLIT_SPLITS + 1;
                const int groups = split_up(p->c, SPLIT_GROUP);
                if (s->split > groups || split_up(groups, split_up(groups, s->split)) != s->split)
                    return false; /* a block without channels */
                if (!split_set_tile(p, s, at / SPLIT_SPLITS % SPLIT_PARTS + 1))
                    return false;
                const int room = g->shared_bytes / split_resident(s) - 1024;
                return split_set_chunk(p, s, room);
            }
    return false;
}

/* The plan of least cost; false where none fits the GPU. */
CONV_INLINE bool split_plan_choose(const struct conv2d_problem *p, const struct split_gpu *g,
                                   struct split_plan *best)
{
    double least = -1;
    for (int i = 0; i < SPLIT_PLANS; i++) {
        struct split_plan s;
        if (!split_plan_at(p, g, i, &s))
            continue;
        const double cost = split_cost(p, &s, g);
        if (least < 0 || cost < least) {
            least = cost;
            *best = s;
        }
    }
    return least >= 0;
}

#endif
