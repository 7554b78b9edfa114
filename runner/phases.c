/* Beside stores.c in a runner whose variant has OpenMP: how much of the work threads share. The
 * barriers of OpenMP cut a program into phases; in each, the bytes that every thread loads and
 * stores are counted. Whatever else the machine does, a phase lasts as long as the thread with the
 * most of them, or as what is done under a lock, one thread at a time (lock_sets.c); so the sum of
 * those is the time, and all bytes by it are the threads at work on average.
 *
 * Who gets a task, a chunk of a dynamic loop or a section depends on what else the machine does.
 * Such pieces count for no thread: a phase lasts at least as long as the largest of them, and as
 * all bytes divided among the team. A taskwait ends its thread's phase.
 *
 * A region within a region of several threads has one thread here, as OpenMP has it where nobody
 * asks for more. Threads that OpenMP started by a call that isn't listed here are in no known
 * phase: then nothing is said. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "runner/lock_sets.h"
#include "runner/phases.h"
#include "runner/stores.h"

#define THREADS 64
#define PHASES  4096 /* that are open: no thread is so many barriers behind another */

extern const char __ehdr_start[]; /* where the program's file is mapped */

static struct phase {
    uint64_t bytes[THREADS], locked[RUNNER_LOCK_SETS];
    uint64_t pieces, largest; /* bytes of all pieces, and of the one with most */
    uint64_t chain;           /* the longest of what threads did one behind the other (orders.c) */
    const void *from;         /* the last access, of any thread */
} phase[PHASES];
static int newest; /* phase n is phase[n % PHASES], from newest - PHASES + 1 on */
/* Of phases that are over; `lone`: what one thread did alone in that of `from`. */
static struct {
    uint64_t all, longest, lone;
    const void *from;
} over;
_Thread_local struct runner_place runner_place = {.thread = -1};
static int threads, team;
/* The last phase of any thread, at barriers of even and odd number: a thread that is at its next
 * one changes nothing for those that still leave this one. */
static int furthest[2];
bool runner_unknown;

void runner_work(size_t bytes, const void *from)
{
    if (runner_place.thread < 0)
        runner_place.thread = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
    if (runner_place.thread >= THREADS || (runner_place.thread > 0 && !runner_place.known)) {
        runner_unknown = true;
        return;
    }
    struct phase *p = &phase[runner_place.phase % PHASES];
    if (runner_place.in_piece)
        runner_place.piece += bytes;
    else
        p->bytes[runner_place.thread] += bytes;
    runner_place.chain += bytes;
    runner_place.since += bytes;
    p->from = from;
    const int set = runner_place.locks > 0 ? runner_lock_set() : -1;
    if (set >= 0) {
        runner_place.since_locked =
            (set == runner_place.set ? runner_place.since_locked : 0) + bytes;
        runner_place.set = set;
        __atomic_fetch_add(&p->locked[set], bytes, __ATOMIC_RELAXED);
    }
}

void runner_looks(void)
{
    runner_place.since = runner_place.since_locked = 0;
}

void runner_waited(void)
{
    struct phase *p = &phase[runner_place.phase % PHASES];
    uint64_t *of = runner_place.in_piece ? &runner_place.piece : &p->bytes[runner_place.thread];
    if (runner_place.thread < 0 || runner_place.thread >= THREADS ||
        runner_place.since > RUNNER_A_TRY || runner_place.since > *of ||
        runner_place.since > runner_place.chain)
        return;
    *of -= runner_place.since;
    __atomic_fetch_sub(&p->locked[runner_place.set], runner_place.since_locked, __ATOMIC_RELAXED);
    runner_place.chain -= runner_place.since;
}

bool runner_locked(void)
{
    return runner_place.locks > 0 && runner_lock_set() >= 0;
}

void runner_keep_most(uint64_t *most, uint64_t value)
{
    uint64_t old = __atomic_load_n(most, __ATOMIC_RELAXED);
    while (old < value && !__atomic_compare_exchange_n(most, &old, value, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED))
        ;
}

void runner_piece_end(void)
{
    struct phase *p = &phase[runner_place.phase % PHASES];
    if (runner_place.piece > 0) {
        runner_chain();
        __atomic_fetch_add(&p->pieces, runner_place.piece, __ATOMIC_RELAXED);
        runner_keep_most(&p->largest, runner_place.piece);
    }
    runner_place.piece = runner_place.chain = 0;
}

void runner_chain(void)
{
    runner_keep_most(&phase[runner_place.phase % PHASES].chain, runner_place.chain);
}

/* The shortest time that a phase can take, in bytes of one thread; *sum: all its bytes. */
static uint64_t phase_time(const struct phase *p, uint64_t *sum)
{
    const uint64_t locked = runner_under_locks(p->locked);
    uint64_t most = locked > p->largest ? locked : p->largest;
    most = most > p->chain ? most : p->chain;
    *sum = p->pieces;
    for (int t = 0; t < THREADS; t++) {
        *sum += p->bytes[t];
        most = p->bytes[t] > most ? p->bytes[t] : most;
    }
    const uint64_t divided = *sum / (team > 0 ? (uint64_t)team : 1);
    return most > divided ? most : divided;
}

/* Add a phase that is over to the others, and make it empty. */
static void end_phase(struct phase *p)
{
    uint64_t sum;
    const uint64_t most = phase_time(p, &sum);
    if (most == 0)
        return;
    over.all += sum;
    over.longest += most;
    if (2 * most > sum && 2 * most - sum > over.lone) {
        over.lone = 2 * most - sum;
        over.from = p->from;
    }
    *p = (struct phase){0};
}

void runner_begin_phase(int number)
{
    static bool taken;
    runner_place.phase = number;
    runner_place.chain = 0;
    runner_looks();
    while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE))
        ;
    for (; newest < number; newest++)
        end_phase(&phase[(newest + 1) % PHASES]);
    __atomic_clear(&taken, __ATOMIC_RELEASE);
}

void runner_phases(void)
{
    for (int i = 0; i < PHASES; i++)
        end_phase(&phase[i]);
    if (!runner_unknown && over.longest > 0)
        printf("\nphases %lu longest %lu from %lx\n", over.all, over.longest,
               over.from ? (uintptr_t)over.from - 1 - (uintptr_t)__ehdr_start : 0);
}

void *runner_behind(const char *name)
{
    void *f = dlsym(RTLD_NEXT, name);
    if (!f) {
        fprintf(stderr, "runner: no %s\n", name);
        abort();
    }
    return f;
}

/* ---- regions: their threads begin in the phase behind that of the one that opens them ----------
 */

struct region {
    const void *reductions; /* the first word of the data of GOMP_parallel_reductions() */
    void (*body)(void *);
    void *data;
    int phase, barriers;
};

void runner_publish(void)
{
    int *f = &furthest[runner_place.barriers & 1], old = __atomic_load_n(f, __ATOMIC_RELAXED);
    while (old < runner_place.phase &&
           !__atomic_compare_exchange_n(f, &old, runner_place.phase, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        ;
}

void runner_meet(void)
{
    runner_begin_phase(__atomic_load_n(&furthest[runner_place.barriers++ & 1], __ATOMIC_RELAXED) +
                       1);
    runner_stores_meet();
}

static void enter(void *region)
{
    const struct region *r = region;
    const bool known = runner_place.known, in_region = runner_place.in_region;
    const int now = ((int (*)(void))runner_behind("omp_get_num_threads"))();
    int old = __atomic_load_n(&team, __ATOMIC_RELAXED);
    while (old < now &&
           !__atomic_compare_exchange_n(&team, &old, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    runner_unknown |= in_region && now > 1; /* barriers of two teams at once are not told apart */
    runner_begin_phase(r->phase);
    runner_place.barriers = r->barriers;
    runner_place.in_region = in_region || now > 1;
    runner_place.known = true;
    r->body(r->data);
    runner_publish();
    runner_place.known = known;
    runner_place.in_region = in_region;
}

#define REGION(name, more, ...)                                                                    \
    void name(void (*body)(void *), void *data, unsigned threads_asked, PARAMETERS more);          \
    void name(void (*body)(void *), void *data, unsigned threads_asked, PARAMETERS more)           \
    {                                                                                              \
        void (*real)(void (*)(void *), void *, unsigned, PARAMETERS more) =                        \
            (void (*)(void (*)(void *), void *, unsigned, PARAMETERS more))runner_behind(#name);   \
        struct region r = {NULL, body, data, runner_place.phase + 1, runner_place.barriers};       \
        real(enter, &r, threads_asked, __VA_ARGS__);                                               \
        runner_meet();                                                                             \
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

unsigned GOMP_parallel_reductions(void (*body)(void *), void *data, unsigned asked, unsigned flags);
unsigned GOMP_parallel_reductions(void (*body)(void *), void *data, unsigned asked, unsigned flags)
{
    unsigned (*real)(void (*)(void *), void *, unsigned, unsigned) = (unsigned (*)(
        void (*)(void *), void *, unsigned, unsigned))runner_behind("GOMP_parallel_reductions");
    struct region r = {*(const void *const *)data, body, data, runner_place.phase + 1,
                       runner_place.barriers};
    const unsigned got = real(enter, &r, asked, flags);
    runner_meet();
    return got;
}

#define BARRIER(name)                                                                              \
    void name(void);                                                                               \
    void name(void)                                                                                \
    {                                                                                              \
        runner_publish();                                                                          \
        ((void (*)(void))runner_behind(#name))();                                                  \
        runner_meet();                                                                             \
    }
BARRIER(GOMP_barrier)
BARRIER(GOMP_loop_end)
BARRIER(GOMP_sections_end)
