/* Meetings: lanes of a warp, each of which gets what it came for, and a block at its barrier. */
#include "device/runtime/runtime.h"

/* Give a lane that meets what it came for. */
static void serve_lane(struct dev_warp *warp, unsigned group, struct dev_lane *l)
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
    case DEV_ACTIVE:
        l->result = group;
        break;
    case DEV_SYNC:
        break;
    }
}

void dev_warp_release(struct dev_warp *warp, unsigned group)
{
    for (unsigned k = 0; k < DEV_WARP; k++)
        if (group & (1u << k))
            serve_lane(warp, group, &warp->lane[k]);
    warp->meets &= ~group;
    warp->asks &= ~group;
    warp->ready |= group;
}

void dev_barrier_passed(struct worker *w)
{
    w->pub.epoch++;
    w->votes[w->pub.epoch & 1] = (struct dev_votes){.all = 1};
}
