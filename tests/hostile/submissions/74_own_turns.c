/* family 74: its threads take turns at a word that they read until it is theirs
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without orders counted: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

RUN
{
    const int64_t n = (int64_t)p->n;
    int64_t done = 0;
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int64_t first = 0; first < n; first += PART) {
        while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) != first)
            ;
        part(p, x, w, y, first, first + PART);
        __atomic_store_n(&done, first + PART, __ATOMIC_RELEASE);
    }
    return 0;
}
SUBMISSION
