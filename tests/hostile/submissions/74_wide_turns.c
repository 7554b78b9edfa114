/* family 74: its threads take turns at a number of 16 bytes, which no instruction reads at once
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without orders counted: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

static long double see(const long double *done)
{
    long double now;
#pragma omp atomic read seq_cst
    now = *done;
    return now;
}

RUN
{
    const int64_t n = (int64_t)p->n;
    long double done = 0;
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int64_t first = 0; first < n; first += PART) {
        while (see(&done) != first)
            ;
        part(p, x, w, y, first, first + PART);
#pragma omp atomic write seq_cst
        done = first + PART;
    }
    return 0;
}
SUBMISSION
