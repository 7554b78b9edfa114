/* Check mode: whether lanes that meet do so as CUDA defines it. */
#include "device/runtime/runtime.h"
#include "device/runtime/mode.h"

#ifdef DEV_CHECK
void dev_left(void)
{
    struct worker *w = running_worker();
    w->left[w->pub.thread / DEV_WARP] |= bit_of(w->pub.thread);
}

/* Whether all of them came to one place by one mask. */
static bool are_alike(const struct dev_warp *warp, unsigned lanes)
{
    const struct dev_lane *first = &warp->lane[__builtin_ctz(lanes)];
    unsigned other = 0;
    for (unsigned left = lanes; left; left &= left - 1) {
        const struct dev_lane *l = &warp->lane[__builtin_ctz(left)];
        other |= (unsigned)(l->site.line ^ first->site.line) | (l->mask ^ first->mask);
    }
    return other == 0;
}

/* Lanes that meet, but at different places: each waits for the other's way. Or at the same, but by
 * different masks. */
static void look_at_lanes(struct worker *w, const struct dev_warp *warp, unsigned lanes)
{
    unsigned first = (unsigned)__builtin_ctz(lanes), waiting = 0, other = DEV_WARP;
    unsigned base = (unsigned)(warp - w->warps) * DEV_WARP;
    if (are_alike(warp, lanes))
        return;
    for (unsigned k = first; k < DEV_WARP; k++) {
        bool same = warp->lane[k].site.line == warp->lane[first].site.line;
        if (!(lanes >> k & 1))
            continue;
        waiting += same;
        if (!same && other == DEV_WARP)
            other = k;
        if (same && warp->lane[k].mask != warp->lane[first].mask)
            check_masks_differ(&w->pub, warp->lane[first].site,
                               (const unsigned[]){base + first, base + k},
                               (const unsigned[]){warp->lane[first].mask, warp->lane[k].mask});
    }
    if (other < DEV_WARP)
        check_divergent(&w->pub, warp->lane[first].site, waiting, &warp->lane[other].site,
                        base + other, true);
}

static enum dev_absent why_absent(const struct dev_warp *warp, unsigned mask, unsigned source)
{
    if (!(warp->exists >> source & 1))
        return DEV_ABSENT_NONE;
    if (!(mask >> source & 1))
        return DEV_ABSENT_UNNAMED;
    return warp->ended >> source & 1 ? DEV_ABSENT_LEFT : DEV_ABSENT_ELSEWHERE;
}

/* Shuffles from lanes that are not there. Of a shuffle down by d, only the first d lanes' results
 * are looked at: in a sum by halves, the others' are of no use to anybody. */
static void look_at_shuffles(struct worker *w, const struct dev_warp *warp, unsigned lanes)
{
    unsigned first = (unsigned)__builtin_ctz(lanes);
    unsigned base = (unsigned)(warp - w->warps) * DEV_WARP;
    for (unsigned k = first; k < DEV_WARP; k++) {
        const struct dev_lane *l = &warp->lane[k];
        if (!(lanes >> k & 1) || l->what != DEV_SHUFFLE || lanes >> l->source & 1)
            continue;
        if (!l->down || k - first < l->source - k)
            check_shuffle_undefined(&w->pub, l->site, base + k, l->source,
                                    why_absent(warp, l->mask, l->source));
    }
}

void dev_masks_met(struct worker *w, const struct dev_warp *warp, unsigned lanes)
{
    unsigned base = (unsigned)(warp - w->warps) * DEV_WARP;
    const struct dev_lane *first = &warp->lane[__builtin_ctz(lanes)];
    unsigned missing = first->mask & warp->exists & ~lanes & ~w->left[base / DEV_WARP];
    look_at_lanes(w, warp, lanes);
    if (missing)
        check_lane_missing(&w->pub, first->site, first->mask,
                           base + (unsigned)__builtin_ctz(missing));
    if (lanes != UINT32_MAX)
        look_at_shuffles(w, warp, lanes);
}

void dev_masks_stuck(struct worker *w, const struct dev_warp *warp, unsigned lanes)
{
    unsigned base = (unsigned)(warp - w->warps) * DEV_WARP;
    const struct dev_lane *first = &warp->lane[__builtin_ctz(lanes)];
    unsigned missing = first->mask & warp->exists & ~warp->ended & ~lanes;
    look_at_lanes(w, warp, lanes);
    if (!missing)
        return;
    unsigned other = (unsigned)__builtin_ctz(missing);
    bool waits = (warp->at_barrier | warp->meets) >> other & 1;
    check_divergent(&w->pub, first->site, (unsigned)__builtin_popcount(lanes),
                    waits ? &w->of[base + other]->site : NULL, base + other, true);
}
#endif
