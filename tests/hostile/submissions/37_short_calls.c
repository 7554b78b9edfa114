/* family 37: two threads in calls so short that their processor time is not looked at
 * task short
 * alone
 * grade: pass|rejected|noisy; points <= 2
 * without affinity noise: rejected; points <= 0; reason: processors where the task gives 1
 * without affinity cpu_bound call_processors: pass; points >= 3 */
#include <pthread.h>

#include "conv1d/attack.h"

static struct half {
    const struct conv1d_problem *p;
    const float *x, *w;
    float *y;
    volatile int go, done, started;
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
    for (int last = 0;;) {
        while (half.go == last)
            ;
        last = half.go;
        __sync_synchronize();
        part((int64_t)half.p->n / 2, (int64_t)half.p->n);
        __sync_synchronize();
        half.done = last;
    }
    return unused;
}

RUN
{
    pthread_t thread;
    half.p = p;
    half.x = x;
    half.w = w;
    half.y = y;
    if (!half.started && pthread_create(&thread, NULL, second, NULL))
        return 1;
    half.started = 1;
    __sync_synchronize();
    half.go++;
    part(0, (int64_t)p->n / 2);
    while (half.done != half.go)
        ;
    return 0;
}
SUBMISSION
