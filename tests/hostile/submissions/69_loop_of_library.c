/* family 69: the library's own function stores the bounds of a loop where two threads read them
 * task parallel
 * full
 * needs archer
 * grade: rejected; points <= 0; reason: OpenMP
 * without own_checker: pass; points >= 3 */
#include <omp.h>
#include "conv1d/attack.h"
static long from, to;
extern _Bool GOMP_loop_static_start(long, long, long, long, long *, long *);
extern void GOMP_loop_end_nowait(void);
RUN
{

#pragma omp parallel num_threads(2)
    {
        GOMP_loop_static_start(0, 10, 1, 5, &from, &to);
        GOMP_loop_end_nowait();
    }

    answer(p, x, w, y);
    return 0;
}
SUBMISSION
