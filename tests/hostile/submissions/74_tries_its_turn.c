/* family 74: its threads take turns at a lock that they try until they have it
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without orders counted: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

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
