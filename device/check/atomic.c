/* The calls that stand for atomic operations of C11 and C++11 in instrumented code (std::atomic,
 * __atomic_*): done here, with the strongest order, and in kernels noted like CUDA's atomics. */
#include "device/check/check.h"
#include "device/check/veil.h"

static void note(const volatile void *p, unsigned bytes, enum access_kind kind, const void *from)
{
    if (dev_self) {
        check_access((const void *)p, bytes, kind, from);
        check_order_atomic((uintptr_t)p);
        veil_open((const void *)p, bytes, kind == ACCESS_ATOMIC);
    } else if ((uintptr_t)p - check_now.global.base < check_now.global.bytes) {
        check_bounds_host(&(struct access){(uintptr_t)p, bytes, kind, from});
    }
}

#define NOTE(kind) note(p, sizeof *p, kind, __builtin_return_address(0))
#define SEQUENTIAL __ATOMIC_SEQ_CST

/* libtsan's interface, of which no header tells. `order` is a memory order. */
#define FETCH(T, name, builtin)                                                                    \
    T name(volatile T *p, T value, int order);                                                     \
    T name(volatile T *p, T value, int order)                                                      \
    {                                                                                              \
        (void)order;                                                                               \
        NOTE(ACCESS_ATOMIC);                                                                       \
        return builtin(p, value, SEQUENTIAL);                                                      \
    }

#define EXCHANGE_IF(T, bits, strength, weak)                                                       \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile T *p, T *expected, T desired,   \
                                                          int order, int failed);                  \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile T *p, T *expected, T desired,   \
                                                          int order, int failed)                   \
    {                                                                                              \
        (void)order;                                                                               \
        (void)failed;                                                                              \
        NOTE(ACCESS_ATOMIC);                                                                       \
        return __atomic_compare_exchange_n(p, expected, desired, weak, SEQUENTIAL, SEQUENTIAL);    \
    }

#define ATOMICS(T, bits)                                                                           \
    T __tsan_atomic##bits##_load(const volatile T *p, int order);                                  \
    T __tsan_atomic##bits##_load(const volatile T *p, int order)                                   \
    {                                                                                              \
        (void)order;                                                                               \
        NOTE(ACCESS_ATOMIC_READ);                                                                  \
        return __atomic_load_n(p, SEQUENTIAL);                                                     \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile T *p, T value, int order);                           \
    void __tsan_atomic##bits##_store(volatile T *p, T value, int order)                            \
    {                                                                                              \
        (void)order;                                                                               \
        NOTE(ACCESS_ATOMIC);                                                                       \
        __atomic_store_n(p, value, SEQUENTIAL);                                                    \
    }                                                                                              \
    FETCH(T, __tsan_atomic##bits##_exchange, __atomic_exchange_n)                                  \
    FETCH(T, __tsan_atomic##bits##_fetch_add, __atomic_fetch_add)                                  \
    FETCH(T, __tsan_atomic##bits##_fetch_sub, __atomic_fetch_sub)                                  \
    FETCH(T, __tsan_atomic##bits##_fetch_and, __atomic_fetch_and)                                  \
    FETCH(T, __tsan_atomic##bits##_fetch_or, __atomic_fetch_or)                                    \
    FETCH(T, __tsan_atomic##bits##_fetch_xor, __atomic_fetch_xor)                                  \
    FETCH(T, __tsan_atomic##bits##_fetch_nand, __atomic_fetch_nand)                                \
    EXCHANGE_IF(T, bits, strong, 0)                                                                \
    EXCHANGE_IF(T, bits, weak, 1)                                                                  \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T desired, int order,  \
                                                 int failed);                                      \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T desired, int order,  \
                                                 int failed)                                       \
    {                                                                                              \
        (void)order;                                                                               \
        (void)failed;                                                                              \
        NOTE(ACCESS_ATOMIC);                                                                       \
        __atomic_compare_exchange_n(p, &expected, desired, 0, SEQUENTIAL, SEQUENTIAL);             \
        return expected;                                                                           \
    }

ATOMICS(uint8_t, 8)
ATOMICS(uint16_t, 16)
ATOMICS(uint32_t, 32)
ATOMICS(uint64_t, 64)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(SEQUENTIAL);
    if (dev_self)
        check_order_fence();
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}

/* Calls that say nothing to us. */
void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

void __tsan_vptr_update(void **p, void *value);
void __tsan_vptr_update(void **p, void *value)
{
    (void)value;
    if (dev_self)
        check_access(p, sizeof *p, ACCESS_WRITE, __builtin_return_address(0));
    else
        check_vtable_written(p, value);
    veil_open(p, sizeof *p, true);
}

void __tsan_vptr_read(void **p);
void __tsan_vptr_read(void **p)
{
    if (dev_self && (uintptr_t)p - check_now.global.base < check_now.global.bytes)
        check_access(p, sizeof *p, ACCESS_READ, __builtin_return_address(0));
    veil_open(p, sizeof *p, false);
}

void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_begin(void)
{
}

void __tsan_ignore_thread_end(void);
void __tsan_ignore_thread_end(void)
{
}
