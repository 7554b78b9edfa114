/* Which way of parting a convolution (wide_plan.h) the kernel for Hopper takes, and whether it is
 * worth its start: plain C, so that a test can try it. */
#ifndef HPC_CONV2D_WIDE_RULE_H
#define HPC_CONV2D_WIDE_RULE_H

#include "conv2d/variants/wide_plan.h"

/* Blocks that run at a time, one a multiprocessor: the most of a plan that an H200 was seen to run
 * so. A cluster lies in one of the GPU's parts: of 132 processors 120 didn't hold 40 clusters of 3,
 * nor 112 16 of 7. */
CONV_INLINE int wide_room(int cluster, int processors)
{
    static const int seen[] = {132, 128, 108, 96, 80, 96, 56, 64};
    const int room = seen[cluster - 1] * processors / 132 / cluster * cluster;
    return cluster == 1 ? processors : room > 0 ? room : cluster;
}

/* All that the rule tries: 0 .. WIDE_PLANS - 1; false where one cannot be. */
enum {
    WIDE_SHAPES = 6, /* 112, 80, 56 columns, with one warpgroup beside the other or not */
    WIDE_CLUSTERS = 8,
    WIDE_DEPTHS = 2,
    WIDE_PLANS = WIDE_TILINGS * WIDE_CLUSTERS * WIDE_SHAPES * WIDE_DEPTHS
};

CONV_INLINE bool wide_plan_at(const struct conv2d_problem *p, const struct wide_gpu *g, int at,
                              struct wide_plan *s)
{
    const int shape = at / (WIDE_TILINGS * WIDE_CLUSTERS) % WIDE_SHAPES;
    s->halves = g->halves;
    s->columns = shape / 2 == 0 ? 112 : shape / 2 == 1 ? 80 : 56;
    s->wn = shape % 2 == 0 ? 2 : 1;
    s->cluster = at / WIDE_TILINGS % WIDE_CLUSTERS + 1;
    s->deep = at / (WIDE_TILINGS * WIDE_CLUSTERS * WIDE_SHAPES) + 1;
    const int groups = wide_groups(p);
    if (s->cluster > groups || wide_up(groups, wide_groups_each(p, s)) != s->cluster)
        return false; /* a block without channels */
    if (s->deep > 1 && p->c % (s->cluster * s->deep * WIDE_GROUP) != 0)
        return false; /* stages are whole */
    if (!wide_set_tile(p, s, at % WIDE_TILINGS) || wide_tap_rows(p) > WIDE_TAP_ROWS)
        return false;
    if (!wide_set_stages(p, s, g->shared_bytes))
        return false;
    /* A warpgroup gives its last stages back only when it has its next ones, and what the other has
     * between them must fit too. */
    return s->wn == 2 || (s->x_stages > 2 && wide_tap_rows(p) * s->deep + 1 < s->w_stages);
}

/* Clock cycles that a plan takes, roughly: per group the products, or the splitting of x where that
 * is more, and two thirds of the other, for neither is ever all hidden; what the L2 has to give;
 * launch and sums. Factors: fitted to 973 plans that an H200 ran, to 14% of their times (rms).
 */
CONV_INLINE double wide_cost(const struct conv2d_problem *p, const struct wide_plan *s,
                             const struct wide_gpu *g)
{
    const struct wide_patch a = wide_patch_of(p, s);
    const int groups = wide_groups_each(p, s), filters = wide_up(p->k, WIDE_FILTERS);
    const int taps = wide_tap_rows(p) * wide_taps_each(p);
    const int blocks = p->n * wide_tiles(p, s) * filters * s->cluster;
    const int waves = wide_up(blocks, wide_room(s->cluster, g->processors));
    const double halves = 0.5 * s->columns, bytes = (2048 + 32.0 * s->columns) / 115;
    const double product = s->wn * (halves > bytes ? halves : bytes);
    const double products = product * taps * (2 * s->halves - 1) / 0.96;
    const double split = wide_up(2 * a.needed * s->deep, WIDE_CONVERTERS * 32) * 150.0 * s->halves;
    const double convert = (1100 + split) / s->deep;
    const double more = products > convert ? products : convert;
    const double group = more + 0.65 * (products + convert - more) + a.needed;
    const int whole = s->tw == conv2d_columns(p) ||
                      (s->tw % 8 == 0 && conv2d_columns(p) % 8 == 0); /* 32 bytes of y */
    const double each = waves * (groups * group + (whole ? 5000 : s->tw % 2 ? 7000 : 6500));
    const double traffic =
        (double)blocks * groups * 16 * (64.0 * taps * 2 * s->halves + 4.0 * a.needed) / 4000;
    return 5500 + (each > traffic ? each : traffic) + (wide_sources(s) > 1 ? 400 : 0);
}

/* Whether this is the faster kernel for a problem that wide_known.h lacks, as measured on an H200:
 * its start and its end take 4 us, so there must be work; at stride 3 a patch has nine planes, and
 * tiles are small. */
CONV_INLINE bool wide_plan_worth(const struct conv2d_problem *p)
{
    const double sums = (double)p->n * p->k * conv2d_rows(p) * conv2d_columns(p);
    return p->c >= WIDE_GROUP / 2 && p->stride <= 2 && sums * p->c * p->r * p->s >= 8e7;
}

/* Groups of 16 channels that a block asks the L2 for before x may be read (wide_fetch.h), at most:
 * as measured on an H200, further ones come at the cost of what is read first. */
CONV_INLINE int wide_fetched(const struct conv2d_problem *p)
{
    if (p->layout == CONV_NHWC)
        return p->stride > 1 ? 32 : 8;
    return p->stride > 1 ? 4 : 2;
}

/* The plan of least cost; false where none fits. */
CONV_INLINE bool wide_plan_choose(const struct conv2d_problem *p, const struct wide_gpu *g,
                                  struct wide_plan *best)
{
    double least = -1;
    for (int i = 0; i < WIDE_PLANS; i++) {
        struct wide_plan s;
        if (!wide_plan_at(p, g, i, &s))
            continue;
        const double cost = wide_cost(p, &s, g);
        if (least < 0 || cost < least) {
            least = cost;
            *best = s;
        }
    }
    return least >= 0;
}

#endif
