/* family 74: its threads take turns, in a region with a sum that tasks make
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * structural: this region is counted by the code that counts all others */
#include <omp.h>

#include "conv1d/attack_turns.h"

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
