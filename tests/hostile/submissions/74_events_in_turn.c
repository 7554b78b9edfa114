/* family 74: tasks of which each waits for an event that the one before it fulfills
 * task turns
 * grade: rejected; points <= 0; reason: take turns
 * without threads_used: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

/* libgomp hangs where a detached task is done at once: beyond 128 that wait. */
enum { SOME = 4 * PART, PARTS = 256 };
static char ended[PARTS + 1];

/* What begins when the event of the part before is fulfilled, for which a detached task stands. */
static void work(const struct conv1d_problem *p, const float *x, const float *w, float *y, int i)
{
    omp_event_handle_t end;
#pragma omp task depend(out : ended[i + 1]) detach(end)
    ended[i + 1] = 1;
#pragma omp task depend(in : ended[i]) firstprivate(end)
    {
        part(p, x, w, y, (int64_t)i * SOME, (int64_t)(i + 1) * SOME);
        omp_fulfill_event(end);
    }
}

RUN
{
    const int64_t n = (int64_t)p->n;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int64_t i = 0; i * SOME < n; i++)
        work(p, x, w, y, (int)i);
    return 0;
}
SUBMISSION
