/* How conv_dense_split parts a convolution with a stride among blocks where x comes by Hopper's
 * copy engine as it is (box_kernel.h): plain C, so that a test can try it.
 *
 * A block has 64 or 128 filters, a tile of th x tw outputs of one image and a share of the
 * channels, by 32s. Two warpgroups multiply 64 outputs each with all of a step's filters: of the
 * same outputs, each every second step (wk 2), or of twice as many (wk 1). Blocks of
 * a cluster share the channels and add their sums. */
#ifndef HPC_CONV2D_BOX_PLAN_H
#define HPC_CONV2D_BOX_PLAN_H

#include <stdbool.h>

#include "conv2d/variants/wide_rule.h"

enum {
    BOX_FILTERS = 64,
    BOX_ROWS = 64,     /* outputs of a warpgroup's product */
    BOX_CHANNELS = 32, /* of a chunk: 128 bytes of a pixel */
    BOX_PIXEL = 128,
    BOX_STEP = 4096,      /* bytes of 64 filters x 32 channels at a tap, in halves */
    BOX_PRODUCT = 2048,   /* of them of one product, 16 channels */
    BOX_PIECE = 2048,     /* bytes of 64 outputs x 8 filters in floats */
    BOX_ROW = 3,          /* taps of a warpgroup's step, but where there is one in all */
    BOX_TAPS = 27,        /* with those that its last step lacks: zero */
    BOX_MOST_X = 4,       /* stages of x */
    BOX_MOST_STAGES = 16, /* of weights */
    BOX_FEW = 66,         /* blocks that leave half of the multiprocessors to the next launch */
    BOX_UNITS = 512,      /* bytes of barriers; behind them the filters' units */
    BOX_TABLES = 1024,
};

struct box_plan {
    int th, tw;
    int blocks; /* of 64 filters: 1 or 2 */
    int wk;
    int cluster;
    int x_stages, w_stages;
    int halves; /* that stand for one number: 2 for fp32's accuracy, 1 for TF32's */
};

CONV_INLINE int box_chunks(const struct conv2d_problem *p)
{
    return wide_up(p->c, BOX_CHANNELS);
}

/* Taps of a step, steps of a chunk, and taps of it with those that are lacking. */
CONV_INLINE int box_row(const struct conv2d_problem *p, int halves)
{
    return halves == 2 || p->r * p->s == 1 ? 1 : BOX_ROW;
}

CONV_INLINE int box_rows(const struct conv2d_problem *p, int halves)
{
    return wide_up(p->r * p->s, box_row(p, halves));
}

CONV_INLINE int box_taps(const struct conv2d_problem *p, int halves)
{
    return box_rows(p, halves) * box_row(p, halves);
}

/* A block's, at most. */
CONV_INLINE int box_chunks_each(const struct conv2d_problem *p, const struct box_plan *s)
{
    return wide_up(box_chunks(p), s->cluster);
}

CONV_INLINE int box_across(const struct conv2d_problem *p, const struct box_plan *s)
{
    return wide_up(conv2d_columns(p), s->tw);
}

CONV_INLINE int box_tiles(const struct conv2d_problem *p, const struct box_plan *s)
{
    return box_across(p, s) * wide_up(conv2d_rows(p), s->th);
}

/* The patch of x that a tile reads. */
CONV_INLINE int box_patch_rows(const struct conv2d_problem *p, const struct box_plan *s)
{
    return (s->th - 1) * p->stride + p->r;
}

CONV_INLINE int box_patch_columns(const struct conv2d_problem *p, const struct box_plan *s)
{
    return (s->tw - 1) * p->stride + p->s;
}

CONV_INLINE int box_patch_bytes(const struct conv2d_problem *p, const struct box_plan *s)
{
    return box_patch_rows(p, s) * box_patch_columns(p, s) * BOX_PIXEL;
}

/* Which 16 of a chunk's 128 bytes lane % 4 loads for the first half of its channels; the second are
 * those at this ^ box_other(). Two neighbouring outputs lie `stride` pixels apart, and piece i of
 * pixel p at i ^ p % 8: so that their loads meet in no bank. */
CONV_INLINE int box_other(int stride)
{
    return stride % 2 ? 1 : stride % 4 ? 2 : 4;
}

CONV_INLINE int box_part(int stride, int lane)
{
    const int t = lane % 4;
    return stride % 2 ? 2 * t : stride % 4 ? (t & 1) + (t >> 1) * 4 : t;
}

/* The channel of a chunk that stands at place k, 0 .. 15, of product 0 or 1. */
CONV_INLINE int box_channel(int stride, int product, int k)
{
    const int part = box_part(stride, k % 8 / 2) ^ (product ? box_other(stride) : 0);
    return part * 4 + k / 8 * 2 + k % 2;
}

/* Pieces of a block's sums, and those of them that one of a cluster adds. */
CONV_INLINE int box_pieces(const struct box_plan *s)
{
    return s->blocks * BOX_FILTERS / 8 * (2 / s->wk);
}

CONV_INLINE int box_slots(const struct box_plan *s)
{
    return wide_up(box_pieces(s), s->cluster);
}

/* Bytes of shared memory: stages of x, stages of weights, of a step each; sums that come in from
 * the cluster, sums that two warpgroups swap, tables. */
struct box_memory {
    int x_stage, w_stage, w, inbox, swap, tables, all;
};

CONV_INLINE struct box_memory box_memory_of(const struct conv2d_problem *p,
                                            const struct box_plan *s)
{
    struct box_memory m;
    m.x_stage = wide_up(box_patch_bytes(p, s), 1024) * 1024;
    m.w_stage = BOX_STEP * s->halves * s->blocks * box_row(p, s->halves);
    m.w = s->x_stages * m.x_stage;
    m.inbox = m.w + s->w_stages * m.w_stage;
    m.swap = m.inbox + (s->cluster > 1 ? box_slots(s) * s->cluster * BOX_PIECE : 0);
    m.tables = m.swap + (s->wk == 2 ? box_pieces(s) * BOX_PIECE : 0);
    m.all = m.tables + BOX_TABLES + 1024; /* it begins anywhere */
    return m;
}

/* As many stages as there is room for: of x first, as far as there are chunks, but at least a
 * step's of weights for each warpgroup; where they take turns a stage is always the same one's.
 * False: there is no room. */
CONV_INLINE bool box_set_stages(const struct conv2d_problem *p, struct box_plan *s, int bytes)
{
    const int chunks = box_chunks_each(p, s), steps = chunks * box_rows(p, s->halves);
    s->w_stages = box_row(p, s->halves) == 1 ? 4 : 2;
    for (s->x_stages = chunks < BOX_MOST_X ? chunks : BOX_MOST_X; s->x_stages > 0; s->x_stages--)
        if (box_memory_of(p, s).all <= bytes)
            break;
    while (s->x_stages > 0 && s->w_stages + s->wk <= BOX_MOST_STAGES && s->w_stages < steps) {
        s->w_stages += s->wk;
        if (box_memory_of(p, s).all > bytes) {
            s->w_stages -= s->wk;
            break;
        }
    }
    return s->x_stages > 0;
}

/* All that is tried: 0 .. BOX_PLANS - 1; false where one cannot be. */
enum {
    BOX_HEIGHTS = 24,
    BOX_CLUSTERS = 9, /* 1 .. 8, 16 */
    BOX_PLANS = BOX_HEIGHTS * BOX_CLUSTERS * 4
};

CONV_INLINE bool box_plan_at(const struct conv2d_problem *p, const struct wide_gpu *g, int at,
                             struct box_plan *s)
{
    const int rows = conv2d_rows(p), columns = conv2d_columns(p), chunks = box_chunks(p);
    const int high = at % BOX_HEIGHTS + 1, which = at / BOX_HEIGHTS % BOX_CLUSTERS;
    s->halves = g->halves;
    s->cluster = which == 8 ? 16 : which + 1;
    s->wk = at / (BOX_HEIGHTS * BOX_CLUSTERS) % 2 + 1;
    s->blocks = at / (BOX_HEIGHTS * BOX_CLUSTERS * 2) + 1;
    if (high > rows || s->cluster > chunks || wide_up(chunks, box_chunks_each(p, s)) != s->cluster)
        return false;                                            /* a block without channels */
    if (s->blocks > 1 && (s->halves > 1 || p->k <= BOX_FILTERS)) /* registers; filters */
        return false;
    const int wide = BOX_ROWS * (2 / s->wk) / high;
    if (wide < 1 || box_taps(p, s->halves) > BOX_TAPS)
        return false;
    s->th = wide_up(rows, wide_up(rows, high));
    s->tw = wide_up(columns, wide_up(columns, wide));
    if (s->tw % 2 && s->tw < wide)
        s->tw++;                                              /* pairs of neighbours */
    if ((double)box_tiles(p, s) * box_across(p, s) >= 0x1p20) /* wide_inverse() */
        return false;
    if (box_patch_rows(p, s) > 256 || box_patch_columns(p, s) > 256)
        return false;
    return box_set_stages(p, s, g->shared_bytes);
}

/* Clock cycles that a plan takes, roughly: until x is there, products, or the way of x where that
 * is more, and a third of the other, for neither is ever all hidden; sums; launch. Factors: fitted
 * to 3,536 plans that an H200 ran, to 8% of their times (rms). */
CONV_INLINE double box_cost(const struct conv2d_problem *p, const struct box_plan *s,
                            const struct wide_gpu *g)
{
    const int chunks = box_chunks_each(p, s), rows = box_rows(p, s->halves);
    const int blocks = p->n * box_tiles(p, s) * wide_up(p->k, BOX_FILTERS * s->blocks) * s->cluster;
    const int room = s->cluster == 16 ? 96 : wide_room(s->cluster, g->processors);
    const int waves = wide_up(blocks, room);
    const double step = (s->halves == 2             ? 950
                         : box_row(p, 1) == BOX_ROW ? 1450
                                                    : 870) +
                        600 * (s->blocks - 1);
    const double products = (double)chunks * rows / s->wk * step;
    const double x = box_patch_bytes(p, s), way = chunks * x / 36;
    const double sums = 1200 * (s->cluster > 1 ? 1.5 : 1) * (s->blocks == 2 ? 1.4 : 1);
    return 3900 + waves * (x / 19 + (products > way ? products : way) +
                           0.3 * (products > way ? way : products) + sums);
}

/* The plan of least cost; false where none fits. */
CONV_INLINE bool box_plan_choose(const struct conv2d_problem *p, const struct wide_gpu *g,
                                 struct box_plan *best)
{
    double least = -1;
    for (int i = 0; i < BOX_PLANS; i++) {
        struct box_plan s;
        if (!box_plan_at(p, g, i, &s))
            continue;
        const double cost = box_cost(p, &s, g);
        if (least < 0 || cost < least) {
            least = cost;
            *best = s;
        }
    }
    return least >= 0;
}

/* Whether this is the faster kernel for a problem of which no plan was measured, as it was on an
 * H200 on VGG-19's layers with strides. The copy engine takes channels by fours. */
CONV_INLINE bool box_plan_worth(const struct conv2d_problem *p)
{
    return p->stride > 1 && p->layout == CONV_NHWC && p->r >= p->stride && p->s >= p->stride &&
           p->c >= BOX_CHANNELS && p->c % 4 == 0 && p->k >= BOX_FILTERS / 2;
}

#endif
