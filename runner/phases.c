/* Beside stores.c in a runner whose variant has OpenMP: how much of the work threads share. The
 * barriers of OpenMP cut a program into phases; in each, the bytes that every thread loads and
 * stores are counted. Whatever else the machine does, a phase lasts as long as the thread with the
 * most of them, or as all that is done under locks, one thread at a time; so the sum of those is
 * the time, and all bytes by it are the threads at work on average.
 *
 * Threads that OpenMP started by a call that isn't listed here are in no known phase: then nothing
 * is said. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "runner/stores.h"

#define THREADS 64
#define PHASES  4096

extern const char __ehdr_start[]; /* where the program's file is mapped */

static struct phase {
    uint64_t bytes[THREADS], locked;
    const void *from; /* the last access, of any thread */
} phase[PHASES];
static _Thread_local struct {
    int phase, thread, locks;
    bool known; /* which phase it is in */
} own = {.thread = -1};
static int threads;
static bool unknown; /* there is work whose phase isn't known */

void runner_work(size_t bytes, const void *from)
{
    if (own.thread < 0)
        own.thread = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
    if (own.thread >= THREADS || own.phase >= PHASES || (own.thread > 0 && !own.known)) {
        unknown = true;
        return;
    }
    struct phase *p = &phase[own.phase];
    p->bytes[own.thread] += bytes;
    p->from = from;
    if (own.locks > 0)
        __atomic_fetch_add(&p->locked, bytes, __ATOMIC_RELAXED);
}

void runner_phases(void)
{
    uint64_t all = 0, longest = 0, lone = 0;
    const struct phase *where = phase;
    for (const struct phase *p = phase; p < phase + PHASES; p++) {
        uint64_t sum = 0, most = p->locked;
        for (int t = 0; t < THREADS; t++) {
            sum += p->bytes[t];
            most = p->bytes[t] > most ? p->bytes[t] : most;
        }
        all += sum;
        longest += most;
        if (2 * most - sum > lone && 2 * most > sum) {
            lone = 2 * most - sum;
            where = p;
        }
    }
    if (!unknown && longest > 0)
        printf("\nphases %lu longest %lu from %lx\n", all, longest,
               where->from ? (uintptr_t)where->from - 1 - (uintptr_t)__ehdr_start : 0);
}

/* ---- regions: their threads begin in the phase behind that of the one that opens them ----------
 */

struct region {
    void (*body)(void *);
    void *data;
    int phase;
};

static void enter(void *region)
{
    const struct region *r = region;
    const bool known = own.known;
    own.phase = r->phase;
    own.known = true;
    r->body(r->data);
    own.known = known;
}

static void meet(void)
{
    own.phase++;
    runner_stores_meet();
}

/* OpenMP's function of the name that one here has. */
static void *behind(const char *name)
{
    void *f = dlsym(RTLD_NEXT, name);
    if (!f) {
        fprintf(stderr, "runner: no %s\n", name);
        abort();
    }
    return f;
}

#define REGION(name, more, ...)                                                                    \
    void name(void (*body)(void *), void *data, unsigned threads_asked, PARAMETERS more);          \
    void name(void (*body)(void *), void *data, unsigned threads_asked, PARAMETERS more)           \
    {                                                                                              \
        void (*real)(void (*)(void *), void *, unsigned, PARAMETERS more) =                        \
            (void (*)(void (*)(void *), void *, unsigned, PARAMETERS more))behind(#name);          \
        struct region r = {body, data, own.phase + 1};                                             \
        real(enter, &r, threads_asked, __VA_ARGS__);                                               \
        meet();                                                                                    \
    }
#define PARAMETERS(...) __VA_ARGS__
#define RANGE           long begin, long end, long step
#define LOOP(name)      REGION(name, (RANGE, long chunk, unsigned flags), begin, end, step, chunk, flags)
#define RUNTIME(name)   REGION(name, (RANGE, unsigned flags), begin, end, step, flags)

REGION(GOMP_parallel, (unsigned flags), flags)
REGION(GOMP_parallel_sections, (unsigned count, unsigned flags), count, flags)
LOOP(GOMP_parallel_loop_static)
LOOP(GOMP_parallel_loop_dynamic)
LOOP(GOMP_parallel_loop_guided)
LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
LOOP(GOMP_parallel_loop_nonmonotonic_guided)
RUNTIME(GOMP_parallel_loop_runtime)
RUNTIME(GOMP_parallel_loop_nonmonotonic_runtime)
RUNTIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

#define BARRIER(name)                                                                              \
    void name(void);                                                                               \
    void name(void)                                                                                \
    {                                                                                              \
        ((void (*)(void))behind(#name))();                                                         \
        meet();                                                                                    \
    }
BARRIER(GOMP_barrier)
BARRIER(GOMP_loop_end)
BARRIER(GOMP_sections_end)

#define LOCK(take, give)                                                                           \
    void take(void *lock);                                                                         \
    void give(void *lock);                                                                         \
    void take(void *lock)                                                                          \
    {                                                                                              \
        ((void (*)(void *))behind(#take))(lock);                                                   \
        own.locks++;                                                                               \
    }                                                                                              \
    void give(void *lock)                                                                          \
    {                                                                                              \
        own.locks--;                                                                               \
        ((void (*)(void *))behind(#give))(lock);                                                   \
    }
/* Those without an argument take one here, which nobody reads. */
LOCK(GOMP_critical_start, GOMP_critical_end)
LOCK(GOMP_critical_name_start, GOMP_critical_name_end)
LOCK(GOMP_ordered_start, GOMP_ordered_end)
LOCK(omp_set_lock, omp_unset_lock)
LOCK(omp_set_nest_lock, omp_unset_nest_lock)
