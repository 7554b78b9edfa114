/* Warps: lanes that meet for a shuffle, a vote or __syncwarp, and the scheduler that a block with
 * such meetings is under. Each thread then has a fiber of its own; whoever waits goes on with a
 * lane of the same warp that may run, else with a thread that has not begun, else with another
 * warp. */
#include <stdlib.h>

#include "device/runtime/internal.h"
#include "device/runtime/mode.h"

static struct worker *here(void)
{
    return (struct worker *)dev_self;
}

static unsigned bit_of(unsigned thread)
{
    return 1u << (thread % DEV_WARP);
}

static struct dev_warp *warp_of(struct worker *w, unsigned thread)
{
    return &w->warps[thread / DEV_WARP];
}

static unsigned n_warps(const struct worker *w)
{
    return (w->pub.threads + DEV_WARP - 1) / DEV_WARP;
}

void warps_begin(struct worker *w)
{
    for (unsigned k = 0; k < n_warps(w); k++) {
        struct dev_warp *warp = &w->warps[k];
        unsigned lanes = w->pub.threads - k * DEV_WARP;
        warp->exists = lanes >= DEV_WARP ? 0xffffffffu : (1u << lanes) - 1;
        warp->ended = warp->at_barrier = warp->meets = warp->ready = 0;
    }
    w->pub.meets = true;
    w->used_fibers = 0;
    w->waiting = 0;
}

void warps_take_over(struct worker *w)
{
    struct dev_fiber *me = w->pub.current, *home = &w->pub.home;
    bool all_begun = w->pub.started == w->pub.threads, before = true;
    w->kernel->meets = true;
    warps_begin(w);
    for (unsigned t = 0; t < w->pub.started; t++)
        warp_of(w, t)->ended |= bit_of(t);
    for (struct dev_fiber *f = home->next, *next; f != home; f = next) {
        next = f->next;
        unsigned thread = f == me ? w->pub.thread : f->thread;
        struct dev_warp *warp = warp_of(w, thread);
        warp->ended &= ~bit_of(thread);
        w->of[thread] = f;
        f->next = home;
        f->busy = true;
        w->used_fibers = (unsigned)(f - w->fibers) + 1 > w->used_fibers
                             ? (unsigned)(f - w->fibers) + 1
                             : w->used_fibers;
        if (f == me) {
            before = false;
            me->waits = DEV_WAITS_BLOCK;
            w->picked = me;
            if (!all_begun)
                break; /* those behind are fresh */
        } else if (before) {
            warp->at_barrier |= bit_of(thread);
            w->waiting++;
        } else {
            warp->ready |= bit_of(thread);
        }
    }
}

/* Give a lane that meets what it came for. */
static void serve(struct dev_warp *warp, unsigned group, struct dev_lane *l)
{
    switch (l->what) {
    case DEV_SHUFFLE:
        l->result = group & (1u << l->source) ? warp->lane[l->source].value : l->value;
        break;
    case DEV_BALLOT:
        l->result = 0;
        for (unsigned k = 0; k < DEV_WARP; k++)
            if ((group & (1u << k)) && warp->lane[k].value)
                l->result |= 1u << k;
        break;
    case DEV_GATHER:
        l->result = group;
        for (unsigned k = 0; k < DEV_WARP; k++)
            l->values[k] = group & (1u << k) ? warp->lane[k].value : 0;
        break;
    case DEV_SYNC:
        break;
    }
}

static void release(struct dev_warp *warp, unsigned group)
{
    for (unsigned k = 0; k < DEV_WARP; k++)
        if (group & (1u << k))
            serve(warp, group, &warp->lane[k]);
    warp->meets &= ~group;
    warp->ready |= group;
}

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
static bool complete(struct worker *w, struct dev_warp *warp, unsigned lane)
{
    (void)w;
    unsigned wanted = warp->lane[lane].mask & warp->exists & ~warp->ended;
    if ((wanted & warp->meets) != wanted)
        return false;
    MODE_CHECK(look_at_meeting(w, warp, wanted));
    release(warp, wanted);
    MODE_CHECK(check_warp_met(&w->pub, wanted));
    return true;
}

void warps_thread_ended(struct worker *w)
{
    struct dev_warp *warp = warp_of(w, w->pub.thread);
    warp->ended |= bit_of(w->pub.thread);
    for (unsigned k = 0; k < DEV_WARP && warp->meets; k++)
        if (warp->meets & (1u << k))
            complete(w, warp, k);
}

static struct dev_fiber *pick_of(struct worker *w, unsigned k, unsigned after)
{
    struct dev_warp *warp = &w->warps[k];
    unsigned later = after < 31 ? warp->ready & ~((2u << after) - 1) : 0;
    unsigned lane = (unsigned)__builtin_ctz(later ? later : warp->ready);
    warp->ready &= ~(1u << lane);
    return w->of[k * DEV_WARP + lane];
}

/* Nobody may go on though some wait: lanes of a mask that will never be complete. They go on by
 * themselves, as they do on a GPU where the rest of the warp has taken another way. */
static bool release_stuck(struct worker *w)
{
    for (unsigned k = 0; k < n_warps(w); k++) {
        struct dev_warp *warp = &w->warps[k];
        if (!warp->meets)
            continue;
        unsigned first = (unsigned)__builtin_ctz(warp->meets);
        unsigned group = warp->meets & warp->lane[first].mask;
#ifdef DEV_CHECK
        unsigned missing = warp->lane[first].mask & warp->exists & ~warp->ended & ~group;
        unsigned other = k * DEV_WARP + (unsigned)__builtin_ctz(missing ? missing : 1u);
        check_divergent(&w->pub, warp->lane[first].site, (unsigned)__builtin_popcount(group),
                        missing && (warp->at_barrier & missing) ? &w->of[other]->site : NULL,
                        other);
#endif
        release(warp, group);
        return true;
    }
    return false;
}

#ifdef DEV_CHECK
static void look_at_barrier(struct worker *w)
{
    struct dev_site first = {0}, elsewhere = {0};
    unsigned waiting = 0, other = 0, ended = w->pub.threads;
    for (unsigned t = 0; t < w->pub.threads; t++) {
        if (!(warp_of(w, t)->at_barrier & bit_of(t))) {
            ended = t;
            continue;
        }
        struct dev_site site = w->of[t]->site;
        if (!first.file)
            first = site;
        if (site.line == first.line) {
            waiting++;
        } else if (!elsewhere.file) {
            elsewhere = site;
            other = t;
        }
    }
    if (elsewhere.file)
        check_divergent(&w->pub, first, waiting, &elsewhere, other);
    else if (ended < w->pub.threads)
        check_divergent(&w->pub, first, waiting, NULL, ended);
    check_barrier_passed(&w->pub, first);
}
#endif

static void pass_barrier(struct worker *w)
{
    MODE_CHECK(look_at_barrier(w));
    barrier_passed(w);
    for (unsigned k = 0; k < n_warps(w); k++) {
        w->warps[k].ready |= w->warps[k].at_barrier;
        w->warps[k].at_barrier = 0;
    }
    w->waiting = 0;
}

/* Who runs next, taken out of `ready`; NULL when all threads have ended. */
static struct dev_fiber *pick(struct worker *w)
{
    unsigned mine = w->pub.thread / DEV_WARP, lane = w->pub.thread % DEV_WARP;
    for (;;) {
        if (w->pub.started > 0 && w->warps[mine].ready)
            return pick_of(w, mine, lane);
        if (w->pub.started < w->pub.threads)
            return &w->fibers[w->used_fibers++];
        for (unsigned k = 0; k < n_warps(w); k++) {
            unsigned next = (mine + k) % n_warps(w);
            if (w->warps[next].ready)
                return pick_of(w, next, 31);
        }
        if (!release_stuck(w)) {
            if (w->waiting == 0)
                return NULL;
            pass_barrier(w);
            mine = 0;
            lane = 31;
        }
    }
}

void warps_block(struct worker *w)
{
    bool taken_over = w->pub.started > 0;
    for (;;) {
        /* Back here: whoever ran waits at the block's barrier, or has ended and was counted. */
        struct dev_fiber *f = w->picked;
        if (taken_over && f->waits == DEV_WAITS_BLOCK) {
            struct dev_warp *warp = warp_of(w, f->thread);
            warp->at_barrier |= bit_of(f->thread);
            w->of[f->thread] = f;
            w->waiting++;
        }
        taken_over = true;
        if (w->abandoned || !(w->picked = pick(w)))
            return;
        w->picked->waits = DEV_WAITS_BLOCK;
        fiber_go(w, w->picked);
    }
}

/* The running lane waits for the others of `mask`; returns when they have met. */
static struct dev_lane *meet(enum dev_meeting what, unsigned mask, uint64_t value, unsigned source,
                             uint64_t *values, struct dev_site site)
{
    struct worker *w = here();
    if (!w->pub.meets)
        warps_take_over(w);
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
    warp->meets |= bit_of(thread);
    if (complete(w, warp, thread % DEV_WARP)) {
        warp->ready &= ~bit_of(thread);
        return l;
    }
    struct dev_fiber *next = pick(w);
    if (next != me) {
        me->waits = DEV_WAITS_WARP;
        next->waits = DEV_WAITS_BLOCK; /* where it will be if it comes back by the scheduler */
        w->picked = next;
        fiber_wait(w, next);
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

unsigned dev_warp_active(void)
{
    struct worker *w = here();
    if (!w->pub.meets)
        warps_take_over(w);
    struct dev_warp *warp = warp_of(w, w->pub.thread);
    return warp->exists & ~warp->ended;
}
