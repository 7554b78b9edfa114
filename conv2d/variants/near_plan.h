/* How near_kernel.h parts a convolution of little work among blocks, and the rule that orders the
 * ways: plain C, so that a test can try it without a GPU.
 *
 * As split_plan.h has it: a block of 8 warps, wm x wn x wk, a tile of th x tw outputs, `split`
 * blocks of a cluster that share the channels. Of its channels a block holds `chunk` groups of 16
 * at a time, as floats; where there are more chunks, two of them. */
#ifndef HPC_CONV2D_NEAR_PLAN_H
#define HPC_CONV2D_NEAR_PLAN_H

#include "conv2d/variants/split_plan.h"

enum { NEAR_TAPS = 32, NEAR_HELD = 4 };

/* Pixels of a quad of channels: the patch's and some more, so that four neighbouring quads of two
 * neighbouring pixels lie in eight different sets of banks. */
CONV_INLINE int near_apart(const struct conv2d_problem *p, const struct split_plan *s)
{
    const int pixels = split_pixels(p, s);
    return pixels + (6 - pixels % 4) % 4;
}

CONV_INLINE int near_fragments(const struct split_plan *s)
{
    return s->wm * s->wn * s->mt * s->nt;
}

CONV_INLINE int near_chunks(const struct conv2d_problem *p, const struct split_plan *s)
{
    return split_up(split_groups(p, s), s->chunk);
}

/* Shared memory: one chunk of x or two, then the sums that the block is sent. */
struct near_memory {
    int buffer, inbox, all;
};

CONV_INLINE struct near_memory near_memory_of(const struct conv2d_problem *p,
                                              const struct split_plan *s)
{
    struct near_memory m;
    m.buffer = near_apart(p, s) * s->chunk * 64;
    m.inbox = m.buffer * (near_chunks(p, s) > 1 ? 2 : 1);
    m.all = m.inbox + split_up(near_fragments(s), s->split) * s->split * s->wk * 512;
    return m;
}

CONV_INLINE int near_resident(const struct split_plan *s)
{
    return s->mt * s->nt > 7 ? 1 : 2;
}

CONV_INLINE bool near_set_chunk(const struct conv2d_problem *p, struct split_plan *s, int room)
{
    const int groups = split_groups(p, s);
    for (int chunks = 1; chunks <= groups; chunks++) {
        s->chunk = split_up(groups, chunks);
        if (near_memory_of(p, s).all <= room)
            return true;
    }
    return false;
}

/* All that is tried: 0 .. NEAR_PLANS - 1; false where one cannot be. */
enum { NEAR_SIZES = 4, NEAR_PLANS = SPLIT_PARTS * SPLIT_SPLITS * SPLIT_SHAPES * NEAR_SIZES };

CONV_INLINE bool near_plan_at(const struct conv2d_problem *p, const struct split_gpu *g, int at,
                              struct split_plan *s)
{
    static const int sizes[NEAR_SIZES][2] = {{1, 4}, {1, 7}, {2, 4}, {2, 7}};
    int shape = at / (SPLIT_PARTS * SPLIT_SPLITS) % SPLIT_SHAPES;
    const int *size = sizes[at / (SPLIT_PARTS * SPLIT_SPLITS * SPLIT_SHAPES)];
    const int groups = split_up(p->c, SPLIT_GROUP);
    s->halves = g->halves;
    s->mt = size[0];
    s->nt = size[1];
    if (p->r * p->s > NEAR_TAPS)
        return false;
    for (s->wm = 1; s->wm <= SPLIT_WARPS; s->wm *= 2)
        for (s->wn = 1; s->wm * s->wn <= SPLIT_WARPS; s->wn *= 2)
            if (shape-- == 0) {
                s->wk = SPLIT_WARPS / (s->wm * s->wn);
                s->split = at % SPLIT_SPLITS + 1;
                if ((s->split > 1 && !g->clusters) || s->split > groups ||
                    split_up(groups, split_up(groups, s->split)) != s->split)
                    return false;
                if (!split_set_tile(p, s, at / SPLIT_SPLITS % SPLIT_PARTS + 1))
                    return false;
                return near_set_chunk(p, s, g->shared_bytes / near_resident(s) - 1024);
            }
    return false;
}

/* Blocks of clusters of `split` that run at a time, one a multiprocessor, as measured on an H200:
 * a cluster lies in one of 8 parts of the GPU, and of these not all are whole. */
CONV_INLINE int near_room(int split, int processors)
{
    static const int room[SPLIT_MOST] = {132, 132, 108, 124, 110, 102, 105, 112};
    const int all = room[split - 1] * processors / 132 / split * split;
    return all > 0 ? all : 1;
}

/* Clock cycles of a plan. The factors were fitted to 12,500 plans on an H200: what a step waits,
 * what a warp sends, products, loads of x, the L2's traffic. Left out of the fit, a layer's plan of
 * least cost takes 1.05 times its least time, 1.30 at worst. Where two blocks may share a
 * multiprocessor they do from half of the room on. */
CONV_INLINE double near_cost(const struct conv2d_problem *p, const struct split_plan *s,
                             const struct split_gpu *g)
{
    const int taps = p->r * p->s, groups = split_groups(p, s), tiles = s->mt * s->nt;
    const int pair = tiles <= (near_chunks(p, s) == 1 ? 7 : 4) ? 2 : 1;
    const double room = near_room(s->split, g->processors);
    const double blocks =
        (double)p->n * split_tiles(p, s) * split_up(p->k, split_filters(s)) * s->split;
    const double rounds = (double)(long)((blocks + room * pair - 1) / (room * pair));
    const double together = blocks > room / 2 ? pair : 1;
    const double steps = split_up(groups * taps, s->wk);
    const double elements = (double)split_pixels(p, s) * groups * SPLIT_GROUP;
    const double weights = (double)split_filters(s) * groups * SPLIT_GROUP * taps;
    const double shared = 36 * steps * tiles * (2 * s->halves - 1) + 0.32 * elements;
    return 2600 + rounds * (224 * steps + 482 * tiles + together * shared) +
           6.4e-4 * 132 / g->processors * blocks * (weights + elements);
}

/* The plan of least cost, and this cost; false where none fits. */
CONV_INLINE bool near_plan_choose(const struct conv2d_problem *p, const struct split_gpu *g,
                                  struct split_plan *best, double *least)
{
    bool found = false;
    for (int i = 0; i < NEAR_PLANS; i++) {
        struct split_plan s;
        if (!near_plan_at(p, g, i, &s))
            continue;
        const double cost = near_cost(p, &s, g);
        if (found && cost >= *least)
            continue;
        found = true;
        *least = cost;
        *best = s;
    }
    return found;
}

/* The same where it is worth it: in all 33 layers measured that are not wide_rule.h's it was the
 * faster, by 1.07 to 1.67, some of which the two costs have the other way round by 1.2. */
CONV_INLINE bool near_plan_worth(const struct conv2d_problem *p, const struct split_gpu *g,
                                 struct split_plan *best, double *least)
{
    struct split_plan other;
    return (double)conv2d_x_count(p) < 0x1p31 && (double)conv2d_y_count(p) < 0x1p31 &&
           near_plan_choose(p, g, best, least) && (double)p->n * split_tiles(p, best) < 65536 &&
           split_plan_choose(p, g, &other) && *least < 1.3 * split_cost(p, &other, g);
}

#endif
