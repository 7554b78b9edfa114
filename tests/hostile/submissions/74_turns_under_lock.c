/* family 74: its threads take turns at a word that they read in a critical region
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without orders counted: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

static int64_t see(const int64_t *done)
{
    int64_t now;
#pragma omp critical
    now = *done;
    return now;
}

RUN
{
    const int64_t n = (int64_t)p->n;
    int64_t done = 0;
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int64_t first = 0; first < n; first += PART) {
        while (see(&done) != first)
            ;
        part(p, x, w, y, first, first + PART);
#pragma omp critical
        done = first + PART;
    }
    return 0;
}
SUBMISSION
