/* Linked with a runner under the thread sanitizer, which does not see what these functions of
 * threads, and its own of a compare-exchange, load and store by a pointer of their caller's. A
 * variant's calls come here instead:
 * `make` lists what is defined here (build/lib/told.names), and by that list objcopy names them in
 * the variant's object (harness/build/build.c). */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

void __tsan_read_range(void *at, size_t bytes);
void __tsan_write_range(void *at, size_t bytes);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);

/* To the sanitizer, for `caller`, whose line the report has to name. */
static void tell_load(void *caller, const void *at, size_t bytes)
{
    if (!at || bytes == 0)
        return;
    __tsan_func_entry(caller);
    __tsan_read_range((void *)(uintptr_t)at, bytes);
    __tsan_func_exit();
}

static void tell_store(void *caller, void *at, size_t bytes)
{
    if (!at || bytes == 0)
        return;
    __tsan_func_entry(caller);
    __tsan_write_range(at, bytes);
    __tsan_func_exit();
}

#define CALLER __builtin_return_address(0)

/* A function that stores into the object at its first argument, and loads `bytes` at `from`. */
#define TOLD(name, parameters, arguments, from, bytes)                                             \
    int runner_##name parameters;                                                                  \
    int runner_##name parameters                                                                   \
    {                                                                                              \
        tell_load(CALLER, from, bytes);                                                            \
        tell_store(CALLER, to, sizeof *to);                                                        \
        return name arguments;                                                                     \
    }
#define ALONE(type, name) TOLD(name, (type * to), (to), NULL, 0)
#define WORD(type, name)  TOLD(name, (type * to, int word), (to, word), NULL, 0)
#define SIZE(type, name)  TOLD(name, (type * to, size_t size), (to, size), NULL, 0)

ALONE(pthread_attr_t, pthread_attr_init)
ALONE(pthread_attr_t, pthread_attr_destroy)
WORD(pthread_attr_t, pthread_attr_setdetachstate)
WORD(pthread_attr_t, pthread_attr_setinheritsched)
WORD(pthread_attr_t, pthread_attr_setschedpolicy)
WORD(pthread_attr_t, pthread_attr_setscope)
SIZE(pthread_attr_t, pthread_attr_setguardsize)
SIZE(pthread_attr_t, pthread_attr_setstacksize)
TOLD(pthread_attr_setstack, (pthread_attr_t * to, void *stack, size_t size), (to, stack, size),
     NULL, 0)
TOLD(pthread_attr_setschedparam, (pthread_attr_t * to, const struct sched_param *from), (to, from),
     from, sizeof *from)
TOLD(pthread_attr_setaffinity_np, (pthread_attr_t * to, size_t size, const cpu_set_t *from),
     (to, size, from), from, size)
TOLD(pthread_attr_setsigmask_np, (pthread_attr_t * to, const sigset_t *from), (to, from), from,
     sizeof *from)

ALONE(pthread_mutexattr_t, pthread_mutexattr_init)
ALONE(pthread_mutexattr_t, pthread_mutexattr_destroy)
WORD(pthread_mutexattr_t, pthread_mutexattr_settype)
WORD(pthread_mutexattr_t, pthread_mutexattr_setpshared)
WORD(pthread_mutexattr_t, pthread_mutexattr_setprotocol)
WORD(pthread_mutexattr_t, pthread_mutexattr_setprioceiling)
WORD(pthread_mutexattr_t, pthread_mutexattr_setrobust)
/* Old names of the library's, which it still has. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
WORD(pthread_mutexattr_t, pthread_mutexattr_setrobust_np)
TOLD(pthread_attr_setstackaddr, (pthread_attr_t * to, void *stack), (to, stack), NULL, 0)
#pragma GCC diagnostic pop

ALONE(pthread_condattr_t, pthread_condattr_init)
ALONE(pthread_condattr_t, pthread_condattr_destroy)
WORD(pthread_condattr_t, pthread_condattr_setpshared)
TOLD(pthread_condattr_setclock, (pthread_condattr_t * to, clockid_t clock), (to, clock), NULL, 0)

TOLD(pthread_key_create, (pthread_key_t * to, void (*end)(void *)), (to, end), NULL, 0)
TOLD(pthread_mutex_init, (pthread_mutex_t * to, const pthread_mutexattr_t *from), (to, from), from,
     sizeof *from)
TOLD(pthread_cond_init, (pthread_cond_t * to, const pthread_condattr_t *from), (to, from), from,
     sizeof *from)
TOLD(pthread_rwlock_init, (pthread_rwlock_t * to, const pthread_rwlockattr_t *from), (to, from),
     from, sizeof *from)
TOLD(pthread_barrier_init,
     (pthread_barrier_t * to, const pthread_barrierattr_t *from, unsigned count), (to, from, count),
     from, sizeof *from)
/* glibc stores the thread before it starts: its own look at that is no race. */
TOLD(pthread_create,
     (pthread_t * to, const pthread_attr_t *from, void *(*run)(void *), void *argument),
     (to, from, run, argument), from, sizeof *from)

int runner_pthread_join(pthread_t thread, void **to);
int runner_pthread_join(pthread_t thread, void **to)
{
    const int failed = pthread_join(thread, to);
    tell_store(CALLER, to, failed ? 0 : sizeof *to);
    return failed;
}

int runner_pthread_setname_np(pthread_t thread, const char *from);
int runner_pthread_setname_np(pthread_t thread, const char *from)
{
    tell_load(CALLER, from, strlen(from) + 1);
    return pthread_setname_np(thread, from);
}

int runner_pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *from);
int runner_pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *from)
{
    tell_load(CALLER, from, size);
    return pthread_setaffinity_np(thread, size, from);
}

/* The deadline on the clock of those that the sanitizer knows: CLOCK_REALTIME. */
static struct timespec deadline(clockid_t clock, const struct timespec *at)
{
    struct timespec its, real;
    if (clock == CLOCK_REALTIME || clock_gettime(clock, &its) ||
        clock_gettime(CLOCK_REALTIME, &real))
        return *at;
    real.tv_sec += at->tv_sec - its.tv_sec;
    real.tv_nsec += at->tv_nsec - its.tv_nsec;
    if (real.tv_nsec < 0 || real.tv_nsec >= 1000000000) {
        const int carry = real.tv_nsec < 0 ? -1 : 1;
        real.tv_sec += carry;
        real.tv_nsec -= carry * 1000000000L;
    }
    return real.tv_sec < 0 ? (struct timespec){0, 0} : real;
}

/* Their lock is not known to the sanitizer: that of the same lock by another clock is. */
#define CLOCKED(name, known)                                                                       \
    int runner_##name(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *from);       \
    int runner_##name(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *from)        \
    {                                                                                              \
        tell_load(CALLER, from, sizeof *from);                                                     \
        if ((clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) || from->tv_nsec < 0 ||          \
            from->tv_nsec >= 1000000000)                                                           \
            return name(lock, clock, from); /* which says what is wrong */                         \
        const struct timespec until = deadline(clock, from);                                       \
        return known(lock, &until);                                                                \
    }
CLOCKED(pthread_rwlock_clockrdlock, pthread_rwlock_timedrdlock)
CLOCKED(pthread_rwlock_clockwrlock, pthread_rwlock_timedwrlock)

/* ---- compare-exchange: the sanitizer does not look at where the expected value lies ------------
 */

#define EXCHANGE(bits, kind)                                                                       \
    int __tsan_atomic##bits##_compare_exchange_##kind(                                             \
        volatile uint##bits##_t *at, uint##bits##_t *expected, uint##bits##_t value, int order,    \
        int failed);                                                                               \
    int runner___tsan_atomic##bits##_compare_exchange_##kind(                                      \
        volatile uint##bits##_t *at, uint##bits##_t *expected, uint##bits##_t value, int order,    \
        int failed);                                                                               \
    int runner___tsan_atomic##bits##_compare_exchange_##kind(                                      \
        volatile uint##bits##_t *at, uint##bits##_t *expected, uint##bits##_t value, int order,    \
        int failed)                                                                                \
    {                                                                                              \
        uint##bits##_t own = *expected;                                                            \
        tell_load(CALLER, expected, sizeof own);                                                   \
        __tsan_func_entry(CALLER); /* whose line a report of `at` has to name */                   \
        const int done =                                                                           \
            __tsan_atomic##bits##_compare_exchange_##kind(at, &own, value, order, failed);         \
        __tsan_func_exit();                                                                        \
        if (!done) {                                                                               \
            tell_store(CALLER, expected, sizeof own);                                              \
            *expected = own;                                                                       \
        }                                                                                          \
        return done;                                                                               \
    }
#define EXCHANGES(bits) EXCHANGE(bits, strong) EXCHANGE(bits, weak)
EXCHANGES(8)
EXCHANGES(16)
EXCHANGES(32)
EXCHANGES(64)
