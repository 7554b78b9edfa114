/* What submissions of several OpenMP threads share, who take turns or do not: a thread's part of a
 * convolution. */
#ifndef HPC_HOSTILE_ATTACK_TURNS_H
#define HPC_HOSTILE_ATTACK_TURNS_H

#include "conv1d/attack.h"

#define PART 4096 /* outputs */

/* Outputs first to end - 1. */
static void part(const struct conv1d_problem *p, const float *x, const float *w, float *y,
                 int64_t first, int64_t end)
{
    const int64_t n = (int64_t)p->n, r = p->radius;
    for (int64_t i = first; i < end && i < n; i++) {
        float sum = 0;
        for (int64_t j = -r; j <= r; j++)
            if (i + j >= 0 && i + j < n)
                sum += w[j + r] * x[i + j];
        y[i] = sum;
    }
}

#endif
