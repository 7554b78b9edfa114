/* family 32: a thread sees the inputs come, and starts before the start signal
 * task light
 * grade: pass|rejected; points <= 8
 * without hold cpu_bound: pass; points >= 10 */
#include <pthread.h>

#include "conv1d/attack.h"

static struct work {
    const struct conv1d_problem *p;
    const float *x, *w;
    float *y;
    volatile float last; /* of the inputs that it has worked on */
    volatile int busy, known;
} work;

/* Inputs are written from the first to the last. */
static void *watch(void *unused)
{
    while (!work.known)
        ;
    for (;;) {
        const volatile float *end = &work.x[work.p->n - 1];
        if (*end == work.last)
            continue;
        work.busy = 1;
        usleep(300); /* the last element may be seen before the others */
        work.last = *end;
        answer(work.p, work.x, work.w, work.y);
        work.busy = 0;
    }
    return unused;
}

static int begin(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv1d_problem *p = problem;
    pthread_t thread;
    work.p = p;
    work.y = malloc(p->n * sizeof(float));
    return pthread_create(&thread, NULL, watch, NULL) || plain_open(env, problem, state);
}

RUN
{
    if (!work.known) {
        work.x = x;
        work.w = w;
        work.last = x[p->n - 1];
        answer(p, x, w, y);
        work.known = 1;
        return 0;
    }
    while (work.last != x[p->n - 1] || work.busy)
        ;
    memcpy(y, work.y, p->n * sizeof *y);
    return 0;
}
SUBMISSION_WITH(begin, plain_close)
