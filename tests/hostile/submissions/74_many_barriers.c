/* family 74: its threads take turns, behind more barriers than phases have room
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * structural: a phase that is over leaves its room to another */
#include <omp.h>

#include "conv1d/attack_turns.h"

#define BARRIERS 5000

RUN
{
    const int64_t n = (int64_t)p->n;
#pragma omp parallel num_threads(2)
    for (int i = 0; n > PART && i < BARRIERS; i++) {
#pragma omp barrier
    }
#pragma omp parallel for num_threads(2) schedule(static)
    for (int64_t first = 0; first < n; first += PART)
#pragma omp critical
        part(p, x, w, y, first, first + PART);
    return 0;
}
SUBMISSION
