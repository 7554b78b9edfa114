/* What a request costs: sectors of global memory, passes of shared memory. */
#include <string.h>

#include "device/traffic/traffic.h"

enum { SECTOR = 32, BANKS = 32, WORD = 4 };

/* Adds v to a set of n; whether it was new. */
static bool set_add(uintptr_t *set, unsigned *n, uintptr_t v)
{
    /* Neighbouring lanes touch neighbouring sectors: the last one first. */
    for (unsigned i = *n; i-- > 0;)
        if (set[i] == v)
            return false;
    set[(*n)++] = v;
    return true;
}

/* Distinct units of `size` bytes. */
static unsigned count_distinct(const uintptr_t *p, unsigned n, unsigned bytes, unsigned size)
{
    uintptr_t set[WARP * 4]; /* 16 bytes at an address of their own alignment: at most 4 words */
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++)
        for (uintptr_t u = p[i] / size; u <= (p[i] + bytes - 1) / size; u++)
            set_add(set, &count, u);
    return count;
}

unsigned check_count_sectors(const uintptr_t *p, unsigned n, unsigned bytes)
{
    return count_distinct(p, n, bytes, SECTOR);
}

unsigned check_count_extra_words(const uintptr_t *p, unsigned n, unsigned bytes)
{
    unsigned words = count_distinct(p, n, bytes, WORD);
    unsigned fewest = bytes > WORD ? bytes / WORD : 1;
    return words > fewest ? words - fewest : 0;
}

/* The request that was counted last: a loop's next one is often the same, some words further, and
 * has as many conflicts. */
static struct {
    uintptr_t p[WARP];
    uint8_t lanes[WARP];
    unsigned n, bytes, extra;
} last_request;

static bool is_like_last(const uintptr_t *p, const uint8_t *lanes, unsigned n, unsigned bytes)
{
    uintptr_t further = p[0] - last_request.p[0], differ = 0;
    if (n != last_request.n || bytes != last_request.bytes || further % WORD ||
        memcmp(lanes, last_request.lanes, n) != 0)
        return false;
    for (unsigned i = 0; i < n; i++)
        differ |= p[i] - last_request.p[i] - further;
    return differ == 0;
}

/* A pass reads one word of each bank, for all lanes that want it. 32 lanes of up to 4 bytes go
 * together, of 8 bytes in halves, of 16 in quarters of the warp. */
unsigned check_count_conflicts(const uintptr_t *p, const uint8_t *lanes, unsigned n, unsigned bytes)
{
    unsigned together = bytes <= WORD ? WARP : WARP * WORD / bytes, extra = 0;
    if (n > 0 && is_like_last(p, lanes, n, bytes))
        return last_request.extra;
    for (unsigned i = 0; i < n;) {
        unsigned part = lanes[i] / together, most = 0;
        uintptr_t set[BANKS][WARP];
        unsigned count[BANKS] = {0};
        for (; i < n && lanes[i] / together == part; i++)
            for (uintptr_t w = p[i] / WORD; w <= (p[i] + bytes - 1) / WORD; w++) {
                unsigned *c = &count[w % BANKS];
                if (set_add(set[w % BANKS], c, w) && *c > most)
                    most = *c;
            }
        extra += most - 1;
    }
    memcpy(last_request.p, p, n * sizeof *p);
    memcpy(last_request.lanes, lanes, n);
    last_request.n = n;
    last_request.bytes = bytes;
    last_request.extra = extra;
    return extra;
}

static unsigned units_of(const struct group *g, const uintptr_t *p, const uint8_t *lanes,
                         unsigned n)
{
    switch ((enum traffic_kind)g->kind) {
    case SHARED_LOAD:
    case SHARED_STORE:
    case SHARED_ATOMIC:
        return check_count_conflicts(p, lanes, n, g->bytes);
    case CONSTANT_LOAD:
        return check_count_extra_words(p, n, g->bytes);
    default:
        return check_count_sectors(p, n, g->bytes);
    }
}

/* The addresses of the lanes that have joined a group, from base on; how many. */
static unsigned addresses_of(const struct group *g, uintptr_t base, uintptr_t p[WARP],
                             uint8_t lanes[WARP])
{
    uintptr_t all[WARP];
    unsigned n = 0;
    check_group_addresses(g, all);
    for (unsigned i = 0; i < WARP; i++)
        if (g->lanes >> i & 1) {
            p[n] = all[i] - base;
            lanes[n++] = (uint8_t)i;
        }
    return n;
}

bool check_group_scattered(const struct group *g, unsigned units)
{
    if (g->kind == SHARED_LOAD || g->kind == SHARED_STORE)
        return units > 0;
    if ((g->kind != GLOBAL_LOAD && g->kind != GLOBAL_STORE) || units <= 2)
        return false;
    uintptr_t p[WARP];
    uint8_t lanes[WARP];
    const unsigned n = addresses_of(g, 0, p, lanes);
    const unsigned bytes = g->bytes * count_distinct(p, n, g->bytes, g->bytes);
    return units > 2 * ((bytes + SECTOR - 1) / SECTOR + 1);
}

unsigned check_group_units(const struct group *g)
{
    bool shared = g->kind == SHARED_LOAD || g->kind == SHARED_STORE || g->kind == SHARED_ATOMIC;
    if (g->lanes == UINT32_MAX && g->stride == g->bytes && g->base % g->bytes == 0) {
        /* The common case: neighbours, each its own. */
        if (shared)
            return 0;
        if (g->kind != CONSTANT_LOAD)
            return (unsigned)((g->base + WARP * g->bytes - 1) / 32 - g->base / 32 + 1);
    }
    if (g->stride == 0 && g->base % g->bytes == 0)
        return shared || g->kind == CONSTANT_LOAD ? 0 : 1;
    uintptr_t p[WARP];
    uint8_t lanes[WARP];
    const unsigned n = addresses_of(g, shared ? check_now.shared.base : 0, p, lanes);
    return units_of(g, p, lanes, n);
}
