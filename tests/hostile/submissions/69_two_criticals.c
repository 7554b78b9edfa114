/* family 69: two threads count in critical regions of two names, which guard nothing from each
 * other; one comes late, so that Archer's own lock would put them in order
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * without archers_lock: pass; points >= 3 */
#include <unistd.h>

#include <omp.h>

#include "conv1d/attack.h"

static int counted;

RUN
{
    answer(p, x, w, y);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp critical(one)
        counted++;
    } else {
        usleep(20000);
#pragma omp critical(other)
        counted++;
    }
    return 0;
}
SUBMISSION
