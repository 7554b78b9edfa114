/* Weights as box_kernel.h takes them, floats of 11 bits: [filters / 64][channels / 32][taps]
 * [upper, lower][4 products][8 channels by fours, box_channel()][64 filters][4]. What does not
 * exist is zero. */
#ifndef HPC_CONV2D_BOX_WEIGHTS_H
#define HPC_CONV2D_BOX_WEIGHTS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "conv2d/variants/box_plan.h"

/* Rounded to 11 bits, halves up; what is not finite stays. */
static inline float box_weight_rounded(float w)
{
    uint32_t bits;
    memcpy(&bits, &w, sizeof bits);
    if ((bits & 0x7f800000u) != 0x7f800000u)
        bits = (bits + 0x1000) & 0xffffe000u;
    memcpy(&w, &bits, sizeof w);
    return w;
}

static inline size_t box_weights_count(const struct conv2d_problem *p, int halves)
{
    return (size_t)wide_up(p->k, BOX_FILTERS) * (size_t)box_chunks(p) *
           (size_t)box_taps(p, halves) * (size_t)halves * (BOX_STEP / 4);
}

/* Where the upper one of filter k's weight lies that is multiplied at place `at`, 0 .. 31, of a
 * chunk's products. */
static inline size_t box_weight_at(const struct conv2d_problem *p, int halves, int k, int chunk,
                                   int tap, int at)
{
    const size_t step = ((size_t)(k / BOX_FILTERS) * (size_t)box_chunks(p) + (size_t)chunk) *
                            (size_t)box_taps(p, halves) +
                        (size_t)tap;
    return step * (size_t)halves * (BOX_STEP / 4) +
           (size_t)((at / 4 * BOX_FILTERS + k % BOX_FILTERS) * 4 + at % 4);
}

/* box_weights_count() floats of the caller's to free, from weights in the problem's layout. NULL:
 * no memory. */
static inline float *box_weights_make(const struct conv2d_problem *p, const float *w, int halves)
{
    const int taps = p->r * p->s;
    float *to = (float *)calloc(box_weights_count(p, halves), sizeof *to);
    for (int i = 0; to && i < p->k * box_chunks(p) * taps * BOX_CHANNELS; i++) {
        const int at = i % BOX_CHANNELS, tap = i / BOX_CHANNELS % taps;
        const int chunk = i / (BOX_CHANNELS * taps) % box_chunks(p);
        const int k = i / (BOX_CHANNELS * taps * box_chunks(p));
        const int c = chunk * BOX_CHANNELS + box_channel(p->stride, at / 8, at % 8);
        if (c >= p->c)
            continue;
        const float v = w[conv2d_w_at(p, k, c, tap / p->s, tap % p->s)];
        float *const upper = to + box_weight_at(p, halves, k, chunk, tap, at);
        *upper = box_weight_rounded(v);
        if (halves == 2)
            upper[BOX_STEP / 4] = v - *upper;
    }
    return to;
}

#endif
