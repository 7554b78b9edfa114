/* family 74: its threads take turns at a lock that they try until they have it
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without orders: pass; points >= 5 */
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
    omp_lock_t turn;
    omp_init_lock(&turn);
#pragma omp parallel for num_threads(2) schedule(static)
    for (int64_t first = 0; first < n; first += PART) {
        while (!omp_test_lock(&turn))
            ;
        part(p, x, w, y, first, first + PART);
        omp_unset_lock(&turn);
    }
    omp_destroy_lock(&turn);
    return 0;
}
SUBMISSION
