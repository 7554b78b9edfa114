/* The weights of near_kernel.h, as its lanes take them: plain C. */
#ifndef HPC_CONV2D_NEAR_WEIGHTS_H
#define HPC_CONV2D_NEAR_WEIGHTS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "conv2d/variants/near_plan.h"

/* Where the weight of filter k, channel c and tap i lies in [filters / 16][channels / 16][taps]
 * [2][lane][4]: a lane's 16 bytes are 2 channels of filters k and k + 8. */
static inline size_t near_weight_at(const struct conv2d_problem *p, int k, int c, int i)
{
    const int groups = split_up(p->c, SPLIT_GROUP), in = c % 16;
    const size_t step = ((size_t)(k / 16) * groups + c / 16) * p->r * p->s + i;
    return step * 256 + in % 4 / 2 * 128 + (k % 8 * 4 + in / 4) * 4 + in % 2 * 2 + k % 16 / 8;
}

/* To TF32's accuracy: rounded to 11 bits, halves up; what is not finite stays. */
static inline float near_weight_rounded(float w)
{
    uint32_t bits;
    memcpy(&bits, &w, sizeof bits);
    if ((bits & 0x7f800000u) != 0x7f800000u)
        bits = (bits + 0x1000) & 0xffffe000u;
    memcpy(&w, &bits, sizeof w);
    return w;
}

/* `count` floats of the caller's to free, zeros where there is no filter or channel; `halves` as in
 * a plan. NULL: no memory. */
static inline float *near_weights_make(const struct conv2d_problem *p, const float *w, int halves,
                                       size_t *count)
{
    const int taps = p->r * p->s, groups = split_up(p->c, SPLIT_GROUP);
    *count = (size_t)split_up(p->k, 16) * groups * taps * 256;
    float *to = (float *)calloc(*count, sizeof *to);
    for (int k = 0; to && k < p->k; k++)
        for (int c = 0; c < p->c; c++)
            for (int i = 0; i < taps; i++) {
                const float v = w[conv2d_w_at(p, k, c, i / p->s, i % p->s)];
                to[near_weight_at(p, k, c, i)] = halves == 1 ? near_weight_rounded(v) : v;
            }
    return to;
}

#endif
