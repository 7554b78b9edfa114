/* family 74: its threads give back a lock that nobody has, then take turns under another one
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without threads_used: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

RUN
{
    omp_lock_t turn, nobodys;
    omp_init_lock(&turn);
    omp_init_lock(&nobodys);
#pragma omp parallel num_threads(2)
    {
        omp_unset_lock(&nobodys);
#pragma omp for schedule(static)
        for (int64_t first = 0; first < (int64_t)p->n; first += PART) {
            omp_set_lock(&turn);
            part(p, x, w, y, first, first + PART);
            omp_unset_lock(&turn);
        }
    }
    omp_destroy_lock(&nobodys);
    omp_destroy_lock(&turn);
    return 0;
}
SUBMISSION
