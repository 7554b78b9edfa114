/* family control: a lock for readers and writers, taken until a clock says that it is too late
 * task races
 * full
 * grade: pass; points >= 5 */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

#include "conv1d/attack.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static long sum, seen;

static struct timespec later(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_sec += 60;
    return t;
}

static void *work(void *p)
{
    const clockid_t clock = p ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    for (int i = 0; i < 100; i++) {
        const struct timespec end = later(clock);
        if (pthread_rwlock_clockwrlock(&lock, clock, &end) == 0) {
            sum++;
            pthread_rwlock_unlock(&lock);
        }
        if (pthread_rwlock_clockrdlock(&lock, clock, &end) == 0) {
            __atomic_fetch_add(&seen, sum > 0, __ATOMIC_RELAXED);
            pthread_rwlock_unlock(&lock);
        }
    }
    return p;
}

RUN
{
    pthread_t thread;
    sum = seen = 0;
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, work, y) != 0)
        return 1;
    work(NULL);
    return pthread_join(thread, NULL) || sum != 200 || seen != 200;
}
SUBMISSION
