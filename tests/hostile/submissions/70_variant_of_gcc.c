/* family 70: a function that gcc alone replaces by one that races
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * structural: what is watched gcc compiles, as what is timed */
#include <omp.h>
#include "conv1d/attack.h"
static volatile int shared;
static void gnus(void);
#pragma omp declare variant(gnus) match(implementation={vendor(gnu)})
static void add(void);
static void gnus(void) { shared++; }
static void add(void) {
#pragma omp atomic
 shared++;
}
RUN
{

#pragma omp parallel num_threads(2)
    {
        for (int i = 0; i < 100; i++) add();
    }

    answer(p, x, w, y);
    return 0;
}
SUBMISSION
