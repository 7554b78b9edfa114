/* Linked with a runner under the thread sanitizer whose OpenMP library is clang's: what Archer,
 * which tells the sanitizer of that library, does not say, or says too much of. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "runner/gomp.h"

/* ---- copies ------------------------------------------------------------------------------------
 * With the option by which the sanitizer passes over the library (tools.c, find_archer) it passes
 * over memcpy(), memmove() and memset() of the variant too, so these announce what they touch. */

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

/* ---- Archer's own lock -------------------------------------------------------------------------
 * It takes one at each of OpenMP's locks and critical regions, whichever these are. The sanitizer
 * must not see that: it would put in order what two different locks do not. A link by clang has
 * these in place of the sanitizer's own (harness/build/compile.c). */

int __interceptor_pthread_mutex_lock(pthread_mutex_t *lock) __attribute__((weak));
int __interceptor_pthread_mutex_unlock(pthread_mutex_t *lock) __attribute__((weak));
int archer_mutex_lock(pthread_mutex_t *lock);
int archer_mutex_unlock(pthread_mutex_t *lock);
extern const char __ehdr_start[], etext[];

static uintptr_t archer_begin, archer_end; /* its code */

/* Where Archer's code is, if `caller` lies in it. */
static int find_archer(struct dl_phdr_info *library, size_t size, void *caller)
{
    const uintptr_t at = (uintptr_t)caller;
    (void)size;
    for (int i = 0; i < library->dlpi_phnum && strstr(library->dlpi_name, "/libarcher"); i++) {
        const uintptr_t begin = library->dlpi_addr + library->dlpi_phdr[i].p_vaddr;
        const uintptr_t end = begin + library->dlpi_phdr[i].p_memsz;
        if (library->dlpi_phdr[i].p_type != PT_LOAD || at < begin || at >= end)
            continue;
        __atomic_store_n(&archer_begin, begin, __ATOMIC_RELAXED);
        __atomic_store_n(&archer_end, end, __ATOMIC_RELEASE);
        return 1;
    }
    return 0;
}

static bool is_archers(void *caller)
{
    const uintptr_t at = (uintptr_t)caller;
    if (at >= (uintptr_t)__ehdr_start && at < (uintptr_t)etext)
        return false; /* the program's own */
    const uintptr_t end = __atomic_load_n(&archer_end, __ATOMIC_ACQUIRE);
    return end ? at >= __atomic_load_n(&archer_begin, __ATOMIC_RELAXED) && at < end
               : dl_iterate_phdr(find_archer, caller) != 0;
}

/* The C library's own. */
static int plainly(const char *name, pthread_mutex_t *lock)
{
    int (*call)(pthread_mutex_t *);
    *(void **)&call = dlsym(RTLD_NEXT, name);
    return call(lock);
}

int archer_mutex_lock(pthread_mutex_t *lock)
{
    if (is_archers(__builtin_return_address(0)))
        return plainly("pthread_mutex_lock", lock);
    return __interceptor_pthread_mutex_lock(lock);
}

int archer_mutex_unlock(pthread_mutex_t *lock)
{
    if (is_archers(__builtin_return_address(0)))
        return plainly("pthread_mutex_unlock", lock);
    return __interceptor_pthread_mutex_unlock(lock);
}

/* ---- what Archer does not know -----------------------------------------------------------------
 * A variant's calls come here, as those of runner/told.c do. */

void __tsan_acquire(void *at);
void __tsan_release(void *at);

/* `ordered depend(sink: ..)`: an iteration is ordered behind those that posted the same outermost
 * number. Others that share a place here are ordered with it, too. */
static char posted[1 << 12];

static void *place(unsigned long iteration)
{
    return &posted[iteration % sizeof posted];
}

void GOMP_doacross_post(long *counts) __attribute__((weak));
void GOMP_doacross_wait(long first, ...) __attribute__((weak));
void runner_GOMP_doacross_post(long *counts);
void runner_GOMP_doacross_wait(long first, long second, long third, long fourth);

void runner_GOMP_doacross_post(long *counts)
{
    __tsan_release(place((unsigned long)counts[0]));
    GOMP_doacross_post(counts);
}

/* Of as many numbers as the loops are deep; what is behind them nobody reads. */
void runner_GOMP_doacross_wait(long first, long second, long third, long fourth)
{
    GOMP_doacross_wait(first, second, third, fourth);
    __tsan_acquire(place((unsigned long)first));
}

/* `taskwait depend(..)`, and a task that is not to be put off, make Archer crash: here a task of
 * the same dependences, which does nothing, is waited for. */
enum { WITH_DEPENDENCES = 8, DETACHED = 1 << 13 };

void GOMP_task(void (*run)(void *), void *data, void (*copy)(void *, void *), long bytes,
               long alignment, bool deferred, unsigned flags, void **depend, int priority,
               void *event) __attribute__((weak));
void GOMP_taskyield(void) __attribute__((weak));
void runner_GOMP_task(void (*run)(void *), void *data, void (*copy)(void *, void *), long bytes,
                      long alignment, bool deferred, unsigned flags, void **depend, int priority,
                      void *event);
void runner_GOMP_taskwait_depend(void **depend);

static void tell_waiting(void *data)
{
    bool *done = *(bool **)data;
    __tsan_release(done);
    __atomic_store_n(done, true, __ATOMIC_RELEASE);
}

void runner_GOMP_taskwait_depend(void **depend)
{
    bool done = false, *at = &done;
    GOMP_task(tell_waiting, &at, NULL, sizeof at, _Alignof(bool *), true, WITH_DEPENDENCES, depend,
              0, NULL);
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
        GOMP_taskyield();
    __tsan_acquire(&done);
}

void runner_GOMP_task(void (*run)(void *), void *data, void (*copy)(void *, void *), long bytes,
                      long alignment, bool deferred, unsigned flags, void **depend, int priority,
                      void *event)
{
    if (flags & DETACHED) {
        const struct gomp_task task = {run, data, copy, bytes, alignment, deferred, flags, depend};
        runner_detached_task(&task, event);
        return;
    }
    if (!deferred && (flags & WITH_DEPENDENCES)) {
        runner_GOMP_taskwait_depend(depend);
        flags &= ~(unsigned)WITH_DEPENDENCES;
        depend = NULL;
    }
    GOMP_task(run, data, copy, bytes, alignment, deferred, flags, depend, priority, NULL);
}

/* ---- what LLVM's runtime does otherwise than gcc's ---------------------------------------------
 * A static ordered loop with chunks: it forgets their size, so that iterations are not the thread's
 * whose they are by the standard, and a race is seen where none is. Its own entry knows them. */

enum { ORDERED_STATIC_CHUNKED = 65 };

void __kmpc_dispatch_init_8(struct kmpc_place *at, int thread, int schedule, long first, long last,
                            long step, long chunk) __attribute__((weak));
bool GOMP_loop_ordered_static_start(long first, long end, long step, long chunk, long *from,
                                    long *to) __attribute__((weak));
bool GOMP_loop_ordered_static_next(long *from, long *to) __attribute__((weak));
bool runner_GOMP_loop_ordered_static_start(long first, long end, long step, long chunk, long *from,
                                           long *to);

bool runner_GOMP_loop_ordered_static_start(long first, long end, long step, long chunk, long *from,
                                           long *to)
{
    static struct kmpc_place at = KMPC_PLACE;
    if (chunk == 0 || !__kmpc_dispatch_init_8 || (step > 0 ? first >= end : first <= end))
        return GOMP_loop_ordered_static_start(first, end, step, chunk, from, to);
    __kmpc_dispatch_init_8(&at, __kmpc_global_thread_num(&at), ORDERED_STATIC_CHUNKED, first,
                           end - (step > 0 ? 1 : -1), step, chunk);
    return GOMP_loop_ordered_static_next(from, to);
}
