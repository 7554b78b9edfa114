/* When conv_fastest skips zeros instead of multiplying all: plain C, so that a test can try it. */
#ifndef HPC_CONV2D_FASTEST_RULE_H
#define HPC_CONV2D_FASTEST_RULE_H

#include "conv2d/variants/split_plan.h"

/* From here on a layer's x is not looked at: counting its zeros takes 3 us, and the two costs are
 * known to a tenth or two. */
#define FASTEST_NEVER 0.9

/* Clock cycles of conv_skip where `zero` of x is zero: launches and what waits for memory, then for
 * each four windows and 128 filters the search of every tap, and 16 FMAs a lane and the weights'
 * way for those that the four do not all have zero. Factors: benchmarks/sparse on an H200. */
CONV_INLINE double fastest_skip_cost(const struct conv2d_problem *p, double zero, int processors)
{
    const double begin = 30000, search = 13, multiply = 40;
    const double fours = (double)p->n * conv2d_rows(p) * conv2d_columns(p) / 4;
    const double taps = fours * split_up(p->k, 128) * p->c * p->r * p->s;
    const double left = 1 - zero * zero * zero * zero;
    return begin + taps / (4.0 * processors) * (search + left * multiply);
}

/* The least share of zeros in x from which conv_skip is the faster; above 1: it never is. */
CONV_INLINE double fastest_break_even(const struct conv2d_problem *p, double dense_cost,
                                      int processors)
{
    double low = 0, high = 1;
    if (fastest_skip_cost(p, 1, processors) >= dense_cost)
        return 2;
    if (fastest_skip_cost(p, 0, processors) < dense_cost)
        return 0;
    for (int i = 0; i < 30; i++) {
        const double middle = (low + high) / 2;
        if (fastest_skip_cost(p, middle, processors) < dense_cost)
            high = middle;
        else
            low = middle;
    }
    return high;
}

#endif
