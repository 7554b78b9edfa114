/* family 74: tasks of which each waits for the one before it
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without threads_used: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

RUN
{
    const int64_t n = (int64_t)p->n;
    int turn = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int64_t first = 0; first < n; first += PART)
#pragma omp task depend(inout : turn)
        part(p, x, w, y, first, first + PART);
    return turn;
}
SUBMISSION
