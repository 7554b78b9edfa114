/* A worker's fibers (fiber.c): made, gone on with and left, by the switch of switch.h. */
#ifndef HPC_DEVICE_FIBER_H
#define HPC_DEVICE_FIBER_H

#include "device/runtime/runtime.h"
#include "device/runtime/switch.h"

void dev_fiber_reset(struct dev_fiber *f); /* fresh: it begins with dev_fiber_main */
void dev_ring_make(struct worker *w); /* of as many fresh fibers as there are threads in a block */
/* Switch to `to`; returns that which runs, when somebody switches back to it. dev_fiber_wait: for a
 * thread, which gets its threadIdx back. */
static inline struct dev_fiber *dev_fiber_go(struct worker *w, struct dev_fiber *to);
static inline void dev_fiber_wait(struct worker *w, struct dev_fiber *to);
void dev_fiber_main(void) __attribute__((noreturn));
/* The running fiber is left for good; the worker goes on, on its own stack. */
void dev_fiber_abandon(struct worker *w) __attribute__((noreturn));

#ifdef DEV_ASAN
void dev_fiber_leaves(struct dev_fiber *from, const struct dev_fiber *to, struct worker *w,
                      bool ended);
void dev_fiber_arrives(struct dev_fiber *f, struct worker *w);
#else
#define dev_fiber_leaves(from, to, w, ended) ((void)0)
#define dev_fiber_arrives(f, w)              ((void)0)
#endif
/* A part of each caller: behind a switch a processor foretells the return to none of them. */
__attribute__((always_inline)) static inline struct dev_fiber *dev_fiber_go(struct worker *w,
                                                                            struct dev_fiber *to)
{
    struct dev_fiber *me = w->pub.current;
    w->pub.current = to;
    dev_fiber_leaves(me, to, w, false);
    me = dev_switch(me, to);
    dev_fiber_arrives(me, running_worker());
    return me;
}
__attribute__((always_inline)) static inline void dev_fiber_wait(struct worker *w,
                                                                 struct dev_fiber *to)
{
    struct dev_fiber *me = w->pub.current;
    *dev_place_at(&me->index) = *dev_place_at(&w->pub.thread_index);
    me = dev_fiber_go(w, to);
    const dev_place_of_thread place = *dev_place_at(&me->index);
    *dev_place_at(&w->pub.thread_index) = place;
#ifdef DEV_CHECK
    check_thread(place[3]);
#endif
}

#endif
