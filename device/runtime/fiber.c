/* Fibers (switch.h, fiber.h): how they are made, switched to and left; barriers, which are switches
 * along the ring. */
#include <stdlib.h>

#include "device/runtime/fiber.h"
#include "device/runtime/mode.h"

void dev_fiber_reset(struct dev_fiber *f)
{
    /* As if called: a return address of 0 on the stack, where a debugger stops looking. */
    void **stack = (void **)f->top - 1;
    mode_unpoison(f->bottom, (size_t)((char *)f->top - (char *)f->bottom));
    *stack = NULL;
    f->at = (void *)dev_fiber_main;
#if defined(__x86_64__)
    f->stack = stack;
#else
    f->stack = f->top;
#endif
    f->frame = NULL;
    f->waits = DEV_IDLE;
    f->sanitizer = NULL;
    f->path = 0;
}

void dev_ring_make(struct worker *w)
{
    for (unsigned k = 0; k < w->pub.threads; k++) {
        dev_fiber_reset(&w->fibers[k]);
        w->fibers[k].next = &w->fibers[k + 1];
    }
    w->fibers[w->pub.threads - 1].next = &w->pub.home;
}

#ifdef DEV_ASAN
void dev_fiber_leaves(struct dev_fiber *from, const struct dev_fiber *to, struct worker *w,
                      bool ended)
{
    const char *bottom = to->bottom;
    size_t bytes = to->bottom ? (size_t)((char *)to->top - bottom) : 0;
    if (to == &w->pub.home) {
        bottom = w->home_bottom;
        bytes = w->home_bytes;
    }
    __sanitizer_start_switch_fiber(ended ? NULL : &from->sanitizer, bottom, bytes);
}
void dev_fiber_arrives(struct dev_fiber *f, struct worker *w)
{
    const void *bottom;
    size_t bytes;
    __sanitizer_finish_switch_fiber(f->sanitizer, &bottom, &bytes);
    if (!w->home_bottom) { /* the first switch is from the OS thread's own stack */
        w->home_bottom = bottom;
        w->home_bytes = bytes;
    }
}
#endif

void dev_barrier(struct dev_site site)
{
    struct worker *w = running_worker();
    w->pub.current->site = site;
#ifdef DEV_CHECK
    if (w->alike == 0)
        w->here = site;
    w->alike += site.line == w->here.line && site.file == w->here.file;
#endif
    dev_fiber_wait(w, w->pub.current->next);
}

struct dev_votes dev_barrier_votes(int value, struct dev_site site)
{
    struct worker *w = running_worker();
    struct dev_votes *v = &w->votes[w->pub.epoch & 1];
    v->sum += value != 0;
    v->all &= value != 0;
    v->any |= value != 0;
    dev_barrier(site);
    return *v;
}

void dev_fiber_main(void)
{
    struct worker *w = running_worker();
    dev_fiber_arrives(w->pub.current, w);
    w->run(&w->pub);
    abort(); /* it never returns */
}

void dev_fiber_abandon(struct worker *w)
{
    dev_fiber_leaves(w->pub.current, &w->pub.home, w, true);
    w->pub.current = &w->pub.home;
    dev_switch(&w->nowhere, &w->pub.home);
    abort(); /* nobody switches back */
}
