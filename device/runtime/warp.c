/* Warps: lanes that meet for a shuffle, a vote or __syncwarp. The last one that comes serves all.
 */
#include "device/runtime/fiber.h"
#include "device/runtime/mode.h"

/* Whether lanes that wait name each other and nobody else that lives. Those of other masks wait
 * somewhere else, and may come here later. */
static bool agree(const struct dev_warp *warp, unsigned wanted, unsigned mask)
{
    unsigned other = 0;
    for (unsigned left = wanted; left; left &= left - 1)
        other |= warp->lane[__builtin_ctz(left)].mask ^ mask;
    return (other & warp->exists & ~warp->ended) == 0;
}

/* Release the lanes that `lane` waits for, if all of them that live are there for each other. */
static bool release_if_complete(struct worker *w, struct dev_warp *warp, unsigned lane)
{
    (void)w;
    unsigned wanted = warp->lane[lane].mask & warp->exists & ~warp->ended;
    if ((wanted & warp->meets) != wanted ||
        (warp->mixed && !agree(warp, wanted, warp->lane[lane].mask)))
        return false;
    MODE_CHECK(dev_masks_met(w, warp, wanted));
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

/* Others run; returns when the running lane, which is on the fiber `me`, is picked again. */
__attribute__((always_inline)) static inline void let_others(struct worker *w, struct dev_fiber *me)
{
    struct dev_warp *warp = warp_of(w, w->pub.thread);
    struct dev_fiber *next =
        warp->ready ? dev_warp_take(w, w->pub.thread / DEV_WARP, w->pub.thread) : dev_warps_pick(w);
    if (next != me) {
        w->picked = next;
        dev_fiber_wait(w, next);
        w->picked = me;
    }
}

void dev_warp_turn(int line, const int *loops, int n_loops)
{
    struct worker *w = running_worker();
    if (!w->pub.meets)
        dev_warps_take_over(w);
    dev_turn_noted(w, line, loops, n_loops);
    warp_of(w, w->pub.thread)->turns |= bit_of(w->pub.thread);
    w->of[w->pub.thread] = w->pub.current;
    let_others(w, w->pub.current);
}

void dev_look_again(struct dev_site site)
{
    struct worker *w = running_worker();
    const unsigned threads = w->pub.started - w->pub.ended;
    if (w->pub.threads > 1) {
        if (!w->pub.meets)
            dev_warps_take_over(w);
        warp_of(w, w->pub.thread)->looks |= bit_of(w->pub.thread);
        w->of[w->pub.thread] = w->pub.current;
        let_others(w, w->pub.current);
    }
    if (w->pub.started - w->pub.ended == threads) {
        w->blocks->needed(w, site);
    } else {
        w->looks_since = 0;
        w->pub.found++;
    }
}

void dev_blocks_looked(struct dev_site site)
{
    struct worker *w = running_worker();
    w->blocks->needed(w, site);
}

/* The running lane waits for the others of `mask`; returns when they have met. It is part of each
 * of its callers, so that what they give stays in registers. */
static inline __attribute__((always_inline)) struct dev_lane *
meet(enum dev_meeting what, unsigned mask, uint64_t value, unsigned source, uint64_t *values,
     struct dev_site site)
{
    struct worker *w = running_worker();
    if (__builtin_expect(!w->pub.meets, 0))
        dev_warps_take_over(w);
    unsigned thread = w->pub.thread;
    struct dev_warp *warp = warp_of(w, thread);
    struct dev_lane *l = &warp->lane[thread % DEV_WARP];
    struct dev_fiber *me = w->pub.current;
    l->what = what;
    l->mask = mask | bit_of(thread);
    l->value = value;
    l->source = source % DEV_WARP;
    l->values = values;
    if (what == DEV_ACTIVE)
        l->site = site;
    MODE_CHECK(l->down = source >= DEV_WARP);
    MODE_CHECK(l->site = site);
    MODE_CHECK(me->site = site); /* a copy of the copy would have to wait for it */
    w->of[thread] = me;
    if (what != DEV_ACTIVE && !(mask & bit_of(thread)))
        MODE_CHECK(check_lane_unnamed(&w->pub, site, mask));
    if (what == DEV_ACTIVE) {
        l->where = MODE_PATH(me) * UINT64_C(0x9E3779B97F4A7C15) + dev_chain();
        warp->asks |= bit_of(thread);
    } else {
        warp->mixed = warp->meets ? warp->mixed | (warp->last_mask ^ l->mask) : 0;
        warp->last_mask = l->mask;
        warp->meets |= bit_of(thread);
    }
    if (what != DEV_ACTIVE && release_if_complete(w, warp, thread % DEV_WARP)) {
        warp->ready &= ~bit_of(thread);
        return l;
    }
    let_others(w, me);
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
