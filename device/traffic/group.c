/* One group of lanes' accesses (traffic.h): where each lane's is. */
#include <stdlib.h>
#include <string.h>

#include "device/traffic/traffic.h"

/* Strides that are none. A group of one lane keeps the complement of its address, one whose lanes'
 * distances differ the number of its list in `details`: neither leads to an address of a program,
 * so that the fast path leaves both to check_traffic_slow. */
enum { ONE_LANE = INT32_MIN, DETAILED = INT32_MIN + 1 };

enum { MAX_DETAILS = 1 << 18 };

static uintptr_t (*details)[WARP];
static uint32_t detail_count, detail_room;

void check_group_begin(struct group *g, uintptr_t p, unsigned bytes, enum traffic_kind kind,
                       uint64_t key)
{
    *g = (struct group){.key = key,
                        .base = ~p,
                        .stride = ONE_LANE,
                        .lanes = check_now.lane_bit,
                        .kind = (uint8_t)kind,
                        .bytes = (uint8_t)bytes};
}

static uintptr_t group_address(const struct group *g, unsigned lane)
{
    if (g->stride == ONE_LANE)
        return ~g->base;
    if (g->stride == DETAILED)
        return details[g->base][lane];
    return g->base + (uintptr_t)((int64_t)lane * g->stride);
}

void check_group_addresses(const struct group *g, uintptr_t p[WARP])
{
    if (g->stride == DETAILED)
        memcpy(p, details[g->base], sizeof details[g->base]);
    else
        for (unsigned i = 0; i < WARP; i++)
            p[i] = group_address(g, i);
}

/* Gives a group a list of its lanes' addresses; false where there are too many. */
static bool make_detailed(struct group *g)
{
    if (detail_count == MAX_DETAILS)
        return false;
    if (detail_count == detail_room) {
        detail_room = detail_room ? 2 * detail_room : 256;
        details = realloc(details, detail_room * sizeof *details);
        if (!details)
            abort();
    }
    for (unsigned i = 0; i < WARP; i++)
        if (g->lanes >> i & 1)
            details[detail_count][i] = group_address(g, i);
    g->base = detail_count++;
    g->stride = DETAILED;
    return true;
}

bool check_group_join(struct group *g, uintptr_t p)
{
    if (g->stride == ONE_LANE) {
        int64_t lanes = check_now.lane - __builtin_ctz(g->lanes);
        int64_t distance = (int64_t)(p - ~g->base);
        int64_t stride = distance / lanes;
        if (distance % lanes == 0 && stride > DETAILED && stride <= INT32_MAX) {
            g->base = p - (uintptr_t)(check_now.lane * stride);
            g->stride = (int32_t)stride;
        }
    }
    if (g->stride == ONE_LANE ||
        (g->stride != DETAILED && group_address(g, (unsigned)check_now.lane) != p))
        if (!make_detailed(g))
            return false;
    if (g->stride == DETAILED)
        details[g->base][check_now.lane] = p;
    g->lanes |= check_now.lane_bit;
    return true;
}

void check_details_forget(void)
{
    detail_count = 0;
}
