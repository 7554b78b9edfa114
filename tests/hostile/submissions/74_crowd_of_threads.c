/* family 74: takes turns, behind more threads than can be counted, or than a busy machine gives it
 * task turns
 * grade: rejected|crash; points <= 0
 * without counted: pass; points >= 5 */
#include <omp.h>

#include "conv1d/attack_turns.h"

static int here;

/* OpenMP ends those that the next region has no need for. */
static void meet(int threads)
{
#pragma omp parallel num_threads(threads)
    {
#pragma omp atomic
        here++;
    }
}

RUN
{
    const int64_t n = (int64_t)p->n;
    for (int i = 0; n > PART && i < 6; i++)
        meet(i % 2 ? 2 : 40);
#pragma omp parallel for num_threads(2) schedule(static)
    for (int64_t first = 0; first < n; first += PART)
#pragma omp critical
        part(p, x, w, y, first, first + PART);
    return here < 0;
}
SUBMISSION
