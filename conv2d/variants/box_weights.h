/* Weights as box_kernel.h takes them, in halves: w = 2^-e (upper + 2^-11 lower), e a filter's own:
 * [filters / 64][channels / 32][taps][upper, lower][2 products][channels by eights, box_channel()]
 * [64 filters][8]. What does not exist is zero. */
#ifndef HPC_CONV2D_BOX_WEIGHTS_H
#define HPC_CONV2D_BOX_WEIGHTS_H

#include "conv2d/variants/box_plan.h"
#include "conv2d/variants/wide_weights.h"

/* Halves of all weights. */
static inline size_t box_weights_count(const struct conv2d_problem *p, int halves)
{
    return (size_t)wide_up(p->k, BOX_FILTERS) * (size_t)box_chunks(p) *
           (size_t)box_taps(p, halves) * (size_t)halves * (BOX_STEP / 2);
}

/* Where the upper half of filter k's weight lies that is multiplied at place `at`, 0 .. 31, of a
 * chunk's products; the lower one lies BOX_STEP / 2 further. */
static inline size_t box_weight_at(const struct conv2d_problem *p, int halves, int k, int chunk,
                                   int tap, int at)
{
    const size_t step = ((size_t)(k / BOX_FILTERS) * (size_t)box_chunks(p) + (size_t)chunk) *
                            (size_t)box_taps(p, halves) +
                        (size_t)tap;
    return step * (size_t)halves * (BOX_STEP / 2) +
           (size_t)((at / 8 * BOX_FILTERS + k % BOX_FILTERS) * 8 + at % 8);
}

/* Filter k's, times 2^e. */
static inline void box_weights_filter(const struct conv2d_problem *p, const float *w, int halves,
                                      int k, int e, uint16_t *to)
{
    const int taps = p->r * p->s;
    for (int i = 0; i < box_chunks(p) * taps * BOX_CHANNELS; i++) {
        const int at = i % BOX_CHANNELS, tap = i / BOX_CHANNELS % taps;
        const int chunk = i / (BOX_CHANNELS * taps);
        const int c = chunk * BOX_CHANNELS + box_channel(p->stride, at / 16, at % 16);
        if (c >= p->c)
            continue;
        const float v = ldexpf(w[conv2d_w_at(p, k, c, tap / p->s, tap % p->s)], e);
        uint16_t *const upper = to + box_weight_at(p, halves, k, chunk, tap, at);
        *upper = half_from_float(v);
        if (halves == 2)
            upper[BOX_STEP / 2] = half_from_float((v - half_to_float(*upper)) * 0x1p11f);
    }
}

/* From the host's weights, in the problem's layout. `exact`: some filter has no such form, and
 * these are not to be used. False: no memory. */
static inline bool box_weights_make(const struct conv2d_problem *p, const float *w, int halves,
                                    struct wide_weights *to)
{
    const int binades = wide_binades(p, halves);
    const int filters = wide_up(p->k, 2 * BOX_FILTERS) * 2 * BOX_FILTERS; /* blocks of 128, too */
    const bool made = wide_weights_begin(to, box_weights_count(p, halves), filters);
    for (int k = 0, e; made && k < p->k; k++)
        if (wide_weights_unit(p, w, k, binades, to, &e))
            box_weights_filter(p, w, halves, k, e, to->halves);
    return made;
}

#endif
