/* Meetings: lanes of a warp, each of which gets what it came for, their turns at volatile accesses,
 * and a block at its barrier. */

#include "device/runtime/runtime.h"

/* The lanes of a group that bring another value than 0. */
static unsigned votes_of(const struct dev_warp *warp, unsigned group)
{
    unsigned votes = 0;
    for (unsigned k = 0; k < DEV_WARP; k++)
        votes |= (unsigned)(warp->lane[k].value != 0) << k;
    return votes & group;
}

/* Give a lane that meets what it came for. */
static void serve_lane(struct dev_warp *warp, unsigned group, struct dev_lane *l)
{
    switch (l->what) {
    case DEV_SHUFFLE:
        l->result = group & (1u << l->source) ? warp->lane[l->source].value : 0;
        break;
    case DEV_BALLOT:
        l->result = votes_of(warp, group);
        break;
    case DEV_GATHER:
        l->result = group;
        for (unsigned k = 0; k < DEV_WARP; k++)
            l->values[k] = group & (1u << k) ? warp->lane[k].value : 0;
        break;
    case DEV_ACTIVE:
        l->result = group;
        break;
    case DEV_SYNC:
        break;
    }
}

void dev_warp_release(struct dev_warp *warp, unsigned group)
{
    const struct dev_lane *voted = NULL; /* they all get the same */
    for (unsigned left = group; left; left &= left - 1) {
        struct dev_lane *l = &warp->lane[__builtin_ctz(left)];
        if (l->what == DEV_BALLOT && voted) {
            l->result = voted->result;
            continue;
        }
        serve_lane(warp, group, l);
        if (l->what == DEV_BALLOT)
            voted = l;
    }
    warp->meets &= ~group;
    warp->asks &= ~group;
    warp->ready |= group;
}

void dev_barrier_passed(struct worker *w)
{
    w->pub.epoch++;
    w->votes[w->pub.epoch & 1] = (struct dev_votes){.all = 1};
}

static bool is_in(int line, const struct dev_loop *l)
{
    return line >= l->first && line <= l->last;
}

void dev_turn_noted(struct worker *w, int line, const int *loops, int n_loops)
{
    struct dev_rounds *r = &w->rounds[w->pub.thread], was = *r;
    const bool known = was.launch == w->pub.launch->number && was.block == w->pub.block;
    r->launch = w->pub.launch->number;
    r->block = w->pub.block;
    r->line = line;
    r->n = n_loops < DEV_MOST_LOOPS ? n_loops : DEV_MOST_LOOPS;
    int back = -1; /* the innermost loop that a step back in the file has begun anew */
    for (int k = 0; k < r->n; k++) {
        r->loop[k] = (struct dev_loop){loops[2 * k], loops[2 * k + 1], 0};
        if (known && line < was.line && is_in(was.line, &r->loop[k]))
            back = k;
    }
    for (int k = 0; known && k < r->n && k < was.n && (back < 0 || k <= back); k++) {
        if (was.loop[k].first != r->loop[k].first || was.loop[k].last != r->loop[k].last)
            break;
        r->loop[k].round = was.loop[k].round + (k == back);
    }
}

/* Whether a is behind b: -1, as far as b: 0, ahead: 1. */
static int compare(const struct dev_rounds *a, const struct dev_rounds *b)
{
    for (int k = 0; k < a->n && k < b->n; k++) {
        const struct dev_loop *x = &a->loop[k], *y = &b->loop[k];
        if (x->first != y->first || x->last != y->last)
            break;
        if (x->round != y->round)
            return x->round < y->round ? -1 : 1;
    }
    return a->line < b->line ? -1 : a->line > b->line;
}

bool dev_turns_release(struct worker *w)
{
    bool released = false;
    for (unsigned k = 0; k < (w->pub.threads + DEV_WARP - 1) / DEV_WARP; k++) {
        struct dev_warp *warp = &w->warps[k];
        const struct dev_rounds *of = &w->rounds[k * DEV_WARP], *behind = NULL;
        unsigned first = 0;
        for (unsigned left = warp->turns; left; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctz(left);
            const int order = behind ? compare(&of[i], behind) : -1;
            if (order <= 0) {
                first = order < 0 ? 1u << i : first | 1u << i;
                behind = &of[i];
            }
        }
        released |= first != 0;
        warp->ready |= first;
        warp->turns &= ~first;
    }
    return released;
}
