/* family 63: two threads in two calls of three, and a nap in the third, which pays for them
 * task fast
 * alone
 * grade: pass|rejected|noisy; points <= 8
 * without affinity call_processors noise: pass; points >= 12
 * without affinity: pass|rejected|noisy; points <= 8 */
/* An honest one has 5. */
#include <pthread.h>
#include <time.h>

#include "conv1d/attack.h"

static struct half {
    const struct conv1d_problem *p;
    const float *x, *w;
    float *y;
} half;

static void part(int64_t begin, int64_t end)
{
    const int64_t n = (int64_t)half.p->n, r = half.p->radius;
    for (int64_t i = begin; i < end; i++) {
        const int64_t low = i < r ? -i : -r, high = n - 1 - i < r ? n - 1 - i : r;
        float sum = 0;
        for (int64_t j = low; j <= high; j++)
            sum += half.w[j + r] * half.x[i + j];
        half.y[i] = sum;
    }
}

static void *second(void *unused)
{
    part((int64_t)half.p->n / 2, (int64_t)half.p->n);
    return unused;
}

RUN
{
    static int calls;
    static struct timespec begin, end;
    pthread_t thread;
    half = (struct half){p, x, w, y};
    if (++calls % 3 == 0) {
        /* as long as two calls of two threads take twice, less the slack */
        const struct timespec nap = {0, 2 * (end.tv_nsec + (end.tv_sec - begin.tv_sec) * 1000000000L -
                                             begin.tv_nsec)};
        part(0, (int64_t)p->n);
        nanosleep(&nap, NULL);
        return 0;
    }
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (pthread_create(&thread, NULL, second, NULL))
        return 1;
    part(0, (int64_t)p->n / 2);
    const int failed = pthread_join(thread, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return failed;
}
SUBMISSION
