/* The fast path of an access, written into each __tsan_* entry point: it ends in a few compares
 * when nothing new can follow from the access, records simple cases, and says false for all else.
 */
#ifndef HPC_DEVICE_CHECK_FAST_H
#define HPC_DEVICE_CHECK_FAST_H

#include "device/check/check.h"
#include "device/check/veil.h"
#include "device/traffic/traffic.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define LIKELY(e)     __builtin_expect(!!(e), 1)

ALWAYS_INLINE void cell_set(struct cell *c, enum slot slot, uint16_t who, const void *from)
{
    c->stamp[slot] = check_now.stamp;
    c->place[slot] = (uint32_t)(uintptr_t)from;
    c->who[slot] = who;
}

/* Whether a stamp from check_now.ordered_first on, of global memory, is known to be of an earlier
 * launch that is ordered before this one. */
ALWAYS_INLINE bool is_ordered(uint32_t stamp, bool shared)
{
    return !shared && stamp >= check_now.ordered_from && stamp < check_now.ordered_to;
}

/* A granule of global memory was read in this launch, but not since the last barrier or meeting: in
 * an earlier epoch of this block, which is ordered, or in another block, whose reader then stays on
 * record beside this one (race.c, remember_reader). */
ALWAYS_INLINE bool fast_read_again(struct cell *c, uintptr_t p, uint16_t who, bool whole,
                                   const void *from)
{
    const uint32_t reader = c->stamp[READER], reader2 = c->stamp[READER2];
    if (reader < check_now.launch_first || (c->who[READER] ^ who) & (WHO_FLAGS | STATE_WRITTEN))
        return false;
    if (reader2 >= check_now.ordered_first &&
        (reader2 < check_now.launch_first || (c->who[READER2] ^ who) & STATE_WRITTEN))
        return false;
    if (reader >= check_now.block_first) {
        if (reader >= check_now.epoch_first)
            return false;
    } else {
        c->stamp[READER2] = reader;
        c->place[READER2] = c->place[READER];
        c->who[READER2] = c->who[READER];
        if (c->stamp[WRITER] < check_now.ordered_first && whole)
            quiet_begin(p);
    }
    cell_set(c, READER, who, from);
    return true;
}

/* The running thread reads the granule at p, all of it where `whole`. Stamps before `live` are
 * ordered before now: for global memory those of earlier launches (but for other streams',
 * streams.h), for shared memory those before the last barrier, too. True: nothing is wrong, and the
 * reader is on record or need not be: two threads that read since the last barrier (or another
 * block, and one) are enough to catch any later write. */
ALWAYS_INLINE bool fast_read(struct cell *c, uintptr_t p, uint16_t who, bool whole,
                             const void *from, bool shared)
{
    uint32_t live = shared ? check_now.epoch_first : check_now.ordered_first;
    uint32_t writer = c->stamp[WRITER], reader = c->stamp[READER], reader2 = c->stamp[READER2];
    if (writer >= live && (c->who[WRITER] != who || writer < check_now.recent) &&
        !is_ordered(writer, shared))
        return false;
    if (reader >= check_now.recent) {
        if (c->who[READER] == who)
            return true;
        if ((c->who[READER] ^ who) & STATE_WRITTEN)
            return false; /* of other bytes */
        uint32_t first = shared ? live : check_now.launch_first;
        if (reader2 < check_now.recent &&
            (shared || reader2 - first >= check_now.block_first - first)) {
            if (reader2 >= live && !is_ordered(reader2, shared))
                return false;
            cell_set(c, READER2, who, from);
        }
        if (whole && (writer < live || is_ordered(writer, shared)))
            quiet_begin(p);
        return true;
    }
    if (reader >= live && !is_ordered(reader, shared))
        return !shared && fast_read_again(c, p, who, whole, from);
    cell_set(c, READER, who, from);
    return true;
}

ALWAYS_INLINE bool fast_write(struct cell *c, uintptr_t p, uint16_t who, const void *from,
                              bool shared)
{
    uint32_t live = shared ? check_now.epoch_first : check_now.ordered_first;
    uint32_t writer = c->stamp[WRITER], reader = c->stamp[READER], reader2 = c->stamp[READER2];
    if (reader >= live &&
        (c->who[READER] != who || reader2 >= live ||
         (!shared && reader < check_now.launch_first)) &&
        !(is_ordered(reader, shared) && (reader2 < live || is_ordered(reader2, shared))))
        return false;
    if (writer >= live && (c->who[WRITER] != who || writer < check_now.recent) &&
        !is_ordered(writer, shared))
        return false;
    quiet_end(p);
    cell_set(c, WRITER, who, from);
    return true;
}

/* Whether one other thread has read the whole granule since the last barrier or meeting, and nobody
 * else since all else was ordered. */
ALWAYS_INLINE bool is_second(const struct cell *c, uint16_t who, uint32_t live)
{
    return c->stamp[READER] >= check_now.recent && c->stamp[READER2] < live &&
           c->who[READER] != who && !((c->who[READER] ^ who) & STATE_WRITTEN);
}

/* Of a granule that nobody has touched since all else was ordered, or the running thread alone has
 * read, which writes now, or another one alone, and this one reads, the same in less: it is not
 * quiet. */
ALWAYS_INLINE bool fast_first(struct cell *c, uintptr_t p, uint16_t who, bool write, bool whole,
                              const void *from, bool shared)
{
    const uint32_t live = shared ? check_now.epoch_first : check_now.ordered_first;
    if (!LIKELY(c->stamp[WRITER] < live))
        return false;
    if (!write && whole && is_second(c, who, live)) {
        cell_set(c, READER2, who, from);
        quiet_begin(p);
        return true;
    }
    if (!LIKELY(c->stamp[READER] < live) &&
        !(write && c->who[READER] == who && c->stamp[READER2] < live &&
          (shared || c->stamp[READER] >= check_now.launch_first)))
        return false;
    cell_set(c, write ? WRITER : READER, who, from);
    if (!shared) /* threads go on to it in order, and would wait for memory there */
        __builtin_prefetch(c + 32, 1);
    return true;
}

/* An access of a kernel to `bytes` (1, 2, 4, 8, 16) bytes at p in a space, at an offset that they
 * should divide: true where it has been looked at. `first`: false but for fast_first, so that the
 * caller needs few registers and no stack. */
ALWAYS_INLINE bool fast_access(uintptr_t p, unsigned bytes, bool write, const void *from,
                               bool shared, bool first)
{
    const struct space *s = shared ? &check_now.shared : &check_now.global;
    const size_t offset = p - s->base, granule = offset / GRANULE;
    const unsigned mask = bytes >= GRANULE ? 15 : ((1u << bytes) - 1) << offset % GRANULE;
    const unsigned need = write ? mask << 4 : mask << 4 | mask;
    uint16_t who = mask == 15 ? check_now.who : (uint16_t)((check_now.who & ~15u) | (uint16_t)mask);
    if (!LIKELY(offset % bytes == 0))
        return false;
    for (unsigned i = 0; i < (bytes + GRANULE - 1) / GRANULE; i++) {
        uint8_t *state = s->state + granule + i;
        struct cell *c = s->cells + granule + i;
        const uintptr_t at = s->base + (granule + i) * GRANULE;
        if (!LIKELY((*state & need) == need))
            return false;
        if (first   ? !fast_first(c, at, who, write, mask == 15, from, shared)
            : write ? !fast_write(c, at, who, from, shared)
                    : !fast_read(c, at, who, mask == 15, from, shared))
            return false;
        if (write)
            *state |= (uint8_t)mask;
    }
    traffic_access(
        p, bytes,
        shared ? (write ? SHARED_STORE : SHARED_LOAD) : (write ? GLOBAL_STORE : GLOBAL_LOAD), from);
    return true;
}

/* Whether a slot is of an atomic operation of another thread on the whole granule, which is no race
 * to one of the running thread's. */
ALWAYS_INLINE bool is_others_atomic(const struct cell *c, enum slot slot)
{
    return (c->who[slot] & (WHO_ATOMIC | STATE_WRITTEN)) == (WHO_ATOMIC | STATE_WRITTEN) &&
           !((c->is_volatile | c->is_scoped) >> slot & 1) &&
           WHO_THREAD(c->who[slot]) != check_now.thread;
}

/* An atomic operation of a kernel on a granule that since all else was ordered has seen none but
 * those of other threads, if any: what race.c does of it. */
ALWAYS_INLINE bool fast_atomic(uintptr_t p, unsigned bytes, const void *from, bool shared)
{
    const struct space *s = shared ? &check_now.shared : &check_now.global;
    const uint32_t first = shared ? check_now.epoch_first : check_now.launch_first;
    const uint32_t live = shared ? first : check_now.ordered_first;
    const size_t granule = (p - s->base) / GRANULE;
    struct cell *c = s->cells + granule;
    const uint32_t writer = c->stamp[WRITER], reader2 = c->stamp[READER2];
    if (bytes != GRANULE || p % GRANULE || s->state[granule] != STATE_ALL || check_now.waits ||
        check_now.scoped)
        return false;
    if (c->stamp[READER] >= live || writer == STAMP_BYTES)
        return false;
    if (reader2 >= live && !(reader2 >= first && is_others_atomic(c, READER2)))
        return false;
    if (writer >= live) {
        if (!(writer >= first && is_others_atomic(c, WRITER)))
            return false;
        c->stamp[READER2] = writer;
        c->place[READER2] = c->place[WRITER];
        c->who[READER2] = c->who[WRITER] | WHO_WROTE;
        c->is_volatile &= (uint8_t) ~(1u << READER2);
        c->is_scoped &= (uint8_t) ~(1u << READER2);
    }
    quiet_end(p);
    cell_set(c, WRITER, check_now.who | WHO_ATOMIC, from);
    c->is_volatile &= (uint8_t) ~(1u << WRITER);
    c->is_scoped &= (uint8_t) ~(1u << WRITER);
    traffic_access(p, bytes, shared ? SHARED_ATOMIC : ATOMIC, from);
    return true;
}

/* The same of what is neither global nor shared memory: constants, the kernel's arguments, arrays
 * of its own, and the references that stand for shared variables of a file. */
ALWAYS_INLINE bool fast_other(uintptr_t p, unsigned bytes, bool write, const void *from)
{
    const uintptr_t offset = p - check_now.constant;
    if (!write && offset < check_now.constant_bytes) {
        if (!LIKELY(p % bytes == 0 && bytes <= check_now.constant_bytes - offset))
            return false;
        traffic_access(p, bytes, CONSTANT_LOAD, from);
        return true;
    }
    return is_own_stack(p) || p - check_now.thread_local_ < check_now.thread_local_bytes;
}

/* Whether a read of `bytes` bytes at p leaves no trace but in the traffic. */
ALWAYS_INLINE bool quiet_read(uintptr_t p, unsigned bytes)
{
    if (bytes < GRANULE || (bytes > GRANULE && p % bytes))
        return false;
    for (unsigned i = 0; i < bytes; i += GRANULE)
        if (!LIKELY(is_quiet(p + i)))
            return false;
    return true;
}

/* An access that is left to others, and its veil. */
static __attribute__((noinline, unused)) void slow_access(const void *p, unsigned bytes,
                                                          enum access_kind kind, const void *from)
{
    check_access(p, bytes, kind, from);
    veil_open(p, bytes, check_writes(kind));
}

/* What is left of an access of a kernel: to global memory or shared memory that was touched before,
 * and to other memory. */
typedef void rest_of_access(const void *p, const void *from);
#define REST(name, bytes, write, looked)                                                           \
    static __attribute__((noinline, unused)) void name(const void *p, const void *from)            \
    {                                                                                              \
        if (LIKELY(looked))                                                                        \
            veil_open(p, bytes, write);                                                            \
        else                                                                                       \
            slow_access(p, bytes, (write) ? ACCESS_WRITE : ACCESS_READ, from);                     \
    }
#define RESTS(name, bytes, write)                                                                  \
    REST(name##_global, bytes, write, fast_access((uintptr_t)p, bytes, write, from, false, false)) \
    REST(name##_shared, bytes, write, fast_access((uintptr_t)p, bytes, write, from, true, false))  \
    REST(name##_other, bytes, write, fast_other((uintptr_t)p, bytes, write, from))
#define ALL_RESTS(bytes)                                                                           \
    RESTS(read##bytes, bytes, false)                                                               \
    RESTS(write##bytes, bytes, true)                                                               \
    __attribute__((unused)) static rest_of_access *const rests##bytes[2][3] = {                    \
        {read##bytes##_global, read##bytes##_shared, read##bytes##_other},                         \
        {write##bytes##_global, write##bytes##_shared, write##bytes##_other}};
#define EACH_SIZE(f) f(1) f(2) f(4) f(8) f(16)
EACH_SIZE(ALL_RESTS)

ALWAYS_INLINE rest_of_access *rest_of(unsigned bytes, bool write, int where)
{
    return bytes == 1   ? rests1[write][where]
           : bytes == 2 ? rests2[write][where]
           : bytes == 4 ? rests4[write][where]
           : bytes == 8 ? rests8[write][where]
                        : rests16[write][where];
}

/* All of it. All ways end in a call or in none, so that the caller needs no stack. */
ALWAYS_INLINE void kernel_access(const void *p, unsigned bytes, bool write, const void *from)
{
    const uintptr_t at = (uintptr_t)p;
    if (at - check_now.global.base < check_now.global.bytes) {
        if (LIKELY(fast_access(at, bytes, write, from, false, true)))
            veil_open(p, bytes, write);
        else
            rest_of(bytes, write, 0)(p, from);
    } else if (LIKELY(at - check_now.shared.base < check_now.shared.bytes)) {
        if (LIKELY(fast_access(at, bytes, write, from, true, true)))
            veil_open(p, bytes, write);
        else
            rest_of(bytes, write, 1)(p, from);
    } else {
        rest_of(bytes, write, 2)(p, from);
    }
}

#endif
