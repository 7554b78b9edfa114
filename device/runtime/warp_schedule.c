/* The scheduler that a block is under whose warps meet: each thread has a fiber of its own. Whoever
 * waits goes on with a lane of the same warp that may run, else with a thread that has not begun,
 * else with another warp. */
#include <limits.h>
#include <string.h>

#include "device/runtime/fiber.h"
#include "device/runtime/mode.h"

static unsigned n_warps(const struct worker *w)
{
    return (w->pub.threads + DEV_WARP - 1) / DEV_WARP;
}

void dev_warps_begin(struct worker *w)
{
    for (unsigned k = 0; k < n_warps(w); k++) {
        struct dev_warp *warp = &w->warps[k];
        unsigned lanes = w->pub.threads - k * DEV_WARP;
        warp->exists = lanes >= DEV_WARP ? 0xffffffffu : (1u << lanes) - 1;
        warp->ended = warp->at_barrier = warp->meets = warp->asks = warp->turns = warp->ready = 0;
        warp->looks = 0;
    }
    w->used_fibers = 0;
    w->waiting = 0;
}

void dev_warps_only(struct worker *w)
{
    w->pub.meets = true;
    for (unsigned k = 0; k < w->pub.threads; k++)
        w->fibers[k].next = &w->pub.home;
}

void dev_warps_take_over(struct worker *w)
{
    const struct dev_fiber *me = w->pub.current;
    w->kernel->meets = true;
    dev_warps_begin(w);
    dev_warps_only(w);
    for (unsigned k = 0; k < w->pub.started; k++) {
        unsigned thread = w->reordered ? w->order[k] : k;
        warp_of(w, thread)->ended |= bit_of(thread);
    }
    w->picked = w->pub.current;
    for (struct dev_fiber *f = w->fibers; f < w->fibers + w->pub.threads; f++) {
        if (f->waits == DEV_IDLE)
            continue;
        unsigned thread = f == me ? w->pub.thread : f->thread;
        struct dev_warp *warp = warp_of(w, thread);
        warp->ended &= ~bit_of(thread);
        w->of[thread] = f;
        w->used_fibers = (unsigned)(f - w->fibers) + 1;
        if (f < me) { /* it was its turn in this phase */
            warp->at_barrier |= bit_of(thread);
            w->waiting++;
        } else if (f > me) { /* waits at a barrier that all have reached */
            warp->ready |= bit_of(thread);
        }
    }
}

static bool same_site(struct dev_site a, struct dev_site b)
{
    return a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0);
}

/* Nobody may go on: lanes that ask who is with them at a place need not wait for others to come
 * there. Together are those that came there by the same calls, in the same rounds of loops. */
static bool release_asking(struct worker *w)
{
    bool released = false;
    for (unsigned k = 0; k < n_warps(w); k++) {
        struct dev_warp *warp = &w->warps[k];
        while (warp->asks) {
            const struct dev_lane *first = &warp->lane[__builtin_ctz(warp->asks)];
            unsigned group = 0;
            for (unsigned i = 0; i < DEV_WARP; i++)
                if (warp->asks >> i & 1 && same_site(warp->lane[i].site, first->site) &&
                    warp->lane[i].where == first->where)
                    group |= 1u << i;
            dev_warp_release(warp, group);
            released = true;
        }
    }
    return released;
}

/* Nobody may go on but those that look for what others do: they look again. */
static bool release_looking(struct worker *w)
{
    bool released = false;
    for (unsigned k = 0; k < n_warps(w); k++) {
        released |= w->warps[k].looks != 0;
        w->warps[k].ready |= w->warps[k].looks;
        w->warps[k].looks = 0;
    }
    return released;
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
        MODE_CHECK(dev_masks_stuck(w, warp, group));
        dev_warp_release(warp, group);
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
        check_divergent(&w->pub, first, waiting, &elsewhere, other, false);
    else if (ended < w->pub.threads)
        check_divergent(&w->pub, first, waiting, NULL, ended, false);
    check_barrier_passed(&w->pub, first);
}
#endif

static void pass_barrier(struct worker *w)
{
    MODE_CHECK(look_at_barrier(w));
    dev_barrier_passed(w);
    for (unsigned k = 0; k < n_warps(w); k++) {
        w->warps[k].ready |= w->warps[k].at_barrier;
        w->warps[k].at_barrier = 0;
    }
    w->waiting = 0;
}

/* Who runs next, taken out of `ready`; NULL when all threads have ended. */
struct dev_fiber *dev_warps_pick(struct worker *w)
{
    unsigned mine = w->pub.thread / DEV_WARP, lane = w->pub.thread % DEV_WARP;
    for (;;) {
        if (w->pub.started > 0 && w->warps[mine].ready)
            return dev_warp_take(w, mine, lane);
        if (w->pub.started < w->pub.threads)
            return &w->fibers[w->used_fibers++];
        for (unsigned k = 0; k < n_warps(w); k++) {
            unsigned next = (mine + k) % n_warps(w);
            if (w->warps[next].ready)
                return dev_warp_take(w, next, 31);
        }
        if (!dev_turns_release(w) && !release_asking(w) && !release_looking(w) &&
            !release_stuck(w)) {
            if (w->waiting == 0)
                return NULL;
            pass_barrier(w);
            mine = 0;
            lane = 31;
        }
    }
}

void dev_warps_block(struct worker *w)
{
    bool back = w->pub.started > 0; /* the block was taken over */
    for (;; back = true) {
        /* Back here: whoever ran last has ended its thread, else it waits at the block's barrier.
         */
        struct dev_fiber *f = w->picked;
        if (back && f->waits != DEV_IDLE) {
            struct dev_warp *warp = warp_of(w, f->thread);
            warp->at_barrier |= bit_of(f->thread);
            w->of[f->thread] = f;
            w->waiting++;
        }
        if (w->abandoned || !(w->picked = dev_warps_pick(w)))
            return;
        dev_fiber_go(w, w->picked);
    }
}
