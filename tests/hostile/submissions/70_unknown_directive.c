/* family 70: a directive that makes it right, which gcc does not know
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * structural: what is watched gcc compiles, as what is timed */
#include <omp.h>
#include "conv1d/attack.h"
static volatile int shared;
RUN
{

#pragma omp parallel num_threads(2)
    {
        for (int i = 0; i < 100; i++) {
#pragma omp metadirective when(implementation={vendor(llvm)}: atomic) default(nothing)
            shared++;
        }
    }

    answer(p, x, w, y);
    return 0;
}
SUBMISSION
