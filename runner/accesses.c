/* What compilers call for the thread sanitizer at every load and store, in a runner that counts
 * them instead: by cache line (stores.c) and, where OpenMP's barriers cut the work, by phase
 * (phases.c). Atomic operations by which threads wait are told to waits.c.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/stores.h"

static void work(size_t bytes, const void *from)
{
    if (runner_work)
        runner_work(bytes, from);
}

static void wrote(const volatile void *to)
{
    if (runner_wrote)
        runner_wrote(to);
}

static void read(const volatile void *from)
{
    if (runner_read)
        runner_read(from);
}

/* Under a lock words are read and written by one thread at a time, as by atomic operations. */
static void load(const void *at, size_t bytes, const void *from)
{
    work(bytes, from);
    if (runner_read_locked && runner_locked && runner_locked())
        runner_read_locked(at);
}

static void store(void *at, size_t bytes, const void *from)
{
    runner_store(at, bytes, from);
    work(bytes, from);
    if (runner_locked && runner_locked())
        wrote(at);
}

#define STRONGEST __ATOMIC_SEQ_CST

#define LOAD(bytes)  work(bytes, __builtin_return_address(0))
#define STORE(bytes) (runner_store(at, bytes, __builtin_return_address(0)), LOAD(bytes))

#define FUNCTION(result, name, arguments, ...)                                                     \
    result __tsan_##name arguments;                                                                \
    result __tsan_##name arguments                                                                 \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }

#define ACCESSES(read, write, bytes)                                                               \
    FUNCTION(void, read##bytes, (void *at), load(at, bytes, __builtin_return_address(0)))          \
    FUNCTION(void, write##bytes, (void *at), store(at, bytes, __builtin_return_address(0)))

#define SIZES(read, write)                                                                         \
    ACCESSES(read, write, 2)                                                                       \
    ACCESSES(read, write, 4)                                                                       \
    ACCESSES(read, write, 8)                                                                       \
    ACCESSES(read, write, 16)

ACCESSES(read, write, 1)
SIZES(read, write)
SIZES(unaligned_read, unaligned_write)

FUNCTION(void, init, (void), )
FUNCTION(void, func_entry, (void *caller), (void)caller)
FUNCTION(void, func_exit, (void), )
FUNCTION(void, read_range, (void *at, size_t bytes), (void)at, LOAD(bytes))
FUNCTION(void, write_range, (void *at, size_t bytes), STORE(bytes))
FUNCTION(void, atomic_thread_fence, (int order), (void)order, __atomic_thread_fence(STRONGEST))
FUNCTION(void, atomic_signal_fence, (int order), (void)order)

#define UPDATE(bits, type, name, how)                                                              \
    FUNCTION(type, atomic##bits##_##name, (volatile type * at, type value, int order),             \
             (void)order, STORE(bits / 8);                                                         \
             wrote(at); const type was = how(at, value, STRONGEST); read(at); return was)
#define COMPARE(bits, type, name)                                                                  \
    FUNCTION(int, atomic##bits##_compare_exchange_##name,                                          \
             (volatile type * at, type * expected, type value, int order, int failed),             \
             (void)order, (void)failed, STORE(bits / 8);                                           \
             const int good =                                                                      \
                 __atomic_compare_exchange_n(at, expected, value, false, STRONGEST, STRONGEST);    \
             good ? wrote(at) : (void)0; read(at); return good)

#define ALL(bits, type)                                                                            \
    FUNCTION(type, atomic##bits##_load, (const volatile type *at, int order), (void)order;         \
             const type was = __atomic_load_n(at, STRONGEST); read(at); return was)                \
    FUNCTION(void, atomic##bits##_store, (volatile type * at, type value, int order), (void)order, \
             STORE(bits / 8), wrote(at), __atomic_store_n(at, value, STRONGEST))                   \
    UPDATE(bits, type, exchange, __atomic_exchange_n)                                              \
    UPDATE(bits, type, fetch_add, __atomic_fetch_add)                                              \
    UPDATE(bits, type, fetch_sub, __atomic_fetch_sub)                                              \
    UPDATE(bits, type, fetch_and, __atomic_fetch_and)                                              \
    UPDATE(bits, type, fetch_or, __atomic_fetch_or)                                                \
    UPDATE(bits, type, fetch_xor, __atomic_fetch_xor)                                              \
    UPDATE(bits, type, fetch_nand, __atomic_fetch_nand)                                            \
    COMPARE(bits, type, strong)                                                                    \
    COMPARE(bits, type, weak)

ALL(8, uint8_t)
ALL(16, uint16_t)
ALL(32, uint32_t)
ALL(64, uint64_t)
