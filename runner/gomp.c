/* Linked with a runner under the thread sanitizer whose OpenMP library is clang's: what gcc's has
 * and that one has not. A variant's calls come here, as those of runner/told.c do. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runner/gomp.h"

void __tsan_acquire(void *at);
void __tsan_release(void *at);

/* ---- memory that a loop's threads share: a scan's partial sums, the last value of a conditional
 * `lastprivate`. gcc's library has it ready where the loop begins, as zeros; clang's ends the
 * program. It is kept until the process ends, which is when its case does. */

enum { TEAM = 256 };

int omp_get_thread_num(void) __attribute__((weak));
int omp_get_num_threads(void) __attribute__((weak));
int omp_get_active_level(void) __attribute__((weak));
void *GOMP_single_copy_start(void) __attribute__((weak));
void GOMP_single_copy_end(void *at) __attribute__((weak));

/* Of the loop that the team has come to. */
static struct {
    bool locked, taken[TEAM]; /* by which thread */
    int left;                 /* threads that will take it */
    void *at;
} shared;

/* This thread's part in it; NULL where others have not yet taken that of the loop before. */
static void *take_shared(int me, int threads, size_t bytes)
{
    void *at = NULL;
    while (__atomic_test_and_set(&shared.locked, __ATOMIC_ACQUIRE))
        sched_yield();
    if (shared.left == 0) {
        shared.at = calloc(1, bytes);
        shared.left = threads;
        for (int i = 0; i < threads; i++)
            shared.taken[i] = false;
        __tsan_release(shared.at);
    }
    if (!shared.taken[me]) {
        shared.taken[me] = true;
        shared.left--;
        at = shared.at;
    }
    __atomic_clear(&shared.locked, __ATOMIC_RELEASE);
    return at;
}

/* No barrier, for the loop's beginning is none: one would hide races. */
static void *shared_memory(size_t bytes)
{
    const int threads = omp_get_num_threads();
    void *at = NULL;
    if (threads == 1)
        return calloc(1, bytes);
    if (threads > TEAM || omp_get_active_level() > 1) { /* several teams at a time */
        if (!(at = GOMP_single_copy_start()))
            GOMP_single_copy_end(at = calloc(1, bytes));
        return at;
    }
    while (!(at = take_shared(omp_get_thread_num(), threads, bytes)))
        sched_yield();
    __tsan_acquire(at);
    return at;
}

/* `*memory` comes as how many bytes there are to be. */
static void give_memory(void **memory)
{
    if (memory)
        *memory = shared_memory((size_t)(uintptr_t)*memory);
}

#define START(type, name, parameters, arguments)                                                   \
    type GOMP_##name parameters __attribute__((weak));                                             \
    type runner_GOMP_##name parameters;                                                            \
    type runner_GOMP_##name parameters                                                             \
    {                                                                                              \
        give_memory(memory);                                                                       \
        return ASKS ? GOMP_##name arguments : 0;                                                   \
    }

/* Where no iterations are asked for the memory is all that is. */
#define ASKS from
#define SIGNED(name)                                                                               \
    START(bool, name,                                                                              \
          (long first, long end, long step, long schedule, long chunk, long *from, long *to,       \
           uintptr_t *reductions, void **memory),                                                  \
          (first, end, step, schedule, chunk, from, to, reductions, NULL))
#define UNSIGNED(name)                                                                             \
    START(bool, name,                                                                              \
          (bool up, unsigned long long first, unsigned long long end, unsigned long long step,     \
           long schedule, unsigned long long chunk, unsigned long long *from,                      \
           unsigned long long *to, uintptr_t *reductions, void **memory),                          \
          (up, first, end, step, schedule, chunk, from, to, reductions, NULL))
SIGNED(loop_start)
SIGNED(loop_ordered_start)
UNSIGNED(loop_ull_start)
UNSIGNED(loop_ull_ordered_start)
START(bool, loop_doacross_start,
      (unsigned deep, long *counts, long schedule, long chunk, long *from, long *to,
       uintptr_t *reductions, void **memory),
      (deep, counts, schedule, chunk, from, to, reductions, NULL))
#undef ASKS
#define ASKS true
START(unsigned, sections2_start, (unsigned count, uintptr_t *reductions, void **memory),
      (count, reductions, NULL))

/* ---- a league of teams, at which Archer crashes: gcc's library has them work in turn, by the
 * thread that comes to it. */

void runner_GOMP_teams_reg(void (*run)(void *), void *data, unsigned teams, unsigned threads,
                           unsigned flags);

void runner_GOMP_teams_reg(void (*run)(void *), void *data, unsigned teams, unsigned threads,
                           unsigned flags)
{
    (void)threads;
    (void)flags;
    for (unsigned team = 0; team < teams || team == 0; team++)
        run(data);
}

/* ---- a task with `detach`, which ends when its event is fulfilled: clang's library knows such
 * tasks, but not by gcc's call, and Archer not what happened before the event. So a second task, of
 * the same dependences, waits for the first and is told: who waits for both knows it then. */

enum { TIED = 1, ENDS_ALL = 2, HAS_EVENT = 64 };  /* clang's flags of a task */
enum { UNTIED = 1, FINAL = 2, WITH_DEPENDS = 8 }; /* gcc's */
enum { IN = 1, IN_OUT = 3 };                      /* a dependence, in both */

struct event {
    void *its; /* clang's; NULL in a team of one thread, where a task ends before another begins */
};
struct kmp_task {
    void *data; /* a struct work */
    int (*run)(int thread, void *task);
    int part;
    void *more[2];
};
struct kmp_depend {
    const void *at;
    size_t bytes;
    uint8_t how;
};
struct work {
    void (*run)(void *);
    void *data;
    bool *done; /* NULL: nobody waits for it */
};

void *__kmpc_omp_task_alloc(struct kmpc_place *at, int thread, int flags, size_t task, size_t data,
                            int (*run)(int, void *)) __attribute__((weak));
void *__kmpc_task_allow_completion_event(struct kmpc_place *at, int thread, void *task)
    __attribute__((weak));
int __kmpc_omp_task_with_deps(struct kmpc_place *at, int thread, void *task, int n,
                              struct kmp_depend *list, int others, struct kmp_depend *other)
    __attribute__((weak));
void GOMP_taskyield(void) __attribute__((weak));
void omp_fulfill_event(void *its) __attribute__((weak));
void runner_omp_fulfill_event(struct event *event);

static struct kmpc_place here = KMPC_PLACE;

void runner_omp_fulfill_event(struct event *event)
{
    void *its = event->its;
    __tsan_release(event);
    if (its)
        omp_fulfill_event(its); /* the second task frees `event`, maybe by now */
}

static void tell_fulfilled(void *event)
{
    __tsan_acquire(event);
    free(event);
}

static int run_work(int thread, void *task)
{
    struct work *w = ((struct kmp_task *)task)->data;
    (void)thread;
    w->run(w->data);
    if (w->done) {
        __tsan_release(w->done);
        __atomic_store_n(w->done, true, __ATOMIC_RELEASE);
    }
    return 0;
}

/* A task whose work has room for `bytes` behind it. */
static struct kmp_task *new_task(int flags, size_t bytes)
{
    return __kmpc_omp_task_alloc(&here, __kmpc_global_thread_num(&here), flags,
                                 sizeof(struct kmp_task), sizeof(struct work) + bytes, run_work);
}

static void begin(struct kmp_task *task, int n, struct kmp_depend *list)
{
    __kmpc_omp_task_with_deps(&here, __kmpc_global_thread_num(&here), task, n, list, 0, NULL);
}

/* gcc's list, as clang's; returns how many. Old lists begin with their number; new ones with 0, and
 * have behind those of three kinds objects, {place, kind}. */
static int depends(void **gcc, struct kmp_depend *list)
{
    const bool old = gcc[0] != NULL;
    const size_t all = (size_t)(old ? gcc[0] : gcc[1]);
    const size_t out = (size_t)(old ? gcc[1] : gcc[2]) + (size_t)(old ? 0 : gcc[3]);
    const size_t known = old ? all : out + (size_t)gcc[4];
    for (size_t i = 0; i < all && list; i++) {
        void **at = gcc + (old ? 2 : 5) + i, **object = *at;
        list[i] = (struct kmp_depend){object, 0, i < out ? IN_OUT : IN};
        if (i >= known)
            list[i] = (struct kmp_depend){object[0], 0, (uintptr_t)object[1] == IN ? IN : IN_OUT};
    }
    return (int)all;
}

/* Its data, of t's, behind w. */
static void fill(struct work *w, const struct gomp_task *t)
{
    const uintptr_t behind = (uintptr_t)(w + 1), align = (uintptr_t)t->align;
    w->run = t->run;
    w->data = (char *)(w + 1) + (align - behind % align) % align;
    if (t->copy)
        t->copy(w->data, t->data);
    else
        memcpy(w->data, t->data, (size_t)t->bytes);
}

void runner_detached_task(const struct gomp_task *t, void **event)
{
    const int n = t->flags & WITH_DEPENDS ? depends(t->depend, NULL) : 0;
    const int flags = (t->flags & UNTIED ? 0 : TIED) | (t->flags & FINAL ? ENDS_ALL : 0);
    struct event *own = calloc(1, sizeof *own);
    const bool alone = omp_get_num_threads() == 1;
    struct kmp_task *task =
        new_task(flags | (alone ? 0 : HAS_EVENT), (size_t)t->bytes + (size_t)t->align);
    struct work *w = task->data;
    bool done = false;
    struct kmp_depend list[n + 1];
    if (!alone)
        own->its = __kmpc_task_allow_completion_event(&here, __kmpc_global_thread_num(&here), task);
    *event = own;
    *(void **)t->data = own; /* the first that the task knows */
    fill(w, t);
    w->done = t->deferred ? NULL : &done;
    if (n > 0)
        depends(t->depend, list);
    list[n] = (struct kmp_depend){own, 0, IN_OUT};
    begin(task, n + 1, list);
    while (!t->deferred && !__atomic_load_n(&done, __ATOMIC_ACQUIRE))
        GOMP_taskyield();
    if (!t->deferred)
        __tsan_acquire(&done);
    if (alone)
        return;
    struct kmp_task *second = new_task(TIED, 0);
    *(struct work *)second->data = (struct work){tell_fulfilled, own, NULL};
    begin(second, n + 1, list);
}
