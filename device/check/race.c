/* Races that a fast path (fast.h) can't decide: two threads, same bytes, one writes, unordered. */
#include <stdlib.h>
#include <string.h>

#include "device/check/check.h"
#include "device/check/veil.h"
#include "device/check/streams.h"

/* Cells for single bytes, four for a granule whose bytes are used one by one. */
static struct cell (*byte_cells)[GRANULE];
static uint32_t byte_count, byte_room;

static bool is_volatile(const struct access *a)
{
    return a->kind == ACCESS_VOLATILE_READ || a->kind == ACCESS_VOLATILE_WRITE;
}

/* Operations, and reads that may stand beside them. */
static bool is_atomic(const struct access *a)
{
    return a->kind != ACCESS_READ && a->kind != ACCESS_WRITE && a->kind != ACCESS_VOLATILE_WRITE;
}

/* Whether the slot is of an atomic operation, or a volatile read beside them. */
static bool was_atomic(const struct cell *c, enum slot slot)
{
    return c->who[slot] & WHO_ATOMIC && !(slot == WRITER && c->is_volatile >> slot & 1);
}

/* Whether the slot is of an earlier launch. */
static bool is_earlier(const struct cell *c, enum slot slot)
{
    return c->stamp[slot] < check_now.launch_first;
}

/* Whether the slot is of this launch, and for shared memory of this epoch; or of a launch on
 * another stream that nothing orders before this one. */
static bool is_live(const struct cell *c, enum slot slot, bool shared)
{
    uint32_t stamp = c->stamp[slot];
    if (stamp >= (shared ? check_now.epoch_first : check_now.launch_first))
        return true;
    return !shared && stamp >= check_now.ordered_first && check_stream_unordered(stamp);
}

/* Whether it is the running thread's, as far as its number tells. */
static bool is_own(const struct cell *c, enum slot slot)
{
    return !is_earlier(c, slot) && WHO_THREAD(c->who[slot]) == check_now.thread;
}

/* Whether nothing orders a live slot against what the running thread does now. */
static bool is_concurrent(const struct cell *c, enum slot slot)
{
    uint32_t stamp = c->stamp[slot];
    if (is_earlier(c, slot))
        return true;
    if (stamp >= check_now.block_first &&
        (stamp < check_now.epoch_first || WHO_THREAD(c->who[slot]) == check_now.thread))
        return false;
    return !check_order_before_now(stamp, c->who[slot]);
}

/* Whether a volatile access and a slot's are of lanes of one warp: code that relies on their being
 * in step. */
static bool is_in_step(const struct cell *c, enum slot slot, const struct access *a)
{
    return is_volatile(a) && c->is_volatile >> slot & 1 &&
           c->stamp[slot] >= check_now.block_first &&
           WHO_THREAD(c->who[slot]) / WARP == check_now.thread / WARP;
}

/* Whether one of two atomic operations of different blocks is of block scope, by which another
 * block's may come between its read and its write. */
static bool is_out_of_scope(const struct cell *c, enum slot slot)
{
    return (check_now.scoped || c->is_scoped >> slot & 1) && c->stamp[slot] < check_now.block_first;
}

/* Whether the access races with a live slot, if one of the two writes. */
static bool is_unordered(const struct cell *c, enum slot slot, const struct access *a)
{
    const bool strong = (is_atomic(a) || is_volatile(a)) && c->who[slot] & WHO_ATOMIC;
    return !(strong && !is_in_step(c, slot, a) && !is_out_of_scope(c, slot)) &&
           is_concurrent(c, slot);
}

static void slot_set(struct cell *c, enum slot slot, unsigned mask, const struct access *a)
{
    c->stamp[slot] = check_now.stamp;
    c->place[slot] = (uint32_t)(uintptr_t)a->from;
    c->who[slot] = (uint16_t)(check_now.thread << 4 | mask |
                              (is_atomic(a) || is_volatile(a) ? WHO_ATOMIC : 0));
    cell_bit(&c->is_volatile, slot, is_volatile(a));
    cell_bit(&c->is_scoped, slot, check_now.scoped);
}

/* CUDA code has `old = *p; do .. atomicCAS(p, ..)` and `if (x > *p) atomicMax(p, x)`: a plain read
 * before an atomic operation of the same thread on the same bytes counts as atomic. So a plain
 * read that races with atomic operations only waits for the thread's next one. */
static struct {
    struct cell *cell; /* NULL: nothing waits */
    struct cell then;
    enum slot slot;
    struct access access;
    bool shared;
} doubt;

/* A second write of the same value changes nothing; what it stores is known only after it. */
static struct {
    bool waits;
    struct cell then;
    struct access access;
    bool shared;
    uint8_t before[16];
} second_write;

static void settle_write(void)
{
    const struct access *a = &second_write.access;
    if (!second_write.waits)
        return;
    second_write.waits = false;
    check_race_report(&second_write.then, WRITER, a, second_write.shared,
                      check_veil_same(second_write.before, (const void *)a->p, a->bytes));
}

void check_race_settle(void)
{
    struct cell *cell = doubt.cell;
    doubt.cell = NULL;
    if (cell)
        check_race_report(&doubt.then, doubt.slot, &doubt.access, doubt.shared, false);
    settle_write();
}

/* The running thread's plain write races with the cell's last one. */
static void doubt_write(const struct cell *c, const struct access *a, bool shared)
{
    if (second_write.waits && second_write.access.p == a->p && second_write.access.from == a->from)
        return; /* more bytes of the same write */
    settle_write();
    second_write.waits = check_now.waits = true;
    second_write.then = *c;
    second_write.access = *a;
    second_write.shared = shared;
    check_veil_read(second_write.before, (const void *)a->p, a->bytes);
}

static void doubt_read(struct cell *c, enum slot s, const struct access *a, bool shared)
{
    if (doubt.cell && doubt.access.p == a->p && doubt.access.from == a->from)
        return; /* more bytes of the same read, which an atomic operation excuses as a whole */
    check_race_settle();
    doubt.cell = c;
    check_now.waits = true;
    doubt.then = *c;
    doubt.slot = s;
    doubt.access = *a;
    doubt.shared = shared;
}

/* The running thread's own reads of the cell become atomic ones, by an atomic operation of its; of
 * those before a blind one, which they decide nothing of, a note is left. */
static void excuse_reads(struct cell *c, bool blind, bool shared)
{
    if (doubt.cell == c && blind)
        check_report_asks(doubt.access.from);
    doubt.cell = doubt.cell == c && !blind ? NULL : doubt.cell;
    for (enum slot s = READER; s < SLOTS; s++)
        if (is_live(c, s, shared) && c->stamp[s] >= check_now.epoch_first &&
            WHO_THREAD(c->who[s]) == check_now.thread) {
            c->who[s] |= blind ? 0 : WHO_ATOMIC;
            cell_bit(&c->is_scoped, s, check_now.scoped);
            check_report_asks(check_place_whole(c->place[s]));
        }
}

/* Nothing is left to note of reads of global memory's cell c: its readers are this launch's and
 * another one's, which the fast path can't tell. */
static void make_quiet(const struct cell *c, unsigned mask)
{
    const size_t granule = (size_t)(c - check_now.global.cells);
    const uintptr_t p = check_now.global.base + granule * GRANULE;
    if (mask == STATE_WRITTEN && p - check_now.global.base < check_now.global.bytes &&
        check_now.global.state[granule] == STATE_ALL)
        quiet_begin(p);
}

/* Keeps two readers that a later write can race with: one of another launch or block if there is
 * one, else two of this epoch. A reader that is ordered before now makes room; so does one that
 * later atomic operations are no race to, for one that they are. */
static void remember_reader(struct cell *c, unsigned mask, const struct access *a, bool shared)
{
    bool live = is_live(c, READER, shared);
    if (live && c->stamp[READER] < check_now.block_first) {
        if (!is_live(c, READER2, shared) || !is_earlier(c, READER2))
            cell_move(c, READER, READER2);
    } else if (live && is_concurrent(c, READER)) {
        bool room = !is_live(c, READER2, shared) || !is_concurrent(c, READER2);
        if (room || ((c->who[READER2] & (WHO_ATOMIC | WHO_WROTE)) == WHO_ATOMIC && !is_atomic(a)))
            slot_set(c, READER2, mask, a);
        else if (!shared && is_earlier(c, READER2) && !is_live(c, WRITER, shared))
            make_quiet(c, mask);
        return;
    }
    slot_set(c, READER, mask, a);
}

static void read_cell(struct cell *c, unsigned mask, const struct access *a, bool shared)
{
    if (is_live(c, WRITER, shared)) {
        bool atomic = was_atomic(c, WRITER);
        if (is_unordered(c, WRITER, a) && atomic)
            doubt_read(c, WRITER, a, shared);
        else if (is_unordered(c, WRITER, a))
            check_race_report(c, WRITER, a, shared, false);
        else if (atomic) /* it may not have been the last */
            for (enum slot s = READER; s < SLOTS; s++)
                if (is_live(c, s, shared) && c->who[s] & WHO_WROTE && is_unordered(c, s, a)) {
                    doubt_read(c, s, a, shared);
                    break;
                }
    }
    remember_reader(c, mask, a, shared);
}

static void write_cell(struct cell *c, unsigned mask, const struct access *a, bool shared)
{
    if (is_atomic(a))
        excuse_reads(c, a->kind == ACCESS_BLIND, shared);
    for (enum slot s = WRITER; s < SLOTS; s++)
        if (is_live(c, s, shared) && is_unordered(c, s, a)) {
            if (s == WRITER && !is_atomic(a) && !was_atomic(c, s) &&
                (shared || !is_earlier(c, s)) && a->bytes <= sizeof second_write.before)
                doubt_write(c, a, shared);
            else
                check_race_report(c, s, a, shared, false);
            break;
        }
    bool atomic_before = is_live(c, WRITER, shared) && was_atomic(c, WRITER);
    if (atomic_before && is_atomic(a) && !is_own(c, WRITER)) {
        /* Both may race with a plain access to come. */
        cell_move(c, WRITER, READER2);
        c->who[READER2] |= WHO_WROTE;
    } else if (is_live(c, READER, shared) && !is_own(c, READER)) {
        c->stamp[READER] = c->stamp[READER2] = 0; /* the write stands for them from now on */
    }
    slot_set(c, WRITER, mask, a);
}

/* Gives a granule cells for its bytes, each with what the granule's cell knows of that byte. */
static void split_cell(struct cell *c)
{
    if (byte_count == byte_room) {
        byte_room = byte_room ? 2 * byte_room : 256;
        byte_cells = realloc(byte_cells, byte_room * sizeof *byte_cells);
        if (!byte_cells)
            abort();
    }
    struct cell *bytes = byte_cells[byte_count];
    for (unsigned i = 0; i < GRANULE; i++) {
        bytes[i] = *c;
        for (enum slot s = WRITER; s < SLOTS; s++)
            if (!(c->who[s] >> i & 1))
                bytes[i].stamp[s] = 0;
    }
    *c = (struct cell){.stamp = {STAMP_BYTES}, .place = {byte_count++}, .who = {UINT16_MAX}};
}

/* Whether a live slot is about some bytes of `mask`'s granule, but not about just these. */
static bool is_mixed(const struct cell *c, unsigned mask, bool shared)
{
    for (enum slot s = WRITER; s < SLOTS; s++)
        if (is_live(c, s, shared) && (c->who[s] & 15) != mask)
            return true;
    return false;
}

const struct cell *check_race_cells(const struct cell *c, unsigned *n)
{
    bool split = c->stamp[WRITER] == STAMP_BYTES;
    *n = split ? GRANULE : 1;
    return split ? byte_cells[c->place[WRITER]] : c;
}

void check_race_touch(struct cell *c, unsigned mask, const struct access *a, bool shared)
{
    void (*touch)(struct cell *, unsigned, const struct access *, bool) =
        check_writes(a->kind) ? write_cell : read_cell;
    if (c->stamp[WRITER] != STAMP_BYTES && is_mixed(c, mask, shared))
        split_cell(c);
    if (c->stamp[WRITER] != STAMP_BYTES) {
        touch(c, mask, a, shared);
        return;
    }
    for (unsigned i = 0; i < GRANULE; i++)
        if (mask >> i & 1)
            touch(&byte_cells[c->place[WRITER]][i], 1u << i, a, shared);
}
