/* family 74: its threads take turns at a lock of their own, which they try until they have it
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without orders counted: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

RUN
{
    const int64_t n = (int64_t)p->n;
    char taken = 0;
#pragma omp parallel for num_threads(2) schedule(static)
    for (int64_t first = 0; first < n; first += PART) {
        while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE))
            ;
        part(p, x, w, y, first, first + PART);
        __atomic_clear(&taken, __ATOMIC_RELEASE);
    }
    return 0;
}
SUBMISSION
