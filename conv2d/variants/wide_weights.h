/* Weights in halves as wide_kernel.h takes them: w = 2^-e (upper + 2^-11 lower), e a filter's own:
 * [filters / 64][channels / 16][stage][tap][upper, lower][channels 0-7, 8-15][64 filters][8].
 * A stage has three taps, or one where there is one in all. What does not exist is zero. */
#ifndef HPC_CONV2D_WIDE_WEIGHTS_H
#define HPC_CONV2D_WIDE_WEIGHTS_H

#include <math.h>
#include <stdint.h>

#include "conv2d/half.h"
#include "conv2d/variants/wide_plan.h"

struct wide_weights {
    uint16_t *halves;
    float *unit; /* 2^-e of each filter, K rounded up to 64 */
    size_t count;
    int filters;
    bool exact; /* some weight has no such form: to be multiplied as it is */
};

/* How far below a stage's, or a filter's, largest number another may lie. 28 binades keep all 22
 * bits; each further one loses one, which a sum of as many products as a filter has may err by in
 * floats, too. TF32 has 11 bits, and may lose two. */
static inline int wide_binades(const struct conv2d_problem *p, int halves)
{
    int more = 0;
    for (int terms = p->c * p->r * p->s / 4; terms >= 2 && more < 6; terms /= 2)
        more++;
    return 28 + (halves == 2 ? more : 1);
}

static inline bool wide_scale(const struct conv2d_problem *p, const float *w, int k, int binades,
                              int *e)
{
    float most = 0, least = INFINITY;
    for (int i = 0; i < p->c * p->r * p->s; i++) { /* a filter is in one place in both layouts */
        const float v = fabsf(w[(size_t)k * p->c * p->r * p->s + i]);
        if (!(v <= 0x1p40f))
            return false;
        most = v > most ? v : most;
        least = v > 0 && v < least ? v : least;
    }
    int power = 0;
    frexpf(most, &power);
    *e = most > 0 ? 15 - power : 0;
    return most == 0 || (most >= 0x1p-40f && least >= ldexpf(most, -binades));
}

static inline void wide_weights_filter(const struct conv2d_problem *p, const struct wide_plan *s,
                                       const float *w, int k, int e, uint16_t *to)
{
    const int taps = p->r * p->s, halves = s->halves, groups = wide_groups(p);
    const int each = wide_taps_each(p), rows = wide_tap_rows(p);
    for (int i = 0; i < p->c * taps; i++) {
        const int c = i / taps, tap = i % taps;
        const float v = ldexpf(w[conv2d_w_at(p, k, c, tap / p->s, tap % p->s)], e);
        const size_t stage =
            ((size_t)(k / WIDE_FILTERS) * groups + c / WIDE_GROUP) * rows + tap / each;
        const size_t step = (stage * each + tap % each) * halves;
        const int in_step = (c % WIDE_GROUP / 8 * WIDE_FILTERS + k % WIDE_FILTERS) * 8 + c % 8;
        const uint16_t upper = half_from_float(v);
        to[step * WIDE_FILTERS * WIDE_GROUP + in_step] = upper;
        if (halves == 2)
            to[(step + 1) * WIDE_FILTERS * WIDE_GROUP + in_step] =
                half_from_float((v - half_to_float(upper)) * 0x1p11f);
    }
}

/* Memory for `count` halves and the units of `filters`. False: there is none. */
static inline bool wide_weights_begin(struct wide_weights *to, size_t count, int filters)
{
    to->count = count;
    to->filters = filters;
    to->halves = (uint16_t *)calloc(count, sizeof *to->halves);
    to->unit = (float *)calloc((size_t)filters, sizeof *to->unit);
    to->exact = false;
    return to->halves && to->unit;
}

/* Filter k's unit, 2^-e. False where it has no such form. */
static inline bool wide_weights_unit(const struct conv2d_problem *p, const float *w, int k,
                                     int binades, struct wide_weights *to, int *e)
{
    *e = 0;
    const bool has = wide_scale(p, w, k, binades, e);
    to->exact |= !has;
    to->unit[k] = ldexpf(1, -*e);
    return has;
}

/* From the host's weights, in the problem's layout. False: no memory. */
static inline bool wide_weights_make(const struct conv2d_problem *p, const struct wide_plan *s,
                                     const float *w, struct wide_weights *to)
{
    const int binades = wide_binades(p, s->halves);
    const int filters = wide_up(p->k, WIDE_FILTERS) * WIDE_FILTERS;
    const bool made = wide_weights_begin(to,
                                         (size_t)filters * wide_groups(p) * WIDE_GROUP *
                                             wide_tap_rows(p) * wide_taps_each(p) * s->halves,
                                         filters);
    for (int k = 0, e; made && k < p->k; k++)
        if (wide_weights_unit(p, w, k, binades, to, &e))
            wide_weights_filter(p, s, w, k, e, to->halves);
    return made;
}

static inline void wide_weights_free(struct wide_weights *w)
{
    free(w->halves);
    free(w->unit);
}

#endif
