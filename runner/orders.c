/* Less usual ways in which OpenMP puts threads in order, beside phases.c: barriers that can be
 * cancelled, locks that are tried, regions in regions, and iterations of a loop that wait for
 * others of it (`ordered depend(sink: ..)`). Of these a chain is followed: an iteration begins no
 * sooner than those that it waits for say that they are done, by the bytes that were loaded and
 * stored until then.
 */
#include <stdarg.h>

#include "runner/phases.h"

/* ---- barriers ---------------------------------------------------------------------------------
 */

#define BARRIER(type, name, parameters, arguments)                                                 \
    type name parameters;                                                                          \
    type name parameters                                                                           \
    {                                                                                              \
        runner_publish();                                                                          \
        const type got = ((type(*) parameters)runner_behind(#name))arguments;                      \
        runner_meet();                                                                             \
        return got;                                                                                \
    }
BARRIER(bool, GOMP_barrier_cancel, (void), ())
BARRIER(bool, GOMP_loop_end_cancel, (void), ())
BARRIER(bool, GOMP_sections_end_cancel, (void), ())
/* What these two answer nobody reads. */
BARRIER(int, GOMP_workshare_task_reduction_unregister, (bool cancelled), (cancelled))
BARRIER(int, GOMP_single_copy_end, (void *data), (data))

/* A thread hands its variables to all others, which wait for it here. */
void *GOMP_single_copy_start(void);
void *GOMP_single_copy_start(void)
{
    runner_publish();
    void *data = ((void *(*)(void))runner_behind("GOMP_single_copy_start"))();
    if (data)
        runner_meet();
    return data;
}

/* ---- locks, regions ---------------------------------------------------------------------------
 */

#define TRY(name)                                                                                  \
    int name(void *lock);                                                                          \
    int name(void *lock)                                                                           \
    {                                                                                              \
        const bool waited = runner_place.waits || runner_lock_is_taken(lock);                      \
        if (runner_place.waits)                                                                    \
            runner_waited();                                                                       \
        const int got = ((int (*)(void *))runner_behind(#name))(lock);                             \
        if (got)                                                                                   \
            runner_lock_taken(lock, waited);                                                       \
        runner_place.waits = !got;                                                                 \
        runner_looks();                                                                            \
        return got;                                                                                \
    }
TRY(omp_test_lock)
TRY(omp_test_nest_lock)

/* Regions in regions stay as they are without these: of one thread. */
void omp_set_max_active_levels(int levels);
void omp_set_max_active_levels(int levels)
{
    (void)levels;
}
void omp_set_nested(int on);
void omp_set_nested(int on)
{
    (void)on;
}

/* ---- iterations that wait for others ----------------------------------------------------------
 */

#define POSTED     4096 /* iterations that are known to be done, the last ones */
#define DIMENSIONS 16

static struct {
    uint64_t name, chain;
} posted[POSTED];

static uint64_t name_of(const long *at, int n)
{
    uint64_t name = 1;
    for (int i = 0; i < n; i++)
        name = (name ^ (uint64_t)at[i]) * 0x9e3779b97f4a7c15u;
    return name;
}

static void post(const long *at)
{
    const uint64_t name = name_of(at, runner_place.dimensions);
    const size_t slot = name >> 52;
    __atomic_store_n(&posted[slot].chain, runner_place.chain, __ATOMIC_RELAXED);
    __atomic_store_n(&posted[slot].name, name, __ATOMIC_RELEASE);
    runner_chain();
}

/* Behind the wait for iteration `at`. */
static void follow(const long *at)
{
    const uint64_t name = name_of(at, runner_place.dimensions);
    const size_t slot = name >> 52;
    if (__atomic_load_n(&posted[slot].name, __ATOMIC_ACQUIRE) == name)
        runner_keep_most(&runner_place.chain,
                         __atomic_load_n(&posted[slot].chain, __ATOMIC_RELAXED));
}

#define DOACROSS(kind)                                                                             \
    void GOMP_doacross_##kind##post(long *at);                                                     \
    void GOMP_doacross_##kind##post(long *at)                                                      \
    {                                                                                              \
        post(at);                                                                                  \
        ((void (*)(long *))runner_behind("GOMP_doacross_" #kind "post"))(at);                      \
    }                                                                                              \
    void GOMP_doacross_##kind##wait(long first, ...);                                              \
    void GOMP_doacross_##kind##wait(long first, ...)                                               \
    {                                                                                              \
        long w[DIMENSIONS] = {first};                                                              \
        va_list more;                                                                              \
        va_start(more, first);                                                                     \
        for (int i = 1; i < runner_place.dimensions; i++)                                          \
            w[i] = va_arg(more, long);                                                             \
        va_end(more);                                                                              \
        ((void (*)(long, ...))runner_behind("GOMP_doacross_" #kind "wait"))(                       \
            w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12],       \
            w[13], w[14], w[15]);                                                                  \
        follow(w);                                                                                 \
    }
DOACROSS()
DOACROSS(ull_)

enum { SCHEDULE = 7, STATIC = 1 }; /* libgomp's GFS_STATIC, and what beside flags names one */

/* Where such a loop begins: in_chunks where its chunks go to whichever thread asks first. */
typedef bool begin(unsigned, long *, long, long, long, long, long, long);
#define BEGIN(name, in_chunks)                                                                     \
    begin name;                                                                                    \
    bool name(unsigned dimensions, long *counts, long a, long b, long c, long d, long e, long f)   \
    {                                                                                              \
        runner_place.dimensions = (int)dimensions;                                                 \
        runner_unknown |= dimensions > DIMENSIONS;                                                 \
        if (in_chunks)                                                                             \
            runner_piece_end();                                                                    \
        const bool got = ((begin *)runner_behind(#name))(dimensions, counts, a, b, c, d, e, f);    \
        runner_place.in_piece = (in_chunks) && got;                                                \
        return got;                                                                                \
    }
#define BEGINS(kind)                                                                               \
    BEGIN(GOMP_loop_##kind##doacross_static_start, false)                                          \
    BEGIN(GOMP_loop_##kind##doacross_dynamic_start, true)                                          \
    BEGIN(GOMP_loop_##kind##doacross_guided_start, true)                                           \
    BEGIN(GOMP_loop_##kind##doacross_runtime_start, true)                                          \
    BEGIN(GOMP_loop_##kind##doacross_start, (a & SCHEDULE) != STATIC)
BEGINS()
BEGINS(ull_)
