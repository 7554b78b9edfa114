/* family 74: tasks of which each makes the next one, when it has done its part
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without orders counted: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

static void from_here(const struct conv1d_problem *p, const float *x, const float *w, float *y,
                      int64_t first)
{
    if (first >= (int64_t)p->n)
        return;
    part(p, x, w, y, first, first + PART);
#pragma omp taskloop num_tasks(1) nogroup
    for (int i = 0; i < 1; i++)
        from_here(p, x, w, y, first + PART);
}

RUN
{
#pragma omp parallel num_threads(2)
#pragma omp single
    from_here(p, x, w, y, 0);
    return 0;
}
SUBMISSION
