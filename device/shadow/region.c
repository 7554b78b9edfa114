/* The memory that kernels may use: allocations, symbols, shared variables, by address. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/shadow/shadow.h"

/* Host threads allocate while a kernel runs. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct entry {
    struct dev_region region;
    struct space
        space; /* of a symbol; others have their shadow in check_now.global and check_now.shared */
};
static struct entry *entries; /* by address; no two overlap */
static size_t entry_count, entry_room;

enum { KEPT = 64 };
static struct dev_region freed[KEPT]; /* the last ones, a ring */
static size_t freed_count;

void (*check_region_by_kernel)(const struct dev_region *region);

static uintptr_t start_of(const struct dev_region *r)
{
    return (uintptr_t)r->base;
}

static uintptr_t end_of(const struct dev_region *r)
{
    return (uintptr_t)r->base + r->bytes;
}

/* A variable of the program: __device__, __constant__, __managed__. */
static bool is_symbol(const struct dev_region *r)
{
    return r->kind != DEV_SHARED && (r->base < dev_arena || r->base >= dev_arena_end);
}

/* How many entries begin at or before p. */
static size_t entries_to(uintptr_t p)
{
    size_t low = 0, high = entry_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (start_of(&entries[middle].region) <= p)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The shadow that an entry's bytes have. */
static const struct space *space_of(const struct entry *e)
{
    if (is_symbol(&e->region))
        return &e->space;
    return e->region.kind == DEV_SHARED ? &check_now.shared : &check_now.global;
}

static void region_drop(size_t i)
{
    struct entry *e = &entries[i];
    check_now.constant_bytes = 0;
    check_space_set_usable(space_of(e), start_of(&e->region), e->region.bytes, false);
    if (is_symbol(&e->region))
        check_space_release(&e->space);
    else if (e->region.kind != DEV_SHARED)
        freed[freed_count++ % KEPT] = e->region;
    memmove(e, e + 1, (--entry_count - i) * sizeof *e);
}

static void note_symbol(const struct dev_region *r)
{
    uintptr_t end = check_now.symbols + check_now.symbol_bytes;
    if (!check_now.symbol_bytes || start_of(r) < check_now.symbols)
        check_now.symbols = start_of(r);
    if (end < end_of(r))
        end = end_of(r);
    check_now.symbol_bytes = end - check_now.symbols;
}

/* The shadows of the arena and of the running worker's shared memory, made when first needed. */
static void make_spaces(const struct dev_region *r)
{
    if (r->kind == DEV_SHARED) {
        struct dev_worker *w = dev_self;
        if (w && (check_now.shared.base != (uintptr_t)w->shared ||
                  check_now.shared.bytes != w->shared_bytes)) {
            check_space_release(&check_now.shared);
            check_now.shared = check_space_reserve((uintptr_t)w->shared, w->shared_bytes);
        }
    } else if (!is_symbol(r) && !check_now.global.bytes) {
        check_now.global =
            check_space_reserve((uintptr_t)dev_arena, (size_t)(dev_arena_end - dev_arena));
    }
}

static void region_insert(const struct dev_region *region)
{
    make_spaces(region);
    size_t i = entries_to(start_of(region));
    if (i > 0 && end_of(&entries[i - 1].region) > start_of(region))
        i--;
    if (region->kind == DEV_SHARED && i < entry_count && entries[i].region.base == region->base &&
        entries[i].region.bytes == region->bytes && entries[i].region.name == region->name)
        return; /* as in the block before */
    while (i < entry_count && start_of(&entries[i].region) < end_of(region))
        region_drop(i);
    if (entry_count == entry_room) {
        entry_room = entry_room ? 2 * entry_room : 64;
        entries = realloc(entries, entry_room * sizeof *entries);
        if (!entries)
            abort();
    }
    struct entry *e = &entries[i];
    memmove(e + 1, e, (entry_count++ - i) * sizeof *e);
    *e = (struct entry){.region = *region};
    if (is_symbol(region)) {
        e->space = check_space_reserve(start_of(region), region->bytes);
        note_symbol(region);
    }
    const struct space *s = space_of(e);
    check_space_set_usable(s, start_of(region), region->bytes, true);
    if (is_symbol(region)) /* C's zeroes */
        check_space_set_written(s, start_of(region), region->bytes, true);
    if (dev_self && check_region_by_kernel)
        check_region_by_kernel(region);
}

void check_region_added(const struct dev_region *region)
{
    if (!region->bytes)
        return;
    pthread_mutex_lock(&lock);
    region_insert(region);
    pthread_mutex_unlock(&lock);
}

void check_region_removed(const struct dev_region *region)
{
    pthread_mutex_lock(&lock);
    size_t i = entries_to(start_of(region));
    if (i > 0 && entries[i - 1].region.base == region->base)
        region_drop(i - 1);
    pthread_mutex_unlock(&lock);
}

void check_region_forget_shared(void)
{
    pthread_mutex_lock(&lock);
    for (size_t i = entry_count; i-- > 0;)
        if (entries[i].region.kind == DEV_SHARED)
            region_drop(i);
    pthread_mutex_unlock(&lock);
}

void check_region_each(void (*f)(const struct dev_region *region, void *context), void *context)
{
    for (size_t i = 0; i < entry_count; i++)
        f(&entries[i].region, context);
}

/* Whether p, in no region, may well be meant for r. */
static bool is_near(const struct dev_region *r, uintptr_t p)
{
    if (p - check_now.global.base < check_now.global.bytes)
        return r->kind == DEV_GLOBAL || r->kind == DEV_MANAGED;
    if (p - check_now.shared.base < check_now.shared.bytes)
        return r->kind == DEV_SHARED;
    size_t distance = p < start_of(r) ? start_of(r) - p : p - end_of(r) + 1;
    return is_symbol(r) && distance <= NEAR;
}

/* Whether p lies in the red zone behind `before`, where both it and `after` have one of their own.
 */
static bool in_zone_of(const struct dev_region *before, const struct dev_region *after, uintptr_t p)
{
    const size_t zone = dev_red_zone(before->bytes);
    return start_of(after) - end_of(before) >= zone + dev_red_zone(after->bytes) &&
           p - end_of(before) < zone;
}

enum region_where check_region_find(uintptr_t p, struct dev_region *region)
{
    enum region_where where = REGION_NONE;
    pthread_mutex_lock(&lock);
    size_t i = entries_to(p);
    const struct dev_region *before = i > 0 ? &entries[i - 1].region : NULL;
    const struct dev_region *after = i < entry_count ? &entries[i].region : NULL;
    if (before && p < end_of(before)) {
        *region = *before;
        where = REGION_INSIDE;
    }
    for (size_t k = 0; where == REGION_NONE && k < KEPT && k < freed_count; k++) {
        const struct dev_region *f = &freed[(freed_count - 1 - k) % KEPT];
        if (p >= start_of(f) && p < end_of(f)) {
            *region = *f;
            where = REGION_FREED;
        }
    }
    if (where == REGION_NONE) {
        bool has_before = before && is_near(before, p), has_after = after && is_near(after, p);
        /* Overruns are commoner than underruns: after is taken only when p is in its red zone, or
         * where there is none when it is nearer. */
        if (has_after && has_before && !in_zone_of(before, after, p) &&
            (in_zone_of(before, after, end_of(before)) ||
             start_of(after) - p < p - end_of(before) + 1))
            has_before = false;
        if (has_before || has_after) {
            *region = has_before ? *before : *after;
            where = REGION_NEAR;
        }
    }
    pthread_mutex_unlock(&lock);
    return where;
}

const struct space *check_region_symbol_space(uintptr_t p, enum dev_kind *kind)
{
    static size_t last; /* most kernels read one symbol over and over */
    if (p - check_now.symbols >= check_now.symbol_bytes)
        return NULL;
    if (last >= entry_count || !is_symbol(&entries[last].region) ||
        p - start_of(&entries[last].region) >= entries[last].region.bytes) {
        size_t i = entries_to(p);
        if (i == 0 || !is_symbol(&entries[i - 1].region) || p >= end_of(&entries[i - 1].region))
            return NULL;
        last = i - 1;
    }
    *kind = entries[last].region.kind;
    return &entries[last].space;
}
