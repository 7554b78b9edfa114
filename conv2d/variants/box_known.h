/* Plans of box_kernel.h that were measured on an H200 (benchmarks/results/h200-sparse-box.csv): the
 * fastest of [Xu]'s layers in NHWC at batch 1, with strides and without, where no other kernel's is
 * faster. Taps are 3 x 3, padded by 1, or 1 x 1. */
#ifndef HPC_CONV2D_BOX_KNOWN_H
#define HPC_CONV2D_BOX_KNOWN_H

#include "conv2d/variants/box_plan.h"

static const struct box_known {
    int c, k, size, r, stride, halves;
    struct {
        int blocks, wk, th, tw, cluster;
    } plan;
} box_known[] = {
    /* clang-format off */
    {480, 192, 14, 1, 1, 1, {1, 2, 7, 8, 5}},
    {480, 192, 14, 1, 1, 2, {1, 2, 4, 14, 8}},
    {480, 96, 14, 1, 1, 1, {1, 2, 4, 14, 8}},
    {480, 96, 14, 1, 1, 2, {1, 2, 7, 7, 8}},
    {160, 320, 14, 3, 1, 1, {1, 2, 7, 8, 5}},
    {160, 320, 14, 3, 1, 2, {1, 2, 14, 4, 5}},
    {384, 384, 13, 3, 1, 1, {1, 2, 13, 4, 4}},
    {256, 512, 28, 3, 1, 1, {2, 2, 4, 14, 2}},
    {512, 512, 28, 3, 1, 1, {2, 2, 4, 14, 2}},
    {512, 512, 14, 3, 1, 1, {2, 2, 7, 7, 6}},
    {64, 64, 224, 3, 2, 1, {1, 1, 4, 28, 1}},
    {64, 128, 112, 3, 2, 1, {1, 2, 7, 8, 1}},
    {128, 128, 112, 3, 2, 1, {1, 2, 7, 8, 1}},
    {128, 256, 56, 3, 2, 1, {2, 2, 4, 14, 4}},
    {256, 256, 56, 3, 2, 1, {2, 2, 14, 4, 4}},
    {256, 512, 28, 3, 2, 1, {2, 2, 7, 7, 4}},
    {512, 512, 28, 3, 2, 1, {2, 2, 7, 7, 6}},
    {512, 512, 14, 3, 2, 1, {1, 2, 7, 8, 8}},
    {64, 128, 112, 3, 2, 2, {1, 2, 8, 7, 1}},
    {128, 128, 112, 3, 2, 2, {1, 2, 8, 7, 1}},
    {128, 256, 56, 3, 2, 2, {1, 2, 4, 14, 2}},
    {256, 256, 56, 3, 2, 2, {1, 2, 2, 28, 2}},
    {256, 512, 28, 3, 2, 2, {1, 2, 7, 7, 3}},
    {512, 512, 14, 3, 2, 2, {1, 2, 7, 8, 8}},
    {64, 64, 224, 3, 3, 1, {1, 2, 15, 3, 1}},
    {64, 128, 112, 3, 3, 1, {1, 2, 13, 4, 2}},
    {128, 128, 112, 3, 3, 1, {2, 2, 19, 3, 4}},
    {128, 256, 56, 3, 3, 1, {2, 2, 19, 3, 4}},
    {256, 256, 56, 3, 3, 1, {2, 2, 3, 20, 8}},
    {256, 512, 28, 3, 3, 1, {2, 2, 5, 10, 8}},
    {512, 512, 28, 3, 3, 1, {1, 2, 5, 10, 6}},
    {512, 512, 14, 3, 3, 1, {1, 2, 5, 6, 8}},
    {64, 64, 224, 3, 3, 2, {1, 2, 15, 3, 1}},
    {64, 128, 112, 3, 3, 2, {1, 2, 19, 3, 2}},
    {128, 128, 112, 3, 3, 2, {1, 2, 19, 3, 2}},
    {128, 256, 56, 3, 3, 2, {1, 2, 19, 3, 4}},
    {256, 256, 56, 3, 3, 2, {1, 2, 19, 3, 4}},
    {256, 512, 28, 3, 3, 2, {1, 2, 5, 10, 4}},
    {512, 512, 28, 3, 3, 2, {1, 2, 5, 10, 6}},
    {512, 512, 14, 3, 3, 2, {1, 2, 5, 6, 8}},
    /* clang-format on */
};

/* The plan measured for the problem, where there is one and the GPU is like an H200. */
static inline bool box_plan_known(const struct conv2d_problem *p, const struct wide_gpu *g,
                                  struct box_plan *s)
{
    const struct box_known *k = box_known, *end = k + sizeof box_known / sizeof *box_known;
    if (g->processors < 128 || g->shared_bytes < 220 * 1024 || p->n != 1 || p->r != p->s ||
        p->pad != p->r / 2 || p->layout != CONV_NHWC)
        return false;
    while (k < end && (k->c != p->c || k->k != p->k || k->size != p->h || k->size != p->w ||
                       k->r != p->r || k->stride != p->stride || k->halves != g->halves))
        k++;
    for (int i = 0; i < BOX_PLANS && k < end; i++)
        if (box_plan_at(p, g, i, s) && s->blocks == k->plan.blocks && s->wk == k->plan.wk &&
            s->th == k->plan.th && s->tw == k->plan.tw && s->cluster == k->plan.cluster)
            return true;
    return false;
}

#endif
