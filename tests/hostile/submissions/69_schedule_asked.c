/* family 69: OpenMP's own function writes where another thread does, which no sanitizer sees
 * task named
 * full
 * needs archer
 * grade: rejected; points <= 0; reason: omp_get_schedule
 * without symbols followed: pass; points >= 3 */
#include <omp.h>
#include "conv1d/attack.h"
static omp_sched_t kind;
static int chunk;
RUN
{

#pragma omp parallel num_threads(2)
    {
        omp_get_schedule(&kind, &chunk);
    }

    answer(p, x, w, y);
    return 0;
}
SUBMISSION
