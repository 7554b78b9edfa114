/* Chunks of loops and sections: pieces of work that OpenMP gives to whichever thread asks first, as
 * tasks are (phases.c counts them); and where a thread waits for its tasks.
 */
#include "runner/phases.h"

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
