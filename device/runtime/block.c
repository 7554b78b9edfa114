/* One block: its threads on fibers, and the barriers that all of them pass. */
#include <stdlib.h>
#include <string.h>

#include "device/runtime/internal.h"
#include "device/runtime/mode.h"

static struct worker *here(void)
{
    return (struct worker *)dev_self;
}

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
static void leave(struct dev_fiber *from, const struct dev_fiber *to, struct worker *w, bool ended)
{
    const char *bottom = to->bottom;
    size_t bytes = to->bottom ? (size_t)((char *)to->top - bottom) : 0;
    if (to == &w->pub.home) {
        bottom = w->home_bottom;
        bytes = w->home_bytes;
    }
    __sanitizer_start_switch_fiber(ended ? NULL : &from->sanitizer, bottom, bytes);
}
static void arrive(struct dev_fiber *f, struct worker *w)
{
    const void *bottom;
    size_t bytes;
    __sanitizer_finish_switch_fiber(f->sanitizer, &bottom, &bytes);
    if (!w->home_bottom) { /* the first switch is from the OS thread's own stack */
        w->home_bottom = bottom;
        w->home_bytes = bytes;
    }
}
#else
#define leave(from, to, w, ended) ((void)0)
#define arrive(f, w)              ((void)0)
#endif

void dev_fiber_go(struct worker *w, struct dev_fiber *to)
{
    struct dev_fiber *me = w->pub.current;
    w->pub.current = to;
    leave(me, to, w, false);
    me = dev_switch(me, to);
    arrive(me, here());
}

void dev_fiber_wait(struct worker *w, struct dev_fiber *to)
{
    struct dev_fiber *me = w->pub.current;
    me->index = w->pub.thread_index;
    me->thread = w->pub.thread;
    dev_fiber_go(w, to);
    w->pub.thread_index = me->index;
    w->pub.thread = me->thread;
    MODE_CHECK(check_thread(&w->pub));
}

void dev_fiber_main(void)
{
    struct worker *w = here();
    arrive(w->pub.current, w);
    w->run(&w->pub);
    abort(); /* it never returns */
}

static void set_thread(struct dev_worker *worker, unsigned thread)
{
    const struct dev_index *size = &worker->launch->block;
    worker->thread = thread;
    worker->thread_index.x = thread % size->x;
    worker->thread_index.y = thread / size->x % size->y;
    worker->thread_index.z = thread / (size->x * size->y);
}

/* Until a block has threads left to begin. */
static __attribute__((noinline)) void wait_idly(struct worker *w)
{
    struct dev_fiber *me = w->pub.current;
    while (w->pub.started == w->pub.threads) {
        me->waits = DEV_IDLE;
        dev_fiber_go(w, w->pub.epoch == 0 ? &w->pub.home : me->next);
    }
}

void dev_begin_thread(struct dev_worker *worker)
{
    struct worker *w = (struct worker *)worker;
    if (worker->started == worker->threads)
        wait_idly(w);
    worker->current->waits = DEV_RUNS;
    if (w->reordered)
        set_thread(worker, w->order[worker->started++]);
    else
        dev_next_thread(worker);
    MODE_CHECK(check_thread(worker));
}

void dev_end_thread(struct dev_worker *worker)
{
    worker->ended++;
    if (worker->meets)
        dev_warps_thread_ended((struct worker *)worker);
}

void dev_barrier(struct dev_site site)
{
    struct worker *w = here();
    w->pub.current->site = site;
    dev_fiber_wait(w, w->pub.current->next);
}

struct dev_votes dev_barrier_votes(int value, struct dev_site site)
{
    struct worker *w = here();
    struct dev_votes *v = &w->votes[w->pub.epoch & 1];
    v->sum += value != 0;
    v->all &= value != 0;
    v->any |= value != 0;
    dev_barrier(site);
    return *v;
}

#ifdef DEV_CHECK
/* Look at who waits, all on the ring: others may wait elsewhere, or have ended. */
static void look_at_ring(struct worker *w)
{
    bool waits[DEV_MOST_THREADS] = {false};
    unsigned waiting = 0, other = 0;
    const struct dev_fiber *first = NULL, *elsewhere = NULL;
    for (const struct dev_fiber *f = w->fibers; f != &w->pub.home; f = f->next) {
        if (f->waits == DEV_IDLE)
            continue;
        first = first ? first : f;
        waits[f->thread] = true;
        bool same = f->site.line == first->site.line && !strcmp(f->site.file, first->site.file);
        waiting += same;
        if (!same && !elsewhere)
            elsewhere = f;
    }
    while (other < w->pub.threads && waits[other])
        other++;
    if (elsewhere)
        check_divergent(&w->pub, first->site, waiting, &elsewhere->site, elsewhere->thread);
    else if (other < w->pub.threads)
        check_divergent(&w->pub, first->site, waiting, NULL, other);
    check_barrier_passed(&w->pub, first->site);
}
#endif

void dev_barrier_passed(struct worker *w)
{
    w->pub.epoch++;
    w->votes[w->pub.epoch & 1] = (struct dev_votes){.all = 1};
}

/* On the ring: once round is a phase, until all threads have ended. */
static void ring_block(struct worker *w)
{
    dev_fiber_go(w, w->fibers);
    while (w->pub.ended < w->pub.threads && !w->pub.meets && !w->abandoned) {
        MODE_CHECK(look_at_ring(w));
        dev_barrier_passed(w);
        dev_fiber_go(w, w->fibers);
    }
}

void dev_block_run(struct worker *w)
{
    struct dev_worker *pub = &w->pub;
    pub->next_index = (struct dev_index){0, 0, 0};
    pub->started = pub->ended = pub->epoch = 0;
    w->votes[0] = (struct dev_votes){.all = 1};
    w->reordered = MODE_REORDERS &&
                   dev_schedule_threads(w->order, pub->threads, pub->block, pub->launch->number);
    dev_shared_block_begins(w);
    MODE_CHECK(check_block_begin(pub));
    if (w->kernel->plain) {
        w->run(pub);
    } else {
        if (!pub->meets && w->kernel->meets)
            dev_warps_only(w);
        if (pub->meets)
            dev_warps_begin(w);
        else
            ring_block(w);
        if (pub->meets && !w->abandoned)
            dev_warps_block(w);
    }
    MODE_CHECK(check_block_end(pub));
}

void dev_trap(int error)
{
    struct worker *w = here();
    dev_error_sticky((cudaError_t)error);
    w->abandoned = true;
    leave(w->pub.current, &w->pub.home, w, true);
    w->pub.current = &w->pub.home;
    dev_switch(&w->nowhere, &w->pub.home);
    abort();
}
