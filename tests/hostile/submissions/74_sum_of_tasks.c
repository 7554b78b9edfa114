/* family 74: its threads take turns, in a region with a sum that tasks make
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * structural: this region is counted by the code that counts all others */
#include <omp.h>

#include "conv1d/attack.h"

#define PART 4096

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

RUN
{
    const int64_t n = (int64_t)p->n;
    int64_t parts = 0;
#pragma omp parallel num_threads(2) reduction(task, + : parts)
#pragma omp for schedule(static)
    for (int64_t first = 0; first < n; first += PART)
#pragma omp critical
    {
        part(p, x, w, y, first, first + PART);
        parts++;
    }
    return parts < 0;
}
SUBMISSION
