/* family 74: its threads take turns, behind a region in a region, whose phases are not told apart
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without orders counted: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

RUN
{
    const int64_t n = (int64_t)p->n;
    volatile int seen[4] = {0};
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        volatile int *own = &seen[2 * omp_get_thread_num()];
#pragma omp parallel num_threads(2)
        own[omp_get_thread_num()] = 1;
    }
#pragma omp parallel for num_threads(2) schedule(static)
    for (int64_t first = 0; first < n; first += PART)
#pragma omp critical
        part(p, x, w, y, first, first + PART);
    return 0;
}
SUBMISSION
