/* Plans of near_kernel.h that were measured on an H200 (benchmarks/results/h200-sparse-early.csv):
 * the fastest of each of [Xu]'s layers at batch 1, where neither wide_known.h has the layer in its
 * layout nor the rule of wide_rule.h a faster plan; of 384 channels at 5 x 5, three products, the
 * fastest whose blocks can't come to share a multiprocessor. */
#ifndef HPC_CONV2D_NEAR_KNOWN_H
#define HPC_CONV2D_NEAR_KNOWN_H

#include "conv2d/variants/near_plan.h"

/* clang-format off */
static const struct near_known {
    int c, k, size, r, pad, stride, halves;
    struct { int mt, nt, wm, wn, wk, th, tw, split, chunk; } plan;
    bool fetched; /* x comes to the L2 before it may be read: near_patch.h */
} near_known[] = {
    {20, 50, 11, 5, 0, 1, 2, {1, 4, 1, 1, 8, 7, 3, 2, 1}, true},
    {20, 50, 11, 5, 0, 1, 1, {1, 4, 1, 1, 8, 7, 3, 2, 1}, true},
    {32, 64, 6, 5, 2, 1, 2, {1, 4, 1, 1, 8, 3, 6, 2, 1}, true},
    {32, 64, 6, 5, 2, 1, 1, {1, 4, 1, 1, 8, 3, 6, 2, 1}, true},
    {384, 384, 5, 3, 1, 1, 2, {2, 4, 1, 1, 8, 5, 5, 8, 3}, true},
    {384, 384, 5, 3, 1, 1, 1, {1, 4, 2, 1, 4, 5, 5, 8, 3}, true},
    {480, 192, 14, 1, 0, 1, 2, {1, 4, 4, 1, 2, 2, 14, 8, 4}, false},
    {480, 192, 14, 1, 0, 1, 1, {1, 4, 4, 2, 1, 4, 14, 8, 4}, true},
    {480, 96, 14, 1, 0, 1, 2, {1, 4, 4, 1, 2, 2, 14, 8, 4}, true},
    {480, 96, 14, 1, 0, 1, 1, {1, 4, 4, 1, 2, 2, 14, 8, 4}, true},
    {832, 256, 7, 1, 0, 1, 2, {1, 4, 2, 1, 4, 7, 4, 6, 9}, true},
    {832, 256, 7, 1, 0, 1, 1, {1, 4, 4, 1, 2, 4, 7, 6, 9}, true},
    {832, 160, 7, 1, 0, 1, 2, {1, 4, 2, 1, 4, 4, 7, 8, 7}, true},
    {832, 160, 7, 1, 0, 1, 1, {1, 4, 4, 1, 2, 4, 7, 8, 7}, true},
    {192, 384, 7, 3, 1, 1, 1, {1, 4, 2, 1, 4, 4, 7, 4, 3}, true},
    {832, 128, 7, 1, 0, 1, 2, {1, 4, 2, 1, 4, 4, 7, 8, 7}, true},
    {832, 128, 7, 1, 0, 1, 1, {1, 4, 4, 1, 2, 7, 3, 8, 7}, true},
    {512, 512, 14, 3, 1, 3, 2, {2, 4, 2, 1, 4, 5, 5, 8, 4}, false},
    {512, 512, 14, 3, 1, 3, 1, {2, 4, 2, 1, 4, 5, 5, 8, 4}, false},
    {256, 512, 28, 3, 1, 3, 1, {2, 4, 4, 1, 2, 5, 5, 6, 3}, false},
    {256, 256, 56, 3, 1, 3, 2, {2, 4, 8, 1, 1, 3, 10, 8, 2}, false},
    {256, 256, 56, 3, 1, 3, 1, {2, 4, 8, 1, 1, 3, 10, 8, 2}, false},
    {128, 256, 56, 3, 1, 3, 1, {2, 4, 8, 1, 1, 3, 10, 8, 1}, false},
    {128, 128, 112, 3, 1, 3, 1, {1, 4, 8, 1, 1, 2, 13, 4, 2}, false},
    {64, 128, 112, 3, 1, 3, 1, {1, 4, 8, 1, 1, 2, 13, 4, 1}, false},
};
/* clang-format on */

/* The plan measured for the problem, where there is one and the GPU is like an H200. */
static inline bool near_plan_known(const struct conv2d_problem *p, const struct split_gpu *g,
                                   struct split_plan *s, bool *fetched)
{
    *fetched = false;
    if (!g->clusters || g->processors < 128 || g->shared_bytes < 220 * 1024 || p->n != 1)
        return false;
    for (size_t i = 0; i < sizeof near_known / sizeof *near_known; i++) {
        const struct near_known *k = &near_known[i];
        if (k->c != p->c || k->k != p->k || k->size != p->h || k->size != p->w || k->r != p->r ||
            k->r != p->s || k->pad != p->pad || k->stride != p->stride || k->halves != g->halves)
            continue;
        s->mt = k->plan.mt, s->nt = k->plan.nt;
        s->wm = k->plan.wm, s->wn = k->plan.wn, s->wk = k->plan.wk;
        s->th = k->plan.th, s->tw = k->plan.tw;
        s->split = k->plan.split, s->chunk = k->plan.chunk;
        s->halves = g->halves;
        *fetched = k->fetched;
        return true;
    }
    return false;
}

#endif
