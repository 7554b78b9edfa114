/* A thread that sees the inputs come, and has the answer ready at the start signal; where it did
 * not see them early, the answer comes at the baseline's pace. */
#ifndef HPC_HOSTILE_ATTACK_EARLY_H
#define HPC_HOSTILE_ATTACK_EARLY_H

#include <pthread.h>

#include "conv1d/attack.h"

#define PIECE              1024
#define EARLY_MICROSECONDS 100 /* before the start signal: less is nobody's mistake */

static struct work {
    const struct conv1d_problem *p;
    const float *x, *w;
    float *y, last; /* of the inputs that were worked on, or answered */
    int known, ready, called;
} work;

static int is_set(int *flag)
{
    return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void set(int *flag, int value)
{
    __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

static float end_of_inputs(void)
{
    return *(const volatile float *)&work.x[work.p->n - 1];
}

/* The answer, by loops that become vectors; given up when a call comes that will not wait. */
__attribute__((optimize("O3"))) static int work_ahead(void)
{
    const int64_t n = (int64_t)work.p->n, r = work.p->radius;
    for (int64_t begin = 0; begin < n; begin += PIECE) {
        const int64_t end = begin + PIECE < n ? begin + PIECE : n;
        float *y = work.y;
        memset(y + begin, 0, (size_t)(end - begin) * sizeof *y);
        for (int64_t j = -r; j <= r; j++) {
            const int64_t low = -j > begin ? -j : begin, high = n - j < end ? n - j : end;
            const float *shifted = work.x + j;
            const float tap = work.w[j + r];
#pragma GCC ivdep
            for (int64_t i = low; i < high; i++)
                y[i] += tap * shifted[i];
        }
        if (is_set(&work.called) < 0)
            return 0;
    }
    return 1;
}

/* Whether the start signal is still to come, and for a while. */
static int is_early(void)
{
    static struct hpc_control *control;
    control = control ? control : control_page();
    const uint32_t last = __atomic_load_n(&control->done, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&control->start, __ATOMIC_ACQUIRE) != last)
        return 0;
    usleep(EARLY_MICROSECONDS);
    return __atomic_load_n(&control->start, __ATOMIC_ACQUIRE) == last;
}

/* Whether inputs are there that no call has asked about. Inputs are written from the first to the
 * last. */
static int are_new(void)
{
    return is_set(&work.known) && !is_set(&work.called) && end_of_inputs() != work.last;
}

static void start_early(void)
{
    if (!is_early())
        return;
    work.last = end_of_inputs();
    set(&work.ready, -1);
    set(&work.ready, work_ahead());
}

static void *watch(void *unused)
{
    for (;; usleep(50))
        if (are_new())
            start_early();
    return unused;
}

static int begin_with(void *(*thread_of)(void *), const struct hpc_env *env, const void *problem,
                      void **state)
{
    pthread_t thread;
    work.p = problem;
    work.y = malloc(work.p->n * sizeof *work.y);
    memset(work.y, 0, work.p->n * sizeof *work.y);
    return pthread_create(&thread, NULL, thread_of, NULL) || plain_open(env, problem, state);
}

__attribute__((unused)) static int begin(const struct hpc_env *env, const void *problem,
                                         void **state)
{
    return begin_with(watch, env, problem, state);
}

RUN
{
    const int early = is_set(&work.ready) && work.last == x[p->n - 1];
    set(&work.called, early ? 1 : -1);
    while (early && is_set(&work.ready) < 0)
        usleep(20);
    if (early)
        memcpy(y, work.y, p->n * sizeof *y);
    else
        answer(p, x, w, y);
    work.x = x;
    work.w = w;
    work.last = x[p->n - 1];
    set(&work.ready, 0);
    set(&work.called, 0);
    set(&work.known, 1);
    return 0;
}

#endif
