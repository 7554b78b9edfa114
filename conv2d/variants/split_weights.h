/* Weights in two halves, for conv_dense_split: w = 2^-e (upper + 2^-11 lower), 22 bits of each,
 * with e so that a filter's largest lies below 2^15. They lie as a warp's lanes take them
 * (tensor.h, A): [filters / 16][channels / 16][R S][upper, lower][lane][8], and where TF32's
 * accuracy will do the upper halves alone. Filters and channels that do not exist are zero. */
#ifndef HPC_CONV2D_SPLIT_WEIGHTS_H
#define HPC_CONV2D_SPLIT_WEIGHTS_H

#include <math.h>
#include <stdint.h>

#include "conv2d/half.h"
#include "conv2d/variants/split_plan.h"

struct split_weights {
    uint16_t *halves;
    float *unit; /* 2^-e of each filter, K rounded up to 16 */
    size_t count;
    int filters; /* K rounded up to 16 */
    bool exact;  /* some weight has no such form: to be multiplied as it is */
};

/* e, and whether every weight keeps its bits: none 2^29 below the filter's largest, infinite or
 * beside what floats can scale. */
static inline bool split_scale(const struct conv2d_problem *p, const float *w, int k, int *e)
{
    float most = 0, least = INFINITY;
    for (int c = 0; c < p->c; c++)
        for (int i = 0; i < p->r * p->s; i++) {
            const float v = fabsf(w[conv2d_w_at(p, k, c, i / p->s, i % p->s)]);
            if (!(v <= 0x1p40f))
                return false;
            most = v > most ? v : most;
            least = v > 0 && v < least ? v : least;
        }
    int power = 0;
    frexpf(most, &power);
    *e = most > 0 ? 15 - power : 0;
    return most == 0 || (most >= 0x1p-40f && least >= ldexpf(most, -28));
}

static inline void split_weights_filter(const struct conv2d_problem *p, const float *w, int k,
                                        int e, int halves, uint16_t *to)
{
    const int taps = p->r * p->s, groups = split_up(p->c, SPLIT_GROUP);
    for (int c = 0; c < p->c; c++)
        for (int i = 0; i < taps; i++) {
            const float v = ldexpf(w[conv2d_w_at(p, k, c, i / p->s, i % p->s)], e);
            const int row = k % 16, column = c % 16;
            const int lane = row % 8 * 4 + column / 2 % 4;
            const int in_lane = column / 8 * 4 + row / 8 * 2 + column % 2;
            const size_t step = ((size_t)(k / 16) * groups + c / SPLIT_GROUP) * taps + i;
            const size_t at = step * halves * 256 + lane * 8 + in_lane;
            to[at] = half_from_float(v);
            if (halves == 2)
                to[at + 256] = half_from_float((v - half_to_float(to[at])) * 0x1p11f);
        }
}

/* From the host's weights, in the problem's layout. halves: 2, or 1. False: no memory. */
static inline bool split_weights_make(const struct conv2d_problem *p, const float *w, int halves,
                                      struct split_weights *s)
{
    const size_t groups = (size_t)split_up(p->c, SPLIT_GROUP);
    s->filters = split_up(p->k, 16) * 16;
    s->count = (size_t)(s->filters / 16) * groups * p->r * p->s * halves * 256;
    s->halves = (uint16_t *)calloc(s->count, sizeof *s->halves);
    s->unit = (float *)calloc((size_t)s->filters, sizeof *s->unit);
    s->exact = false;
    for (int k = 0; s->halves && s->unit && k < p->k; k++) {
        int e = 0;
        if (!split_scale(p, w, k, &e))
            s->exact = true;
        else
            split_weights_filter(p, w, k, e, halves, s->halves);
        s->unit[k] = ldexpf(1, -e);
    }
    return s->halves && s->unit;
}

static inline void split_weights_free(struct split_weights *s)
{
    free(s->halves);
    free(s->unit);
}

#endif
