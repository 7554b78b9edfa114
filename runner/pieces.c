/* Tasks, chunks of loops and sections: pieces of work that OpenMP gives to whichever thread asks
 * first (phases.c counts them).
 */
#include "runner/phases.h"

#define TASKS 16 /* functions that tasks are made of */

/* A task of each of these functions begins in the phase of the thread that made the last one. */
static struct task {
    void (*body)(void *);
    int phase;
} task[TASKS];

static void run_task(const struct task *t, void *data)
{
    const bool in_piece = runner_place.in_piece, known = runner_place.known;
    const uint64_t piece = runner_place.piece, chain = runner_place.chain;
    const int at = runner_place.phase;
    runner_place.phase = __atomic_load_n(&t->phase, __ATOMIC_RELAXED);
    runner_place.in_piece = runner_place.known = true;
    runner_place.piece = runner_place.chain = 0;
    t->body(data);
    runner_piece_end();
    runner_place.phase = at;
    runner_place.chain = chain;
    runner_place.in_piece = in_piece;
    runner_place.known = known;
    runner_place.piece = piece;
}

/* A name for each place, as OpenMP hands a task its data and no more. */
#define EACH(F)                                                                                    \
    F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15)
#define RUN(i)                                                                                     \
    static void run_##i(void *data)                                                                \
    {                                                                                              \
        run_task(&task[i], data);                                                                  \
    }
#define NAME(i) run_##i,
EACH(RUN)
static void (*const run[])(void *) = {EACH(NAME)};
_Static_assert(sizeof run / sizeof *run == TASKS, "a function for each");

/* What OpenMP is given in place of `body`: itself where there is no room, whose work is
 * unknown. */
static void (*instead(void (*body)(void *)))(void *)
{
    for (int i = 0; i < TASKS; i++) {
        void (*none)(void *) = NULL;
        if (__atomic_compare_exchange_n(&task[i].body, &none, body, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED) ||
            none == body) {
            __atomic_store_n(&task[i].phase, runner_place.phase, __ATOMIC_RELAXED);
            return run[i];
        }
    }
    runner_unknown = true;
    return body;
}

typedef void make_task(void (*)(void *), void *, void (*)(void *, void *), long, long, long, long,
                       long, long, long, long);
#define MADE(name)                                                                                 \
    make_task name;                                                                                \
    void name(void (*body)(void *), void *data, void (*copy)(void *, void *), long a, long b,      \
              long c, long d, long e, long f, long g, long h)                                      \
    {                                                                                              \
        ((make_task *)runner_behind(#name))(instead(body), data, copy, a, b, c, d, e, f, g, h);    \
    }
MADE(GOMP_task)
MADE(GOMP_taskloop)
MADE(GOMP_taskloop_ull)

#define WAIT(name)                                                                                 \
    void name(void);                                                                               \
    void name(void)                                                                                \
    {                                                                                              \
        runner_piece_end();                                                                        \
        ((void (*)(void))runner_behind(#name))();                                                  \
        runner_begin_phase(runner_place.phase + 1);                                                \
    }
WAIT(GOMP_taskwait)
WAIT(GOMP_taskgroup_end)

/* Chunks of loops and sections: one ends where the next is asked for. Loops answer by a bool, whose
 * other bits are anything. */
typedef unsigned ask(long, long, long, long, long, long, long);
#define ASK(name, bits)                                                                            \
    ask name;                                                                                      \
    unsigned name(long a, long b, long c, long d, long e, long f, long g)                          \
    {                                                                                              \
        runner_piece_end();                                                                        \
        const unsigned got = ((ask *)runner_behind(#name))(a, b, c, d, e, f, g) & (bits);          \
        runner_place.in_piece = got != 0;                                                          \
        return got;                                                                                \
    }
#define LOOPS(how)                                                                                 \
    ASK(GOMP_loop_##how##_start, 0xff)                                                             \
    ASK(GOMP_loop_##how##_next, 0xff)                                                              \
    ASK(GOMP_loop_ull_##how##_start, 0xff)                                                         \
    ASK(GOMP_loop_ull_##how##_next, 0xff)
LOOPS(dynamic)
LOOPS(guided)
LOOPS(runtime)
LOOPS(nonmonotonic_dynamic)
LOOPS(nonmonotonic_guided)
LOOPS(nonmonotonic_runtime)
LOOPS(maybe_nonmonotonic_runtime)
LOOPS(ordered_dynamic)
LOOPS(ordered_guided)
LOOPS(ordered_runtime)
ASK(GOMP_sections_start, ~0u)
ASK(GOMP_sections_next, ~0u)
