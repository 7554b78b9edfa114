/* One block: its threads on fibers, and what is wrong at a barrier that they come to. */
#include <string.h>

#include "device/runtime/fiber.h"
#include "device/runtime/loops.h"
#include "device/runtime/mode.h"

static void set_thread(struct dev_worker *worker, unsigned thread)
{
    const struct dev_index *size = &worker->launch->block;
    worker->thread = thread;
    worker->thread_index.x = thread % size->x;
    worker->thread_index.y = thread / size->x % size->y;
    worker->thread_index.z = thread / (size->x * size->y);
}

/* All places at once: of a launch that is not reordered, or of the block that begins. */
static void find_places(struct worker *w)
{
    struct dev_worker *pub = &w->pub;
    for (unsigned k = 0; k < pub->threads; k++) {
        set_thread(pub, w->reordered ? w->order[k] : k);
        w->places[k] = *dev_place_at(&pub->thread_index);
    }
    w->places_of = w->reordered ? 0 : pub->launch->number;
}

static inline void begin(struct worker *w)
{
    struct dev_worker *worker = &w->pub;
    worker->current->waits = DEV_RUNS;
#if MODE_REORDERS
    const dev_place_of_thread place = w->places[worker->started++];
    *dev_place_at(&worker->thread_index) = place;
#else
    dev_next_thread(worker);
#endif
    MODE_CHECK(check_thread(place[3]));
}

/* When a block has threads left to begin. */
static __attribute__((noinline)) void begin_later(struct worker *w)
{
    struct dev_fiber *me = w->pub.current;
    while (w->pub.started == w->pub.threads) {
        me->waits = DEV_IDLE;
        dev_fiber_go(w, w->pub.epoch == 0 ? &w->pub.home : me->next);
    }
    begin(w);
}

void dev_begin_thread(struct dev_worker *worker)
{
    struct worker *w = (struct worker *)worker;
    if (worker->started == worker->threads)
        begin_later(w);
    else
        begin(w);
}

void dev_end_thread(struct dev_worker *worker)
{
    worker->ended++;
    if (worker->meets)
        dev_warps_thread_ended((struct worker *)worker);
}

#ifdef DEV_CHECK
static bool is_same_site(struct dev_site a, struct dev_site b)
{
    return a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0);
}

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
        bool same = is_same_site(f->site, first->site);
        waiting += same;
        if (!same && !elsewhere)
            elsewhere = f;
    }
    while (other < w->pub.threads && waits[other])
        other++;
    if (elsewhere)
        check_divergent(&w->pub, first->site, waiting, &elsewhere->site, elsewhere->thread, false);
    else if (other < w->pub.threads)
        check_divergent(&w->pub, first->site, waiting, NULL, other, false);
    check_barrier_passed(&w->pub, first->site);
}
#endif

/* On the ring: once round is a phase, until all threads have ended. */
static void ring_block(struct worker *w)
{
    w->alike = 0;
    dev_fiber_go(w, w->fibers);
    while (w->pub.ended < w->pub.threads && !w->pub.meets && !w->abandoned) {
#ifdef DEV_CHECK
        if (w->alike == w->pub.threads) /* all, at one barrier */
            check_barrier_passed(&w->pub, w->here);
        else
            look_at_ring(w);
        w->alike = 0;
#endif
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
    if (MODE_REORDERS && w->places_of != pub->launch->number)
        find_places(w);
    dev_shared_block_begins(w);
    MODE_CHECK(memset(w->left, 0, sizeof w->left));
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

#ifdef DEV_CHECK
unsigned dev_loop_begins(unsigned most)
{
    struct worker *w = running_worker();
    const struct dev_index *size = &w->pub.launch->block;
    w->next_place = w->places;
    w->loop_most = most;
    return most * size->y * size->z;
}

dev_thread_place dev_loop_thread(void)
{
    struct worker *w = running_worker();
    const dev_place_of_thread *next = w->next_place;
    while ((*next)[0] >= w->loop_most)
        next++;
    w->next_place = next + 1;
    const dev_place_of_thread place = *next;
    *dev_place_at(&w->pub.thread_index) = place;
    check_thread(place[3]);
    return (dev_thread_place)place;
}

/* In another order threads meet each other in another one. */
bool dev_batch(struct dev_batch *b, unsigned most, dev_batch_shape *shape, const void *context)
{
    struct worker *w = running_worker();
    return !w->reordered && check_batch(b, &w->pub.launch->block, most, shape, context);
}

/* As look_at_ring does it: of threads that have all returned nobody waits. */
static void look_at_left(struct worker *w, struct dev_site site, const bool *left)
{
    const bool *const first = memchr(left, 1, w->pub.threads);
    unsigned waiting = w->pub.threads;
    for (unsigned k = 0; first && k < w->pub.threads; k++)
        waiting -= left[k];
    if (first && waiting > 0)
        check_divergent(&w->pub, site, waiting, NULL, (unsigned)(first - left), false);
}

void dev_loop_barrier(struct dev_site site, const bool *left)
{
    struct worker *w = running_worker();
    if (left)
        look_at_left(w, site, left);
    check_barrier_passed(&w->pub, site);
    dev_barrier_passed(w);
}

void dev_loop_warps_meet(void)
{
    struct dev_worker *pub = &running_worker()->pub;
    for (unsigned first = 0; first < pub->threads; first += DEV_WARP) {
        const unsigned lanes = pub->threads - first;
        set_thread(pub, first);
        check_thread(first);
        check_warp_met(pub, lanes < DEV_WARP ? (1u << lanes) - 1 : UINT32_MAX);
    }
}

/* Of a shuffle down by d only the first d lanes' results are looked at, as in masks.c. */
void dev_loop_absent(struct dev_site site, unsigned thread, unsigned source, bool down)
{
    const unsigned lane = thread % DEV_WARP;
    if (!down || lane < source - lane)
        check_shuffle_undefined(&running_worker()->pub, site, thread, source, DEV_ABSENT_NONE);
}
#endif

void dev_trap(int error)
{
    struct worker *w = dev_worker_running();
    dev_error_sticky((cudaError_t)error);
    if (w->kernel->plain)
        siglongjmp(w->out, 1);
    w->abandoned = true;
    dev_fiber_abandon(w);
}
