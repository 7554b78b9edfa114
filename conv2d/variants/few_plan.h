/* Which convolutions few_kernel.h takes, and how it parts them: plain C, so that a test can try it.
 */
#ifndef HPC_CONV2D_FEW_PLAN_H
#define HPC_CONV2D_FEW_PLAN_H

#include <stdbool.h>

#include "conv2d/conv2d.h"

enum {
    FEW_CHANNELS = 8, /* there are fewer than these, */
    FEW_TAPS = 32,    /* and of all channels together at most as many */
    FEW_THREADS = 128,
    FEW_FILTERS = 64, /* of a block, */
    FEW_OUTPUTS = 64, /* each of these */
};

CONV_INLINE int few_groups(const struct conv2d_problem *p)
{
    return (p->k + FEW_FILTERS - 1) / FEW_FILTERS;
}

CONV_INLINE bool few_takes(const struct conv2d_problem *p)
{
    return p->c < FEW_CHANNELS && (double)p->c * p->r * p->s <= FEW_TAPS &&
           (double)p->c * p->h * p->w < 0x1p31 &&
           (double)p->n * conv2d_rows(p) * conv2d_columns(p) < 0x1p30 && few_groups(p) < 65536;
}

#endif
