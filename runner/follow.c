/* Linked with a runner under the thread sanitizer, so that it follows what it does not know by
 * itself.
 *
 * C11's threads: it knows POSIX's, so the one are made of the other here, as in glibc.
 * System calls by number: it sees neither what they load and store nor what they map, so a
 * variant's syscall() is ours, which knows those of threads alone. Fences: it takes no note of
 * atomic_thread_fence(). A variant that has one is linked with -Wl,--wrap for the atomic operations
 * below (harness/build/link.c), each of which then has the strongest order. Two threads that fences
 * put in order meet at an atomic variable, which one writes behind its fence and the other reads
 * before its own: no right program looks racy then. What is not seen is an order that is too weak.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "a mutex is a mutex");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "a condition is a condition");
_Static_assert(sizeof(once_flag) == sizeof(pthread_once_t), "once is once");

/* ---- C11's threads ----------------------------------------------------------------------------
 */

struct start {
    thrd_start_t function;
    void *argument;
};

static int error_of(int number)
{
    switch (number) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    default:
        return thrd_error;
    }
}

static void *started(void *argument)
{
    const struct start start = *(struct start *)argument;
    free(argument);
    return (void *)(intptr_t)start.function(start.argument);
}

int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
    struct start *start = malloc(sizeof *start);
    if (!start)
        return thrd_nomem;
    *start = (struct start){function, argument};
    const int failed = pthread_create(thread, NULL, started, start);
    if (failed)
        free(start);
    return error_of(failed);
}

int thrd_join(thrd_t thread, int *result)
{
    void *value = NULL;
    const int failed = pthread_join(thread, &value);
    if (!failed && result)
        *result = (int)(intptr_t)value;
    return error_of(failed);
}

int thrd_detach(thrd_t thread)
{
    return error_of(pthread_detach(thread));
}

void thrd_exit(int result)
{
    pthread_exit((void *)(intptr_t)result);
}

int mtx_init(mtx_t *mutex, int type)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    if (type & mtx_recursive)
        pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    const int failed = pthread_mutex_init((pthread_mutex_t *)mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return error_of(failed);
}

int mtx_lock(mtx_t *mutex)
{
    return error_of(pthread_mutex_lock((pthread_mutex_t *)mutex));
}

int mtx_trylock(mtx_t *mutex)
{
    return error_of(pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until)
{
    return error_of(pthread_mutex_timedlock((pthread_mutex_t *)mutex, until));
}

int mtx_unlock(mtx_t *mutex)
{
    return error_of(pthread_mutex_unlock((pthread_mutex_t *)mutex));
}

void mtx_destroy(mtx_t *mutex)
{
    pthread_mutex_destroy((pthread_mutex_t *)mutex);
}

int cnd_init(cnd_t *condition)
{
    return error_of(pthread_cond_init((pthread_cond_t *)condition, NULL));
}

int cnd_signal(cnd_t *condition)
{
    return error_of(pthread_cond_signal((pthread_cond_t *)condition));
}

int cnd_broadcast(cnd_t *condition)
{
    return error_of(pthread_cond_broadcast((pthread_cond_t *)condition));
}

int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    return error_of(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex,
                  const struct timespec *restrict until)
{
    return error_of(
        pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, until));
}

void cnd_destroy(cnd_t *condition)
{
    pthread_cond_destroy((pthread_cond_t *)condition);
}

int tss_create(tss_t *key, tss_dtor_t destructor)
{
    return error_of(pthread_key_create(key, destructor));
}

void *tss_get(tss_t key)
{
    return pthread_getspecific(key);
}

int tss_set(tss_t key, void *value)
{
    return error_of(pthread_setspecific(key, value));
}

void tss_delete(tss_t key)
{
    pthread_key_delete(key);
}

void call_once(once_flag *flag, void (*function)(void))
{
    pthread_once((pthread_once_t *)flag, function);
}

/* ---- system calls -----------------------------------------------------------------------------
 */

long runner_syscall(long number, ...);

long runner_syscall(long number, ...)
{
    static const long known[] = {SYS_futex,      SYS_gettid,    SYS_getpid,        SYS_sched_yield,
                                 SYS_membarrier, SYS_getcpu,    SYS_clock_gettime, SYS_nanosleep,
                                 SYS_tgkill,     SYS_exit_group};
    size_t k = 0;
    long word[6];
    va_list more;
    va_start(more, number);
    for (int i = 0; i < 6; i++)
        word[i] = va_arg(more, long);
    va_end(more);
    while (k < sizeof known / sizeof *known && known[k] != number)
        k++;
    if (k == sizeof known / sizeof *known) {
        fprintf(stderr, "the thread sanitizer does not see what system call %ld does\n", number);
        abort();
    }
    return syscall(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}

/* ---- atomic operations, as compilers call the sanitizer for them ------------------------------
 */

#define STRONGEST __ATOMIC_SEQ_CST

/* Where nothing is wrapped there is no __real_ function, and nobody calls the one around it. */
#define AROUND(result, name, arguments, ...)                                                       \
    result __real___tsan_atomic##name arguments __attribute__((weak));                             \
    result __wrap___tsan_atomic##name arguments;                                                   \
    result __wrap___tsan_atomic##name arguments                                                    \
    {                                                                                              \
        (void)order;                                                                               \
        return __real___tsan_atomic##name(__VA_ARGS__, STRONGEST);                                 \
    }

#define UPDATES(bits, type, kind)                                                                  \
    AROUND(type, bits##_##kind, (volatile type * at, type value, int order), at, value)
#define EXCHANGES(bits, type, kind)                                                                \
    AROUND(int, bits##_##kind,                                                                     \
           (volatile type * at, type * expected, type value, int order, int failed),               \
           ((void)failed, at), expected, value, STRONGEST)

#define ALL(bits, type)                                                                            \
    AROUND(type, bits##_load, (const volatile type *at, int order), at)                            \
    AROUND(void, bits##_store, (volatile type * at, type value, int order), at, value)             \
    UPDATES(bits, type, exchange)                                                                  \
    UPDATES(bits, type, fetch_add)                                                                 \
    UPDATES(bits, type, fetch_sub)                                                                 \
    UPDATES(bits, type, fetch_and)                                                                 \
    UPDATES(bits, type, fetch_or)                                                                  \
    UPDATES(bits, type, fetch_xor)                                                                 \
    UPDATES(bits, type, fetch_nand)                                                                \
    EXCHANGES(bits, type, compare_exchange_strong)                                                 \
    EXCHANGES(bits, type, compare_exchange_weak)                                                   \
    AROUND(type, bits##_compare_exchange_val,                                                      \
           (volatile type * at, type expected, type value, int order, int failed),                 \
           ((void)failed, at), expected, value, STRONGEST)

ALL(8, uint8_t)
ALL(16, uint16_t)
ALL(32, uint32_t)
ALL(64, uint64_t)
