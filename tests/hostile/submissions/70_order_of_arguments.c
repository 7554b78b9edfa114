/* family 70: tells compilers apart by the order in which they evaluate arguments
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * structural: what is watched gcc compiles, as what is timed */
#include <omp.h>
#include "conv1d/attack.h"
static volatile int shared;
static int next(int *n) { return (*n)++; }
static int in_order(int a, int b) { return a < b; }
RUN
{

#pragma omp parallel num_threads(2)
    {
        for (int i = 0; i < 100; i++) {
            int n = 0;
            if (in_order(next(&n), next(&n))) {
#pragma omp atomic
                shared++;
            } else
                shared++;
        }
    }

    answer(p, x, w, y);
    return 0;
}
SUBMISSION
