/* The fast path of an access, written into each __tsan_* entry point: it ends in a few compares
 * when nothing new can follow from the access, records simple cases, and says false for all else.
 */
#ifndef HPC_DEVICE_CHECK_FAST_H
#define HPC_DEVICE_CHECK_FAST_H

#include "device/check/check.h"
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

/* `bytes` (1, 2, 4, 8, 16) at an offset of a space that they divide. */
ALWAYS_INLINE bool fast_space(const struct space *s, size_t offset, unsigned bytes, bool write,
                              bool shared, const void *from)
{
    size_t granule = offset / GRANULE;
    unsigned mask = bytes >= GRANULE ? 15 : ((1u << bytes) - 1) << offset % GRANULE;
    uint16_t who = mask == 15 ? check_now.who : (uint16_t)((check_now.who & ~15u) | (uint16_t)mask);
    unsigned need = write ? mask << 4 : mask << 4 | mask;
    for (unsigned i = 0; i < (bytes + GRANULE - 1) / GRANULE; i++) {
        uint8_t *state = s->state + granule + i;
        struct cell *c = s->cells + granule + i;
        uintptr_t p = s->base + (granule + i) * GRANULE;
        if ((*state & need) != need)
            return false;
        if (write ? !fast_write(c, p, who, from, shared)
                  : !fast_read(c, p, who, mask == 15, from, shared))
            return false;
        if (write)
            *state |= (uint8_t)mask;
    }
    return true;
}

/* Whether an access of a kernel has been looked at, which is so but for odd ones. */
ALWAYS_INLINE bool fast_access(const void *p, unsigned bytes, bool write, const void *from)
{
    uintptr_t offset = (uintptr_t)p - check_now.global.base;
    if (offset < check_now.global.bytes) {
        if (LIKELY(offset % bytes == 0 &&
                   fast_space(&check_now.global, offset, bytes, write, false, from))) {
            traffic_access((uintptr_t)p, bytes, write ? GLOBAL_STORE : GLOBAL_LOAD, from);
            return true;
        }
    } else if (!write && (uintptr_t)p - check_now.constant < check_now.constant_bytes) {
        offset = (uintptr_t)p - check_now.constant;
        if (LIKELY((uintptr_t)p % bytes == 0 && bytes <= check_now.constant_bytes - offset)) {
            traffic_access((uintptr_t)p, bytes, CONSTANT_LOAD, from);
            return true;
        }
    } else {
        offset = (uintptr_t)p - check_now.shared.base;
        if (LIKELY(offset < check_now.shared.bytes && (uintptr_t)p % bytes == 0 &&
                   fast_space(&check_now.shared, offset, bytes, write, true, from))) {
            traffic_access((uintptr_t)p, bytes, write ? SHARED_STORE : SHARED_LOAD, from);
            return true;
        }
        /* The kernel's arguments, arrays of its own; and the references that stand for shared
         * variables of a file. */
        if (is_own_stack((uintptr_t)p) ||
            (uintptr_t)p - check_now.thread_local_ < check_now.thread_local_bytes)
            return true;
    }
    return false;
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

#endif
