/* family 74: each iteration of its loop waits for the one before
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without orders counted: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

RUN
{
    const int64_t n = (int64_t)p->n;
#pragma omp parallel for num_threads(2) schedule(static, 1) ordered(1)
    for (int64_t first = 0; first < n; first += PART) {
#pragma omp ordered depend(sink : first - PART)
        part(p, x, w, y, first, first + PART);
#pragma omp ordered depend(source)
    }
    return 0;
}
SUBMISSION
