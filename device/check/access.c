/* The calls that gcc and clang write before every access with -fsanitize=thread. (Atomic ones are
 * in atomic.c.) Place of an access: the return address of its call. */
#include "device/check/check.h"
#include "device/check/fast.h"
#include "device/check/veil.h"
#include "device/shadow/guards.h"
#include "device/traffic/traffic.h"

/* Whether the access's bytes may be used and, for a read, are written; reports where not. A byte
 * that may not be used is left alone after that. */
static bool state_allows(const struct access *a, const struct space *s)
{
    if (check_space_first_without(s, a->p, a->bytes, 1 << 4) < a->bytes) {
        check_bounds_bad(a);
        return false;
    }
    if (a->kind != ACCESS_WRITE && a->kind != ACCESS_VOLATILE_WRITE &&
        check_space_first_without(s, a->p, a->bytes, 1) < a->bytes)
        check_bounds_unwritten(a, s);
    return true;
}

static void access_space(const struct access *a, const struct space *s, bool shared)
{
    if (!state_allows(a, s))
        return;
    if (check_writes(a->kind))
        check_space_set_written(s, a->p, a->bytes, true);
    for (uintptr_t p = a->p, end = a->p + a->bytes; p < end;) {
        uintptr_t granule = (p - s->base) / GRANULE, next = s->base + (granule + 1) * GRANULE;
        unsigned first = (unsigned)(p % GRANULE),
                 last = (unsigned)(next < end ? 4 : end - next + 4);
        quiet_end(p - first);
        check_race_touch(&s->cells[granule], ((1u << last) - 1) & ~((1u << first) - 1), a, shared);
        p = next;
    }
}

static enum traffic_kind request_of(enum access_kind kind, bool shared)
{
    if (kind == ACCESS_ATOMIC || kind == ACCESS_BLIND || kind == ACCESS_ATOMIC_READ)
        return shared ? SHARED_ATOMIC : ATOMIC;
    if (kind == ACCESS_WRITE || kind == ACCESS_VOLATILE_WRITE)
        return shared ? SHARED_STORE : GLOBAL_STORE;
    return shared ? SHARED_LOAD : GLOBAL_LOAD;
}

void check_access(const void *p, unsigned bytes, enum access_kind kind, const void *from)
{
    struct access a = {.p = (uintptr_t)p, .bytes = bytes, .kind = kind, .from = from};
    bool shared = a.p - check_now.shared.base < check_now.shared.bytes;
    const struct space *s = shared ? &check_now.shared : &check_now.global;
    enum traffic_kind request = request_of(kind, shared);
    if (!dev_self) {
        check_bounds_host(&a);
        return;
    }
    if ((kind == ACCESS_ATOMIC || kind == ACCESS_BLIND) && a.p - s->base < s->bytes &&
        fast_atomic(a.p, bytes, from, shared))
        return;
    if (a.p - s->base >= s->bytes) {
        enum dev_kind symbol;
        s = check_region_symbol_space(a.p, &symbol);
        if (!s) {
            check_bounds_other(&a);
            return;
        }
        if (symbol == DEV_CONSTANT) {
            if (kind != ACCESS_READ) {
                check_bounds_bad(&a);
                return;
            }
            request = CONSTANT_LOAD;
            /* What is filled is written: the next read of it needs no look at its shadow. */
            check_now.constant = s->base;
            check_now.constant_bytes = check_constant_known(&a, s->base, s->bytes);
            check_stream_constant(s->base, s->bytes);
        }
    }
    if (a.p % bytes) {
        check_bounds_misaligned(&a);
        return;
    }
    access_space(&a, s, shared);
    traffic_access(a.p, bytes, request, from);
}

/* What the checker and the runtime keep (mk/device.mk), absent from tests of their parts. */
extern const char __start_hpc_checker_data[] __attribute__((weak));
extern const char __stop_hpc_checker_data[] __attribute__((weak));
extern const char __start_hpc_checker_bss[] __attribute__((weak));
extern const char __stop_hpc_checker_bss[] __attribute__((weak));

static inline bool is_checkers(uintptr_t p)
{
    const uintptr_t data = (uintptr_t)__start_hpc_checker_data,
                    bss = (uintptr_t)__start_hpc_checker_bss;
    return (p - data < (uintptr_t)__stop_hpc_checker_data - data) |
           (p - bss < (uintptr_t)__stop_hpc_checker_bss - bss);
}

/* Pieces are places of their own for the traffic: the k-th one of an access is an instruction. */
static __attribute__((noinline)) void touch_pieces(uintptr_t at, size_t bytes,
                                                   enum access_kind kind, const void *from)
{
    unsigned piece = (at | bytes) % 4 == 0 ? 4 : (at | bytes) % 2 == 0 ? 2 : 1;
    for (size_t i = 0; i < bytes; i += piece) {
        uintptr_t place = (uintptr_t)from + ((uintptr_t)(i / piece & 0x7FFF) << 48);
        check_access((const void *)(at + i), piece, kind, (const void *)place);
    }
}

void check_range(const void *p, size_t bytes, enum access_kind kind, const void *from)
{
    uintptr_t at = (uintptr_t)p;
    if (!dev_self && is_checkers(at))
        check_bounds_checkers(p, from);
    if (!dev_self)
        check_bounds_host(&(struct access){at, (unsigned)bytes, kind, from});
    else if (!is_own_stack(at))
        touch_pieces(at, bytes, kind, from);
}

/* Whether an address is in memory of which there is a shadow. */
static inline bool is_devices(uintptr_t p)
{
    return (p - check_now.global.base < check_now.global.bytes) |
           (p - check_now.symbols < check_now.symbol_bytes);
}

/* The host's, of whose own memory nobody keeps a shadow but of its heap's guards. Each call here is
 * the last, so that who makes an access needs no stack. */
static __attribute__((noinline)) void checkers_access(const void *p, unsigned bytes,
                                                      enum access_kind kind, const void *from)
{
    check_bounds_checkers(p, from);
    if (is_devices((uintptr_t)p))
        slow_access(p, bytes, kind, from);
}

/* One look for most: the linker puts the one section soon behind the other. */
static inline bool is_near_checkers(uintptr_t p)
{
    const uintptr_t first = (uintptr_t)__start_hpc_checker_data;
    return p - first < (uintptr_t)__stop_hpc_checker_bss - first;
}

ALWAYS_INLINE void host_access(const void *p, unsigned bytes, bool write, const void *from)
{
    const enum access_kind kind = write ? ACCESS_WRITE : ACCESS_READ;
    if (!LIKELY(!is_near_checkers((uintptr_t)p)) && is_checkers((uintptr_t)p))
        checkers_access(p, bytes, kind, from);
    else if (!LIKELY(!is_devices((uintptr_t)p) && !guards_met((uintptr_t)p, bytes)))
        slow_access(p, bytes, kind, from);
}

/* Then all are the host's; during a launch other threads of the host may go on. */
ALWAYS_INLINE bool between_launches(void)
{
    return check_now.quiet == 0;
}

ALWAYS_INLINE void any_access(const void *p, unsigned bytes, bool write, const void *from)
{
    if (!between_launches() && LIKELY(dev_self != NULL))
        kernel_access(p, bytes, write, from);
    else
        host_access(p, bytes, write, from);
}

static void volatile_write(const void *p, unsigned bytes, const void *from)
{
    check_access(p, bytes, ACCESS_VOLATILE_WRITE, from);
    check_order_release((uintptr_t)p);
}

/* A quiet read is done within one line of the cache of instructions. */
#define HOT __attribute__((aligned(64)))
/* Prototypes of libtsan's interface, which no header gives. A read that is not quiet has a function
 * of its own, called last, so that the others need no stack. */
#define READ(name, bytes)                                                                          \
    static __attribute__((noinline)) void name##_looks(const void *p, const void *from)            \
    {                                                                                              \
        if (LIKELY(dev_self != NULL))                                                              \
            kernel_access(p, bytes, false, from);                                                  \
        else                                                                                       \
            host_access(p, bytes, false, from);                                                    \
    }                                                                                              \
    HOT void name(const void *p);                                                                  \
    void name(const void *p)                                                                       \
    {                                                                                              \
        if (!LIKELY(!between_launches()))                                                          \
            host_access(p, bytes, false, __builtin_return_address(0));                             \
        else if (!(quiet_read((uintptr_t)p, bytes) &&                                              \
                   traffic_as_expected((uintptr_t)p, __builtin_return_address(0))))                \
            name##_looks(p, __builtin_return_address(0));                                          \
    }
#define ACCESS(name, bytes, write)                                                                 \
    void name(const void *p);                                                                      \
    void name(const void *p)                                                                       \
    {                                                                                              \
        any_access(p, bytes, write, __builtin_return_address(0));                                  \
    }
#define RANGE(name, bytes, write)                                                                  \
    void name(const void *p);                                                                      \
    void name(const void *p)                                                                       \
    {                                                                                              \
        check_range(p, bytes, write ? ACCESS_WRITE : ACCESS_READ, __builtin_return_address(0));    \
        veil_open(p, bytes, write);                                                                \
    }
#define VOLATILE(name, bytes)                                                                      \
    void name(const void *p);                                                                      \
    void name(const void *p)                                                                       \
    {                                                                                              \
        const void *from = __builtin_return_address(0);                                            \
        if (dev_self ? is_own_stack((uintptr_t)p) : !is_devices((uintptr_t)p)) {                   \
            any_access(p, bytes, false, from);                                                     \
            return;                                                                                \
        }                                                                                          \
        check_access(p, bytes, ACCESS_VOLATILE_READ, from);                                        \
        if (dev_self)                                                                              \
            check_order_acquire((uintptr_t)p);                                                     \
        veil_open(p, bytes, false);                                                                \
    }
/* Of the host: a flag that the device looks at while it runs. Of a kernel: one that other warps and
 * blocks look at. */
#define VOLATILE_WRITE(name, bytes)                                                                \
    void name(const void *p);                                                                      \
    void name(const void *p)                                                                       \
    {                                                                                              \
        const void *from = __builtin_return_address(0);                                            \
        if (!dev_self && is_devices((uintptr_t)p))                                                 \
            check_access(p, bytes, ACCESS_ATOMIC, from);                                           \
        else if (!dev_self || is_own_stack((uintptr_t)p))                                          \
            any_access(p, bytes, true, from);                                                      \
        else                                                                                       \
            volatile_write(p, bytes, from);                                                        \
        veil_open(p, bytes, true);                                                                 \
    }
/* clang's: a read and a write of the same address in one. */
#define BOTH(name, access, bytes)                                                                  \
    void name(const void *p);                                                                      \
    void name(const void *p)                                                                       \
    {                                                                                              \
        access(p, bytes, false, __builtin_return_address(0));                                      \
        access(p, bytes, true, __builtin_return_address(0));                                       \
        veil_open(p, bytes, true);                                                                 \
    }
#define SIZED(bytes)                                                                               \
    READ(__tsan_read##bytes, bytes)                                                                \
    ACCESS(__tsan_write##bytes, bytes, true)                                                       \
    VOLATILE(__tsan_volatile_read##bytes, bytes)                                                   \
    VOLATILE_WRITE(__tsan_volatile_write##bytes, bytes)                                            \
    BOTH(__tsan_read_write##bytes, any_access, bytes)
#define UNALIGNED(bytes)                                                                           \
    RANGE(__tsan_unaligned_read##bytes, bytes, false)                                              \
    RANGE(__tsan_unaligned_write##bytes, bytes, true)                                              \
    RANGE(__tsan_unaligned_volatile_read##bytes, bytes, false)                                     \
    RANGE(__tsan_unaligned_volatile_write##bytes, bytes, true)                                     \
    BOTH(__tsan_unaligned_read_write##bytes, check_range, bytes)

EACH_SIZE(SIZED)
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)

void __tsan_read_range(const void *p, size_t bytes);
void __tsan_read_range(const void *p, size_t bytes)
{
    check_range(p, bytes, ACCESS_READ, __builtin_return_address(0));
    veil_open(p, bytes, false);
}

void __tsan_write_range(const void *p, size_t bytes);
void __tsan_write_range(const void *p, size_t bytes)
{
    check_range(p, bytes, ACCESS_WRITE, __builtin_return_address(0));
    veil_open(p, bytes, true);
}
