/* family 7: a clock of its own, eight times slower
 * task fast
 * grade: pass; points <= 20
 * without call_processors cpu_bound clock localise: pass; points >= 42 */
#include <time.h>

#include "conv1d/attack.h"

int clock_gettime(clockid_t clock, struct timespec *t)
{
    int status = (int)syscall(SYS_clock_gettime, clock, t);
    int64_t ns = (t->tv_sec * INT64_C(1000000000) + t->tv_nsec) / 8;
    t->tv_sec = ns / 1000000000;
    t->tv_nsec = ns % 1000000000;
    return status;
}

double omp_get_wtime(void)
{
    return 0;
}

RUN
{
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
