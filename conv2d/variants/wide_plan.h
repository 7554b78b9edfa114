/* How conv_dense_split parts a convolution among blocks where the GPU has Hopper's products of a
 * warpgroup (wide_kernel.h), and the rule that chooses: plain C, so that a test can try it.
 *
 * A block has 64 filters and a tile of th x tw outputs of one image. Two warpgroups multiply: side
 * by side, `columns` outputs each (wn 2), or both all of the tile, each every second group of 16
 * channels (wn 1). Outputs go by eights that are neighbours in a row of the patch; from one eight
 * to the next are `step` pixels: 8 where a tile is one long run of pixels, of which some are no
 * outputs (the ends of rows), or a row of the patch where a warpgroup's tile is 8 outputs wide.
 *
 * With a stride the patch is kept as planes of every stride-th pixel, so that neighbouring outputs
 * have neighbouring pixels.
 *
 * Blocks of a cluster share the channels and add their sums through each other's shared memory. */
#ifndef HPC_CONV2D_WIDE_PLAN_H
#define HPC_CONV2D_WIDE_PLAN_H

#include <stdbool.h>

#include "conv2d/conv2d.h"

enum {
    WIDE_FILTERS = 64,   /* of a block: the rows of a warpgroup's product */
    WIDE_GROUP = 16,     /* channels of a step */
    WIDE_CONVERTERS = 7, /* warps that split x */
    WIDE_THREADS = 512,
    WIDE_TAPS = 3,      /* of a stage of weights, but where there is one tap in all */
    WIDE_TAP_ROWS = 17, /* stages of weights that a group may have */
    WIDE_PIECE = 2048,  /* bytes of 64 filters x 8 outputs in floats */
    WIDE_TABLES = 320,  /* bytes of barriers, scales, ranges */
};

/* Items, 8 channels of a pixel, that a thread that splits x holds: more where sums are few. */
#define WIDE_ITEMS(columns) ((columns) < 80 ? 4 : 3)

struct wide_plan {
    int columns, wn;
    int th, tw, step;
    int second; /* the pixel that the second warpgroup begins at, wn 2 */
    int cluster;
    int deep; /* groups of a stage of x: 2 where a patch is small, so that a stage is worth its
                 start */
    int x_stages, w_stages;
    int halves; /* of each number: 2 for fp32's accuracy, 1 where TF32's will do */
};

/* What the rule knows of the GPU. */
struct wide_gpu {
    int processors, shared_bytes, halves;
};

CONV_INLINE int wide_up(int a, int b)
{
    return (a + b - 1) / b;
}

/* Taps of a stage of weights; those that the last stage lacks are zero. */
CONV_INLINE int wide_taps_each(const struct conv2d_problem *p)
{
    return p->r * p->s == 1 ? 1 : WIDE_TAPS;
}

CONV_INLINE int wide_tap_rows(const struct conv2d_problem *p)
{
    return wide_up(p->r * p->s, wide_taps_each(p));
}

CONV_INLINE int wide_groups(const struct conv2d_problem *p)
{
    return wide_up(p->c, WIDE_GROUP);
}

CONV_INLINE int wide_groups_each(const struct conv2d_problem *p, const struct wide_plan *s)
{
    return wide_up(wide_groups(p), s->cluster);
}

/* Tiles of an image, and columns of all. */
CONV_INLINE int wide_across(const struct conv2d_problem *p, const struct wide_plan *s)
{
    return wide_up(conv2d_columns(p), s->tw);
}

CONV_INLINE int wide_tiles(const struct conv2d_problem *p, const struct wide_plan *s)
{
    return wide_across(p, s) * wide_up(conv2d_rows(p), s->th);
}

CONV_INLINE int wide_outputs(const struct wide_plan *s)
{
    return s->columns * s->wn;
}

/* x / by, for products of the two below 2^20, and what it takes. */
CONV_INLINE int wide_inverse(int by)
{
    return (1 << 20) / by + 1;
}

CONV_INLINE int wide_over(int x, int inverse)
{
    return (int)((unsigned)x * (unsigned)inverse >> 20);
}

/* The patch: row_phases x column_phases planes of `rows` x `pitch` pixels. */
struct wide_patch {
    int row_phases, column_phases, rows, pitch, plane, pixels;
    int wide, needed; /* a row's pixels that a tap reads, of all planes; and all rows' */
    int over_wide, over_needed, over_row_phases, over_column_phases;
    int apart; /* `pixels` and some more: 8 channels' and the next 8's lie in different banks */
};

CONV_INLINE struct wide_patch wide_patch_of(const struct conv2d_problem *p,
                                            const struct wide_plan *s)
{
    struct wide_patch a = {0};
    a.row_phases = p->r < p->stride ? p->r : p->stride;
    a.column_phases = p->s < p->stride ? p->s : p->stride;
    a.rows = s->th + (p->r - 1) / p->stride;
    a.pitch = s->tw + (p->s - 1) / p->stride;
    a.wide = (s->tw - 1) * a.column_phases + p->s;
    a.needed = ((s->th - 1) * a.row_phases + p->r) * a.wide;
    a.pitch += a.pitch % 2; /* two neighbours of an even column are in one row */
    a.plane = a.rows * a.pitch;
    if (a.column_phases > 1) /* neighbours in x lie in planes whose banks differ */
        a.plane += (wide_up(8, a.column_phases) + 8 - a.plane % 8) % 8;
    a.pixels = a.row_phases * a.column_phases * a.plane;
    a.apart = wide_up(a.pixels, 8) * 8 + (a.column_phases == 2 ? 2 : 4);
    a.over_wide = wide_inverse(a.wide);
    a.over_needed = wide_inverse(a.needed);
    a.over_row_phases = wide_inverse(a.row_phases);
    a.over_column_phases = wide_inverse(a.column_phases);
    return a;
}

/* The number-th pixel of the patch that a tap reads, 0 .. needed - 1, as they lie in x: which one
 * of the patch it is, and its row and column from the tile's first one on. */
struct wide_needed {
    int pixel, row, column;
};

CONV_INLINE struct wide_needed wide_needed_at(const struct conv2d_problem *p,
                                              const struct wide_patch *a, int number)
{
    const int u = wide_over(number, a->over_wide), v = number - u * a->wide;
    struct wide_needed n = {u * a->pitch + v, u, v};
    if (p->stride > 1) {
        const int down = wide_over(u, a->over_row_phases);
        const int right = wide_over(v, a->over_column_phases);
        const int row_phase = u - down * a->row_phases, column_phase = v - right * a->column_phases;
        n.pixel =
            (row_phase * a->column_phases + column_phase) * a->plane + down * a->pitch + right;
        n.row = down * p->stride + row_phase;
        n.column = right * p->stride + column_phase;
    }
    return n;
}

/* What a tap adds to an output's pixel. */
CONV_INLINE int wide_shift(const struct conv2d_problem *p, const struct wide_patch *a, int tap)
{
    const int r = tap / p->s, s = tap % p->s, t = p->stride;
    return (r % t * a->column_phases + s % t) * a->plane + r / t * a->pitch + s / t;
}

/* The pixel of a block's output, by its number; it is none where the pixel's row or column in the
 * plane is not below th, tw. */
CONV_INLINE int wide_pixel(const struct wide_plan *s, int warpgroup, int column)
{
    return (s->wn == 2 && warpgroup ? s->second : 0) + column / 8 * s->step + column % 8;
}

/* Terms of a sum that are added at the end. */
CONV_INLINE int wide_sources(const struct wide_plan *s)
{
    return s->cluster * (s->wn == 1 ? 2 : 1);
}

/* Shared memory, in bytes from a multiple of 128. */
struct wide_memory {
    int x_stage, w_stage, w, inbox, tables, all;
};

CONV_INLINE struct wide_memory wide_memory_of(const struct conv2d_problem *p,
                                              const struct wide_plan *s)
{
    struct wide_memory m;
    const struct wide_patch a = wide_patch_of(p, s);
    const int pieces = wide_outputs(s) / 8;
    m.x_stage = wide_up(a.apart * 32 * s->halves * s->deep, 128) * 128;
    m.w_stage = wide_taps_each(p) * WIDE_PIECE * s->halves;
    m.w = s->x_stages * m.x_stage;
    m.inbox = m.w + s->w_stages * m.w_stage;
    m.tables = m.inbox;
    if (wide_sources(s) > 1)
        m.tables += wide_up(pieces, s->cluster) * wide_sources(s) * WIDE_PIECE;
    m.all = m.tables + WIDE_TABLES + 128;
    return m;
}

/* As many stages as fit: of x first, then of weights. */
CONV_INLINE bool wide_set_stages(const struct conv2d_problem *p, struct wide_plan *s, int room)
{
    for (s->x_stages = 4; s->x_stages >= 2; s->x_stages--)
        for (s->w_stages = 8; s->w_stages >= (s->x_stages > 2 ? 5 : 2); s->w_stages--)
            if (wide_memory_of(p, s).all <= room)
                return true;
    return false;
}

/* Tiles: the i-th part of a row in one run (i below WIDE_PARTS), or strips of 8 or 16 columns. */
enum { WIDE_PARTS = 16, WIDE_STRIP, WIDE_STRIPS, WIDE_TILINGS };

CONV_INLINE bool wide_set_tile(const struct conv2d_problem *p, struct wide_plan *s, int tiling)
{
    const int rows = conv2d_rows(p), columns = conv2d_columns(p);
    const int more = (p->s - 1) / p->stride;
    s->step = 8;
    s->second = s->columns;
    if (tiling < WIDE_PARTS) {
        const int most = wide_outputs(s);
        s->tw = wide_up(columns, tiling + 1);
        if (s->tw > most)
            return false;
        s->th = (most - s->tw) / (wide_up(s->tw + more, 2) * 2) + 1;
    } else {
        s->tw = tiling == WIDE_STRIPS ? 16 : 8;
        s->th = tiling == WIDE_STRIPS ? s->columns / 8 : wide_outputs(s) / 8;
        s->step = wide_up(s->tw + more, 2) * 2;
        s->second = tiling == WIDE_STRIPS ? 8 : s->columns / 8 * s->step;
        if (s->wn == 1 && tiling == WIDE_STRIPS)
            return false;
    }
    s->th = s->th < rows ? s->th : rows;
    s->th = wide_up(rows, wide_up(rows, s->th));
    return wide_patch_of(p, s).needed * 2 * s->deep <=
           WIDE_CONVERTERS * 32 * WIDE_ITEMS(s->columns);
}

#endif
