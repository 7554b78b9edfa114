/* Plans of wide_kernel.h that were measured on an H200 (benchmarks/results/h200-sparse-early.csv):
 * of [Xu]'s layers of 3 x 3 taps at batch 1 those where wide_rule.h's rule would choose another
 * kernel, or a plan that takes 1.5% more, in one layout or in both. */
#ifndef HPC_CONV2D_WIDE_KNOWN_H
#define HPC_CONV2D_WIDE_KNOWN_H

#include "conv2d/variants/wide_rule.h"

enum { WIDE_NCHW = 1, WIDE_NHWC = 2, WIDE_BOTH = WIDE_NCHW | WIDE_NHWC };

/* clang-format off */
static const struct wide_known {
    int c, k, size, stride, halves, layouts;
    struct { int columns, wn, th, tw, step, cluster, deep; } plan;
} wide_known[] = {
    {64, 64, 224, 1, 1, WIDE_NHWC, {112, 2, 14, 14, 8, 1, 1}},
    {64, 128, 112, 1, 1, WIDE_NHWC, {112, 2, 14, 14, 8, 1, 1}},
    {128, 128, 112, 1, 1, WIDE_NHWC, {112, 2, 14, 14, 8, 1, 1}},
    {128, 256, 56, 1, 2, WIDE_BOTH, {112, 1, 7, 14, 8, 1, 2}},
    {128, 256, 56, 1, 1, WIDE_NCHW, {56, 2, 7, 16, 18, 1, 2}},
    {128, 256, 56, 1, 1, WIDE_NHWC, {56, 2, 14, 8, 10, 1, 2}},
    {160, 320, 14, 1, 2, WIDE_NCHW, {56, 2, 7, 16, 18, 5, 2}},
    {160, 320, 14, 1, 1, WIDE_NCHW, {56, 2, 7, 16, 18, 5, 2}},
    {192, 384, 7, 1, 2, WIDE_BOTH, {56, 1, 7, 8, 10, 6, 2}},
    {192, 384, 7, 1, 1, WIDE_NHWC, {56, 1, 7, 8, 10, 6, 2}},
    {256, 256, 56, 1, 2, WIDE_BOTH, {112, 1, 7, 14, 8, 1, 2}},
    {256, 256, 56, 1, 1, WIDE_NCHW, {112, 2, 7, 28, 8, 2, 1}},
    {256, 256, 56, 1, 1, WIDE_NHWC, {56, 2, 14, 8, 10, 1, 2}},
    {384, 384, 13, 1, 2, WIDE_BOTH, {56, 2, 7, 13, 8, 6, 2}},
    {384, 384, 13, 1, 1, WIDE_NCHW, {112, 1, 7, 13, 8, 6, 2}},
    {512, 512, 14, 1, 1, WIDE_NCHW, {112, 2, 14, 14, 8, 8, 1}},
    {64, 64, 224, 2, 2, WIDE_NHWC, {56, 2, 7, 14, 8, 1, 1}},
    {256, 512, 28, 2, 2, WIDE_NCHW, {80, 1, 5, 14, 8, 4, 1}},
    {256, 512, 28, 2, 1, WIDE_NCHW, {80, 1, 5, 14, 8, 4, 1}},
    {512, 512, 14, 2, 1, WIDE_NCHW, {80, 1, 7, 7, 8, 8, 1}},
    {512, 512, 28, 2, 2, WIDE_BOTH, {80, 1, 5, 14, 8, 4, 1}},
    {512, 512, 28, 2, 1, WIDE_NCHW, {80, 1, 5, 14, 8, 4, 1}},
    {64, 64, 224, 3, 2, WIDE_NCHW, {56, 1, 3, 15, 8, 1, 1}},
    {64, 64, 224, 3, 1, WIDE_NCHW, {56, 1, 3, 15, 8, 1, 1}},
    {64, 128, 112, 3, 2, WIDE_NCHW, {56, 1, 1, 38, 8, 1, 1}},
    {128, 128, 112, 3, 2, WIDE_NCHW, {56, 1, 1, 38, 8, 1, 1}},
    {128, 256, 56, 3, 2, WIDE_NCHW, {56, 1, 2, 19, 8, 2, 1}},
    {256, 512, 28, 3, 2, WIDE_NCHW, {56, 1, 10, 4, 8, 4, 1}},
    {512, 512, 28, 3, 2, WIDE_NCHW, {56, 1, 10, 4, 8, 4, 1}},
    {512, 512, 28, 3, 1, WIDE_NCHW, {56, 1, 10, 4, 8, 4, 1}},
};
/* clang-format on */

static inline bool wide_is_known(const struct wide_known *k, const struct conv2d_problem *p,
                                 int halves)
{
    const int layout = p->layout == CONV_NHWC ? WIDE_NHWC : WIDE_NCHW;
    return k->c == p->c && k->k == p->k && k->size == p->h && k->size == p->w && p->r == 3 &&
           p->s == 3 && p->pad == 1 && k->stride == p->stride && k->halves == halves &&
           (k->layouts & layout) != 0;
}

/* The plan measured for the problem, where there is one and the GPU is like an H200. */
static inline bool wide_plan_known(const struct conv2d_problem *p, const struct wide_gpu *g,
                                   struct wide_plan *s)
{
    const struct wide_known *k = wide_known;
    const struct wide_known *end = k + sizeof wide_known / sizeof *wide_known;
    if (g->processors < 128 || g->shared_bytes < 220 * 1024 || p->n != 1)
        return false;
    while (k < end && !wide_is_known(k, p, g->halves))
        k++;
    for (int i = 0; i < WIDE_PLANS && k < end; i++)
        if (wide_plan_at(p, g, i, s) && s->columns == k->plan.columns && s->wn == k->plan.wn &&
            s->th == k->plan.th && s->tw == k->plan.tw && s->step == k->plan.step &&
            s->cluster == k->plan.cluster && s->deep == k->plan.deep)
            return true;
    return false;
}

#endif
