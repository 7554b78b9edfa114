/* Linked with a runner under clang's thread sanitizer, so that it follows what OpenMP's code does.
 *
 * Copies: with the option by which it passes over clang's library (tools.c, find_archer) it passes
 * over memcpy(), memmove() and memset() of the variant too, so these announce what they touch.
 * Masks: it announces no lanes of a vector, so what harness/ir/announce.c puts in calls us.
 * Tasks: clang's library gives the memory of an ended task to a new one, in an order of which
 * Archer says nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>

void __tsan_read_range(void *at, size_t bytes);
void __tsan_write_range(void *at, size_t bytes);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
/* Weak: a link by gcc wraps none of them. */
void *__real_memcpy(void *to, const void *from, size_t bytes) __attribute__((weak));
void *__real_memmove(void *to, const void *from, size_t bytes) __attribute__((weak));
void *__real_memset(void *to, int byte, size_t bytes) __attribute__((weak));
void *__wrap_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memmove(void *to, const void *from, size_t bytes);
void *__wrap_memset(void *to, int byte, size_t bytes);

/* ---- copies -----------------------------------------------------------------------------------
 */

/* For `caller`, whose line the report has to name. */
static void announce_copy(void *caller, void *to, const void *from, size_t bytes)
{
    if (bytes == 0)
        return;
    __tsan_func_entry(caller);
    if (from)
        __tsan_read_range((void *)(uintptr_t)from, bytes);
    __tsan_write_range(to, bytes);
    __tsan_func_exit();
}

void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
    announce_copy(__builtin_return_address(0), to, from, bytes);
    return __real_memcpy(to, from, bytes);
}

void *__wrap_memmove(void *to, const void *from, size_t bytes)
{
    announce_copy(__builtin_return_address(0), to, from, bytes);
    return __real_memmove(to, from, bytes);
}

void *__wrap_memset(void *to, int byte, size_t bytes)
{
    announce_copy(__builtin_return_address(0), to, NULL, bytes);
    return __real_memset(to, byte, bytes);
}

/* ---- masks ------------------------------------------------------------------------------------
 */

void runner_announce_lanes(char *at, uint64_t bytes, uint64_t mask, uint64_t store);

void runner_announce_lanes(char *at, uint64_t bytes, uint64_t mask, uint64_t store)
{
    for (; mask; mask >>= 1, at += bytes)
        if (mask & 1)
            (store ? __tsan_write_range : __tsan_read_range)(at, bytes);
}

/* ---- OpenMP's tasks ---------------------------------------------------------------------------
 */

#define LINE  64 /* bytes: the library gives tasks whole lines of the cache */
#define KINDS 64 /* task constructs of one source that are followed */

/* The first members of a task, as compilers lay it out: its shared variables' addresses, and the
 * function that runs it. */
struct task {
    char *shared;
    void *run;
};
typedef int task_run(int thread, struct task *task);
typedef struct task *task_alloc(void *where, int thread, int flags, size_t bytes, size_t shared,
                                task_run *run);
typedef void task_complete(void *where, int thread, struct task *task);
task_alloc __kmpc_omp_task_alloc;
task_complete __kmpc_omp_task_complete_if0;

/* Of the thread sanitizer: what happens behind the second is after what was before the first, at
 * one address. Weak, for a compiler's runtime need not have them. */
typedef void happens(const char *file, int line, const volatile void *at);
happens AnnotateHappensBefore __attribute__((weak)), AnnotateHappensAfter __attribute__((weak));

/* One task construct: the compiler's function, and what its tasks take. */
static struct kind {
    task_run *run;
    size_t bytes, shared;
} kinds[KINDS];
static int n_kinds;
static volatile char kinds_taken; /* by a thread; no lock that the sanitizer would take for order */

/* Of the memory of a task, a line at a time: it is part of what others had and will have. */
static void each_line(happens *say, const char *at, size_t bytes)
{
    const uintptr_t first = (uintptr_t)at & ~(uintptr_t)(LINE - 1);
    for (uintptr_t line = first; at && bytes && line < (uintptr_t)at + bytes; line += LINE)
        say(__FILE__, __LINE__, (void *)line);
}

static void say_of(happens *say, const struct task *task, const struct kind *kind)
{
    each_line(say, (const char *)task, kind->bytes);
    each_line(say, task->shared, kind->shared);
}

/* A task of the kind: after the tasks that had its memory, before those that will. */
static int run_kind(const struct kind *kind, int thread, struct task *task)
{
    say_of(AnnotateHappensAfter, task, kind);
    const int result = kind->run(thread, task);
    say_of(AnnotateHappensBefore, task, kind);
    return result;
}

#define RUN(k)                                                                                     \
    static int run_##k(int thread, struct task *task)                                              \
    {                                                                                              \
        return run_kind(&kinds[0##k], thread, task);                                               \
    }
#define EIGHT(of, k) of(k##0) of(k##1) of(k##2) of(k##3) of(k##4) of(k##5) of(k##6) of(k##7)
#define ALL_KINDS(of)                                                                              \
    EIGHT(of, 0)                                                                                   \
    EIGHT(of, 1) EIGHT(of, 2) EIGHT(of, 3) EIGHT(of, 4) EIGHT(of, 5) EIGHT(of, 6) EIGHT(of, 7)
ALL_KINDS(RUN) /* numbers are octal: 64 of them */
#define NAME(k) run_##k,
static task_run *const runs[KINDS] = {ALL_KINDS(NAME)};

/* Which kind a task of that function is, the number of a new one where there is room, or -1. */
static int kind_of(task_run *run, size_t bytes, size_t shared)
{
    int k = 0;
    while (__atomic_test_and_set(&kinds_taken, __ATOMIC_ACQUIRE))
        sched_yield();
    while (k < n_kinds && kinds[k].run != run)
        k++;
    if (k == n_kinds && k < KINDS)
        kinds[n_kinds++] = (struct kind){run, bytes, shared};
    __atomic_clear(&kinds_taken, __ATOMIC_RELEASE);
    return k < KINDS ? k : -1;
}

/* Compilers call it for a task: what it copies is written behind it, then the task is started. */
struct task *__kmpc_omp_task_alloc(void *where, int thread, int flags, size_t bytes, size_t shared,
                                   task_run *run)
{
    task_alloc *const library = (task_alloc *)dlsym(RTLD_NEXT, "__kmpc_omp_task_alloc");
    const int k = AnnotateHappensBefore && AnnotateHappensAfter ? kind_of(run, bytes, shared) : -1;
    struct task *const task = library(where, thread, flags, bytes, shared, k < 0 ? run : runs[k]);
    if (task && k >= 0)
        say_of(AnnotateHappensAfter, task, &kinds[k]);
    return task;
}

/* And for the end of one that its own thread ran at once, by the compiler's function. */
void __kmpc_omp_task_complete_if0(void *where, int thread, struct task *task)
{
    task_complete *const library =
        (task_complete *)dlsym(RTLD_NEXT, "__kmpc_omp_task_complete_if0");
    for (int k = 0; k < KINDS; k++)
        if (task->run == (void *)runs[k])
            say_of(AnnotateHappensBefore, task, &kinds[k]);
    library(where, thread, task);
}
