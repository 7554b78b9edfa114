/* Warps: lanes that meet for a shuffle, a vote or __syncwarp. The last one that comes serves all.
 */
#include "device/runtime/runtime.h"
#include "device/runtime/mode.h"

#ifdef DEV_CHECK
/* Lanes that meet, but at different places: each waits for the other's way. */
static void look_at_meeting(struct worker *w, const struct dev_warp *warp, unsigned lanes)
{
    unsigned first = (unsigned)__builtin_ctz(lanes), waiting = 0, other = DEV_WARP;
    for (unsigned k = first; k < DEV_WARP; k++) {
        bool same = warp->lane[k].site.line == warp->lane[first].site.line;
        if (lanes >> k & 1 && same)
            waiting++;
        else if (lanes >> k & 1 && other == DEV_WARP)
            other = k;
    }
    if (other < DEV_WARP)
        check_divergent(&w->pub, warp->lane[first].site, waiting, &warp->lane[other].site,
                        (unsigned)(warp - w->warps) * DEV_WARP + other);
}
#endif

/* Release the lanes that `lane` waits for, if all of them that live are there. */
static bool release_if_complete(struct worker *w, struct dev_warp *warp, unsigned lane)
{
    (void)w;
    unsigned wanted = warp->lane[lane].mask & warp->exists & ~warp->ended;
    if ((wanted & warp->meets) != wanted)
        return false;
    MODE_CHECK(look_at_meeting(w, warp, wanted));
    dev_warp_release(warp, wanted);
    MODE_CHECK(check_warp_met(&w->pub, wanted));
    return true;
}

void dev_warps_thread_ended(struct worker *w)
{
    struct dev_warp *warp = warp_of(w, w->pub.thread);
    warp->ended |= bit_of(w->pub.thread);
    for (unsigned k = 0; k < DEV_WARP && warp->meets; k++)
        if (warp->meets & (1u << k))
            release_if_complete(w, warp, k);
}

/* The running lane waits for the others of `mask`; returns when they have met. */
static struct dev_lane *meet(enum dev_meeting what, unsigned mask, uint64_t value, unsigned source,
                             uint64_t *values, struct dev_site site)
{
    struct worker *w = running_worker();
    if (!w->pub.meets)
        dev_warps_take_over(w);
    unsigned thread = w->pub.thread;
    struct dev_warp *warp = warp_of(w, thread);
    struct dev_lane *l = &warp->lane[thread % DEV_WARP];
    *l = (struct dev_lane){.what = what,
                           .mask = mask | bit_of(thread),
                           .value = value,
                           .source = source % DEV_WARP,
                           .values = values,
                           .site = site};
    struct dev_fiber *me = w->pub.current;
    me->site = site;
    w->of[thread] = me;
    if (what == DEV_ACTIVE) {
        l->where = MODE_PATH(me) * UINT64_C(0x9E3779B97F4A7C15) + dev_chain();
        warp->asks |= bit_of(thread);
    } else {
        warp->meets |= bit_of(thread);
    }
    if (what != DEV_ACTIVE && release_if_complete(w, warp, thread % DEV_WARP)) {
        warp->ready &= ~bit_of(thread);
        return l;
    }
    struct dev_fiber *next = dev_warps_pick(w);
    if (next != me) {
        w->picked = next;
        dev_fiber_wait(w, next);
        w->picked = me;
    }
    return l;
}

void dev_warp_sync(unsigned mask, struct dev_site site)
{
    meet(DEV_SYNC, mask, 0, 0, NULL, site);
}

uint64_t dev_warp_shuffle(unsigned mask, uint64_t value, unsigned source, struct dev_site site)
{
    return meet(DEV_SHUFFLE, mask, value, source, NULL, site)->result;
}

unsigned dev_warp_ballot(unsigned mask, int value, struct dev_site site)
{
    return (unsigned)meet(DEV_BALLOT, mask, value != 0, 0, NULL, site)->result;
}

unsigned dev_warp_gather(unsigned mask, uint64_t value, uint64_t values[32], struct dev_site site)
{
    return (unsigned)meet(DEV_GATHER, mask, value, 0, values, site)->result;
}

unsigned dev_warp_active(struct dev_site site)
{
    return (unsigned)meet(DEV_ACTIVE, 0, 0, 0, NULL, site)->result;
}
