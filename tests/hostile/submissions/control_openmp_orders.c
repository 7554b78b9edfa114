/* family control: what waits for another thread is little, by locks that are tried, by iterations in
 * order and by regions in regions
 * task turns
 * grade: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

RUN
{
    const int64_t n = (int64_t)p->n;
    int64_t tried = 0, in_order = 0, inner = 0;
    omp_lock_t turn;
    omp_init_lock(&turn);
    omp_set_max_active_levels(2);
#pragma omp parallel for num_threads(2) schedule(static, 1) ordered(1)
    for (int64_t first = 0; first < n; first += PART) {
        part(p, x, w, y, first, first + PART);
#pragma omp ordered depend(sink : first - PART)
        in_order++;
#pragma omp ordered depend(source)
        while (!omp_test_lock(&turn))
            ;
        tried++;
        omp_unset_lock(&turn);
    }
#pragma omp parallel num_threads(2) reduction(+ : inner)
    {
#pragma omp parallel num_threads(2) reduction(+ : inner)
        inner++;
    }
    omp_destroy_lock(&turn);
    return tried != in_order || inner < 2;
}
SUBMISSION
