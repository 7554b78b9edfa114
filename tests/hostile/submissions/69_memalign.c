/* family 69: two threads are given memory through one pointer, which the library stores
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * structural: the runner itself stores the pointer, where the sanitizer sees it */
#include <omp.h>
#include "conv1d/attack.h"
static void *shared;
RUN
{

#pragma omp parallel num_threads(2)
    {
        (void)!posix_memalign(&shared, 64, 64);
    }

    answer(p, x, w, y);
    return 0;
}
SUBMISSION
