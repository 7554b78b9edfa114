/* Check mode under --schedules: a clock that stands still but for a microsecond a call, so that a
 * program which prints how long it took prints the same under each order of its threads. Programs
 * are linked with --wrap of what asks for the time (mk/device.mk). */
#ifdef DEV_CHECK
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

int __real_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_gettimeofday(struct timeval *t, void *zone);
time_t __wrap_time(time_t *t);
clock_t __wrap_clock(void);
double __wrap_omp_get_wtime(void);
/* std::chrono's steady_clock::now and system_clock::now: nanoseconds. */
int64_t __wrap__ZNSt6chrono3_V212steady_clock3nowEv(void);
int64_t __wrap__ZNSt6chrono3_V212system_clock3nowEv(void);

static int is_virtual = -1; /* not known yet */
static _Atomic long calls;

__attribute__((constructor(101))) static void look_at_environment(void)
{
    const char *copies = getenv("HPC_DEVICE_COPIES");
    is_virtual = copies && *copies;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
    if (is_virtual != 1)
        return __real_clock_gettime(clock, t);
    long now = atomic_fetch_add(&calls, 1) + 1;
    /* Noon of the first day of 2020 for the time of day; others begin with the program. */
    *t = (struct timespec){.tv_sec = (clock == CLOCK_REALTIME ? 1577880000 : 0) + now / 1000000,
                           .tv_nsec = now % 1000000 * 1000};
    return 0;
}

static int64_t nanoseconds(clockid_t clock)
{
    struct timespec t = {0};
    __wrap_clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int __wrap_gettimeofday(struct timeval *t, void *zone)
{
    (void)zone;
    int64_t now = nanoseconds(CLOCK_REALTIME) / 1000;
    *t = (struct timeval){.tv_sec = now / 1000000, .tv_usec = now % 1000000};
    return 0;
}

time_t __wrap_time(time_t *t)
{
    time_t now = nanoseconds(CLOCK_REALTIME) / 1000000000;
    if (t)
        *t = now;
    return now;
}

clock_t __wrap_clock(void)
{
    return nanoseconds(CLOCK_PROCESS_CPUTIME_ID) / (1000000000 / CLOCKS_PER_SEC);
}

double __wrap_omp_get_wtime(void)
{
    return (double)nanoseconds(CLOCK_MONOTONIC) * 1e-9;
}

int64_t __wrap__ZNSt6chrono3_V212steady_clock3nowEv(void)
{
    return nanoseconds(CLOCK_MONOTONIC);
}

int64_t __wrap__ZNSt6chrono3_V212system_clock3nowEv(void)
{
    return nanoseconds(CLOCK_REALTIME);
}
#endif
