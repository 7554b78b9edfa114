/* Plans of near_kernel.h that were measured on an H200 (benchmarks/results/h200-sparse-near.csv):
 * the fastest of each of [Xu]'s layers at batch 1, where it was at least 2% faster than what else
 * there was (since then wide_known.h has some); of two, whose blocks now and then come to
 * share a multiprocessor, the fastest whose blocks can't (384 channels at 5 x 5, 192 at 7 x 7;
 * three products). */
#ifndef HPC_CONV2D_NEAR_KNOWN_H
#define HPC_CONV2D_NEAR_KNOWN_H

#include "conv2d/variants/near_plan.h"

/* clang-format off */
static const struct near_known {
    int c, k, size, r, pad, stride, halves;
    struct { int mt, nt, wm, wn, wk, th, tw, split, chunk; } plan;
} near_known[] = {
    {20, 50, 11, 5, 0, 1, 2, {1, 4, 1, 1, 8, 7, 3, 2, 1}},
    {20, 50, 11, 5, 0, 1, 1, {1, 4, 1, 1, 8, 7, 3, 2, 1}},
    {32, 64, 6, 5, 2, 1, 2, {1, 4, 1, 1, 8, 3, 6, 2, 1}},
    {32, 64, 6, 5, 2, 1, 1, {1, 4, 1, 1, 8, 6, 2, 2, 1}},
    {384, 384, 5, 3, 1, 1, 2, {2, 4, 1, 1, 8, 5, 5, 8, 3}},
    {384, 384, 5, 3, 1, 1, 1, {2, 4, 2, 1, 4, 5, 5, 8, 3}},
    {480, 192, 14, 1, 0, 1, 2, {1, 4, 4, 1, 2, 2, 14, 8, 4}},
    {480, 192, 14, 1, 0, 1, 1, {1, 4, 4, 1, 2, 2, 14, 8, 4}},
    {480, 96, 14, 1, 0, 1, 2, {1, 4, 2, 1, 4, 2, 14, 4, 8}},
    {480, 96, 14, 1, 0, 1, 1, {1, 4, 2, 1, 4, 2, 14, 4, 8}},
    {832, 256, 7, 1, 0, 1, 2, {1, 4, 2, 1, 4, 4, 7, 8, 7}},
    {832, 256, 7, 1, 0, 1, 1, {1, 4, 4, 1, 2, 4, 7, 8, 7}},
    {832, 160, 7, 1, 0, 1, 2, {1, 4, 2, 1, 4, 4, 7, 8, 7}},
    {832, 160, 7, 1, 0, 1, 1, {1, 4, 2, 1, 4, 4, 7, 8, 7}},
    {192, 384, 7, 3, 1, 1, 2, {2, 4, 1, 1, 8, 4, 7, 4, 3}},
    {192, 384, 7, 3, 1, 1, 1, {1, 4, 2, 1, 4, 7, 4, 4, 3}},
    {832, 128, 7, 1, 0, 1, 2, {1, 4, 2, 1, 4, 4, 7, 8, 7}},
    {832, 128, 7, 1, 0, 1, 1, {1, 4, 4, 1, 2, 7, 4, 8, 7}},
    {512, 512, 14, 3, 1, 3, 2, {2, 4, 1, 1, 8, 5, 5, 6, 6}},
    {512, 512, 14, 3, 1, 3, 1, {2, 4, 2, 1, 4, 5, 5, 8, 4}},
    {512, 512, 28, 3, 1, 3, 2, {2, 7, 2, 1, 4, 5, 10, 6, 2}},
    {512, 512, 28, 3, 1, 3, 1, {2, 4, 4, 1, 2, 5, 5, 6, 6}},
    {256, 512, 28, 3, 1, 3, 2, {2, 4, 1, 1, 8, 5, 5, 2, 8}},
    {256, 512, 28, 3, 1, 3, 1, {2, 4, 4, 1, 2, 5, 5, 6, 3}},
    {256, 256, 56, 3, 1, 3, 2, {2, 4, 8, 1, 1, 4, 7, 8, 2}},
    {256, 256, 56, 3, 1, 3, 1, {2, 4, 8, 1, 1, 4, 7, 8, 2}},
    {128, 256, 56, 3, 1, 3, 2, {1, 4, 8, 1, 1, 4, 7, 8, 1}},
    {128, 256, 56, 3, 1, 3, 1, {2, 4, 8, 1, 1, 3, 10, 8, 1}},
    {128, 128, 112, 3, 1, 3, 2, {1, 7, 8, 1, 1, 4, 13, 8, 1}},
    {128, 128, 112, 3, 1, 3, 1, {1, 7, 8, 1, 1, 8, 7, 8, 1}},
    {64, 128, 112, 3, 1, 3, 2, {1, 4, 8, 1, 1, 2, 13, 4, 1}},
    {64, 128, 112, 3, 1, 3, 1, {1, 4, 8, 1, 1, 2, 13, 4, 1}},
    {64, 64, 224, 3, 1, 3, 2, {2, 7, 2, 1, 4, 3, 15, 1, 4}},
    {64, 64, 224, 3, 1, 3, 1, {1, 7, 4, 1, 2, 3, 15, 2, 2}},
};
/* clang-format on */

/* The plan measured for the problem, where there is one and the GPU is like an H200. */
static inline bool near_plan_known(const struct conv2d_problem *p, const struct split_gpu *g,
                                   struct split_plan *s)
{
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
        return true;
    }
    return false;
}

#endif
