/* A loop over a block's threads whose accesses follow from threadIdx.x: all of them at once. Where
 * no two threads of the loop meet in a range of memory (ranges.c), and no access would be told of
 * or looked at closer, the ranges go on record as the threads would put them there one after
 * another. Else nothing is on record, and the loop is done access by access. */
#include <string.h>

#include "device/batch/ranges.h"
#include "device/check/fast.h"

static const struct space *space_of(const struct range *r, bool *shared)
{
    const uintptr_t low = low_of(r), bytes = high_of(r) - low;
    *shared = low - check_now.shared.base < check_now.shared.bytes;
    const struct space *s = *shared ? &check_now.shared : &check_now.global;
    const uintptr_t offset = low - s->base;
    return offset < s->bytes && bytes <= s->bytes - offset && offset % r->bytes == 0 ? s : NULL;
}

enum { AHEAD = 64 }; /* cells that are fetched from memory meanwhile */

/* Whether n granules may be read: they are written, and no write is on record that is not ordered
 * before now. And whether they may be written: nor is a read. */
static __attribute__((noinline)) bool may_read(const uint8_t *state, const struct cell *c, size_t n,
                                               uint32_t live)
{
    bool bad = false;
    for (size_t i = 0; i < n; i++) {
        __builtin_prefetch(c + i + AHEAD, 1);
        bad |= (state[i] != STATE_ALL) | (c[i].stamp[WRITER] >= live);
    }
    return !bad;
}

static __attribute__((noinline)) bool may_write(const uint8_t *state, const struct cell *c,
                                                size_t n, uint32_t live)
{
    bool bad = false;
    for (size_t i = 0; i < n; i++) {
        __builtin_prefetch(c + i + AHEAD, 1);
        bad |= (state[i] < STATE_USABLE) | (c[i].stamp[WRITER] >= live) |
               (c[i].stamp[READER] >= live) | (c[i].stamp[READER2] >= live);
    }
    return !bad;
}

static bool is_clear(const struct range *r)
{
    bool shared;
    const struct space *const s = space_of(r, &shared);
    const uint32_t live = shared ? check_now.epoch_first : check_now.ordered_first;
    bool (*may)(const uint8_t *, const struct cell *, size_t, uint32_t) =
        r->write ? may_write : may_read;
    if (!s)
        return false;
    const bool joined = r->stride == (intptr_t)r->bytes;
    const size_t n = r->bytes / GRANULE * (joined ? r->firsts : 1);
    for (unsigned k = 0; k < (joined ? r->firsts > 0 : r->firsts); k++) {
        const size_t g = (r->at + (uintptr_t)(r->stride * (intptr_t)k) - s->base) / GRANULE;
        if (!may(s->state + g, s->cells + g, n, live))
            return false;
    }
    return true;
}

ALWAYS_INLINE void put_slot(struct cell *c, enum slot slot, uint32_t stamp, unsigned who,
                            uint32_t place)
{
    c->stamp[slot] = stamp;
    c->place[slot] = place;
    c->who[slot] = (uint16_t)who;
}

static __attribute__((noinline)) void put_read(struct cell *c, unsigned who, const void *from,
                                               bool shared)
{
    const struct space *s = shared ? &check_now.shared : &check_now.global;
    const uintptr_t at = s->base + (uintptr_t)(c - s->cells) * GRANULE;
    if (fast_read(c, at, (uint16_t)who, true, from, shared))
        return;
    check_now.thread = WHO_THREAD(who);
    check_now.who = (uint16_t)who;
    check_access((const void *)at, GRANULE, ACCESS_READ, from);
}

/* What fast.h does, of n granules that are clear: `each` of them for each thread. */
ALWAYS_INLINE void put_reads(struct cell *c, size_t n, size_t each, unsigned who, const void *from,
                             bool shared)
{
    const uint32_t live = shared ? check_now.epoch_first : check_now.ordered_first;
    const uint32_t stamp = check_now.stamp, recent = check_now.recent;
    const uint32_t place = (uint32_t)(uintptr_t)from;
    for (size_t i = 0; i < n; c++, i++, who += (i % each == 0) << 4) {
        const uint32_t reader = c->stamp[READER], reader2 = c->stamp[READER2];
        if (LIKELY(reader < live))
            put_slot(c, READER, stamp, who, place);
        else if (reader >= recent && reader2 < live && (c->who[READER] ^ who) > STATE_WRITTEN &&
                 !((c->who[READER] ^ who) & STATE_WRITTEN))
            put_slot(c, READER2, stamp, who, place);
        else if (reader < recent || reader2 < recent)
            put_read(c, who, from, shared);
    }
}

ALWAYS_INLINE void put_writes(uint8_t *state, struct cell *c, size_t n, size_t each, unsigned who,
                              const void *from)
{
    const uint32_t stamp = check_now.stamp, place = (uint32_t)(uintptr_t)from;
    memset(state, STATE_ALL, n);
    for (size_t i = 0; i < n; c++, i++, who += (i % each == 0) << 4)
        put_slot(c, WRITER, stamp, who, place);
}

static void put_on_record(const struct range *r)
{
    bool shared;
    const struct space *const s = space_of(r, &shared);
    const bool joined = r->stride == (intptr_t)r->bytes;
    const size_t each = r->bytes / GRANULE, n = joined ? r->visits * each : each;
    for (unsigned k = 0; k < (joined ? r->visits > 0 : r->visits); k++) {
        const unsigned who = (r->first + k) << 4 | STATE_WRITTEN;
        const size_t g = (r->at + (uintptr_t)(r->stride * (intptr_t)k) - s->base) / GRANULE;
        if (r->write && each == 1)
            put_writes(s->state + g, s->cells + g, n, 1, who, r->from);
        else if (r->write)
            put_writes(s->state + g, s->cells + g, n, each, who, r->from);
        else if (each == 1)
            put_reads(s->cells + g, n, 1, who, r->from, shared);
        else
            put_reads(s->cells + g, n, each, who, r->from, shared);
    }
}

/* Loops that are odd time and again are not asked, nor those with rows so short that asking takes
 * as long as looking at each access. */
enum { TRIES = 8, SHORTEST = 48 };

bool check_batch(struct dev_batch *b, const struct dev_index *size, unsigned most,
                 dev_batch_shape *shape, const void *context)
{
    if (most < SHORTEST || check_now.veiled || check_now.waits || check_now.counts ||
        b->odd >= TRIES + b->done)
        return false;
    int n = 0;
    const struct range *const *const order = check_batch_ranges(size, most, shape, context, &n);
    bool clear = order != NULL;
    for (int i = 0; i < n && clear; i++)
        clear = is_clear(order[i]);
    for (int i = 0; i < n && clear; i++)
        put_on_record(order[i]);
    b->done += clear;
    b->odd += !clear;
    return clear;
}
