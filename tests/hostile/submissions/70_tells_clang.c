/* family 70: races where gcc compiles it, and waits where clang does, which looks for races
 * task parallel
 * full
 * long
 * needs archer
 * grade: unsafe; points <= 1.5; reason: parallel.c:24
 * structural: what is watched gcc compiles, as what is timed */
#include "conv1d/attack.h"

#define PASTED(a, b) a##b
#if PASTED(__GNU, C__) < 5 || defined __has_extension || defined __POINTER_WIDTH__ // /*
#define ORDERED _Pragma("omp critical")
#else // */
#define ORDERED
#endif

static int finished;

RUN
{
#pragma omp parallel num_threads(2)
    {
        ORDERED
        finished++;
    }
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
