/* Plans of box_kernel.h that were measured on an H100 (benchmarks/results/h100-sparse-box.csv): the
 * fastest of VGG-19's layers with strides in NHWC at batch 1, where no other kernel's is faster. */
#ifndef HPC_CONV2D_BOX_KNOWN_H
#define HPC_CONV2D_BOX_KNOWN_H

#include "conv2d/variants/box_plan.h"

static const struct box_known {
    int c, k, size, stride, halves;
    struct {
        int blocks, wk, th, tw, cluster;
    } plan;
} box_known[] = {
    /* clang-format off */
    {64, 128, 112, 2, 1, {1, 2, 8, 7, 1}},
    {128, 128, 112, 2, 1, {2, 2, 8, 7, 2}},
    {128, 256, 56, 2, 1, {1, 2, 14, 4, 2}},
    {256, 256, 56, 2, 1, {2, 1, 4, 28, 8}},
    {256, 512, 28, 2, 1, {1, 2, 7, 7, 3}},
    {512, 512, 28, 2, 1, {1, 1, 7, 14, 6}},
    {512, 512, 14, 2, 1, {1, 2, 7, 8, 8}},
    {64, 64, 224, 3, 1, {1, 2, 13, 4, 1}},
    {64, 128, 112, 3, 1, {1, 2, 19, 3, 2}},
    {128, 128, 112, 3, 1, {2, 2, 19, 3, 4}},
    {128, 256, 56, 3, 1, {2, 2, 19, 3, 4}},
    {256, 256, 56, 3, 1, {2, 2, 19, 3, 8}},
    {256, 512, 28, 3, 1, {1, 1, 10, 10, 8}},
    {512, 512, 28, 3, 1, {1, 2, 5, 10, 6}},
    {512, 512, 14, 3, 1, {1, 2, 5, 6, 8}},
    {64, 64, 224, 3, 2, {1, 2, 19, 3, 1}},
    {64, 128, 112, 3, 2, {1, 2, 8, 8, 2}},
    {128, 128, 112, 3, 2, {1, 2, 13, 4, 2}},
    /* clang-format on */
};

/* The plan measured for the problem, where there is one and the GPU is like an H100. */
static inline bool box_plan_known(const struct conv2d_problem *p, const struct wide_gpu *g,
                                  struct box_plan *s)
{
    const struct box_known *k = box_known, *end = k + sizeof box_known / sizeof *box_known;
    if (g->processors < 128 || g->shared_bytes < 220 * 1024 || p->n != 1 || p->r != 3 ||
        p->s != 3 || p->pad != 1 || p->layout != CONV_NHWC)
        return false;
    while (k < end && (k->c != p->c || k->k != p->k || k->size != p->h || k->size != p->w ||
                       k->stride != p->stride || k->halves != g->halves))
        k++;
    for (int i = 0; i < BOX_PLANS && k < end; i++)
        if (box_plan_at(p, g, i, s) && s->blocks == k->plan.blocks && s->wk == k->plan.wk &&
            s->th == k->plan.th && s->tw == k->plan.tw && s->cluster == k->plan.cluster)
            return true;
    return false;
}

#endif
