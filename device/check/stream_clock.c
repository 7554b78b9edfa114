/* What streams do in any order: work on one stream against that on others, and against the host.
 *
 * A launch or copy is done when its call returns, so nothing goes wrong here; on a GPU it may run
 * still when later calls begin. So each stream, each event and the host has a vector clock: of
 * every stream, up to which of its operations it comes behind. Work comes behind what its stream
 * has done and what the host knew when it asked for it; the legacy default stream behind all
 * blocking streams, and they behind it; a stream behind an event that it waits for; the host behind
 * what it waits for. What the host knows to be done is before all that comes, and is forgotten.
 *
 * Host threads count as one, so do streams beyond the 60th: that misses races, and invents none. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device/check/streams.h"

enum { PER_THREAD = 1, FIRST_OWN = 2, SHARED_BY_MANY = STREAMS - 1, NO_CALLBACK = STREAMS };

struct event {
    struct stream_clock clock;
    const void *from; /* of cudaEventRecord */
    struct event *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct stream_clock host, streams[STREAMS];
static uint32_t ticks[STREAMS];
static bool blocking[STREAMS] = {[PER_THREAD] = true}, used[STREAMS];
static struct stream_op ops[STREAM_OPS];
static int n_ops;
static struct event *events; /* the last recorded first */
static __thread unsigned callback = NO_CALLBACK;

void check_stream_lock(void)
{
    pthread_mutex_lock(&lock);
}

void check_stream_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

static void join(struct stream_clock *into, const struct stream_clock *other)
{
    for (unsigned s = 0; s < STREAMS; s++)
        if (into->at[s] < other->at[s])
            into->at[s] = other->at[s];
}

static void join_blocking(struct stream_clock *into)
{
    for (unsigned s = PER_THREAD; s < STREAMS; s++)
        if (blocking[s])
            join(into, &streams[s]);
}

static void prune(void)
{
    int kept = 0;
    for (int i = 0; i < n_ops; i++)
        if (!check_clock_has(&host, &ops[i]))
            ops[kept++] = ops[i];
    n_ops = kept;
}

/* ---- clocks and operations ------------------------------------------------------------------ */

struct stream_clock *check_clock_begin(unsigned stream)
{
    struct stream_clock *c = &streams[stream];
    join(c, &host);
    if (stream == DEFAULT_STREAM)
        join_blocking(c);
    else if (blocking[stream])
        join(c, &streams[DEFAULT_STREAM]);
    c->at[stream] = ++ticks[stream];
    return c;
}

struct stream_clock *check_clock_of(unsigned stream)
{
    return &streams[stream];
}

struct stream_clock *check_clock_here(void)
{
    return callback == NO_CALLBACK ? &host : &streams[callback];
}

bool check_in_callback(void)
{
    return callback != NO_CALLBACK;
}

bool check_clock_has(const struct stream_clock *c, const struct stream_op *o)
{
    return c->at[o->stream] >= o->tick;
}

void check_clock_add(struct stream_clock *c, const struct stream_op *o)
{
    if (c->at[o->stream] < o->tick)
        c->at[o->stream] = o->tick;
}

const struct stream_op *check_stream_ops(int *n)
{
    *n = n_ops;
    return ops;
}

void check_stream_add(const struct stream_op *o)
{
    if (n_ops == STREAM_OPS) { /* the older half counts as done */
        memmove(ops, ops + STREAM_OPS / 2, STREAM_OPS / 2 * sizeof *ops);
        n_ops = STREAM_OPS / 2;
    }
    ops[n_ops++] = *o;
}

void check_stream_forget(uintptr_t p, size_t bytes)
{
    for (int i = 0; i < n_ops; i++)
        for (int k = 0; k < 2; k++) {
            struct dev_rows *r = &ops[i].rows[k];
            if ((uintptr_t)r->p < p + bytes && p < (uintptr_t)r->p + r->pitch * r->height)
                r->width = 0;
        }
}

const void *check_stream_event(const struct stream_op *o)
{
    const void *from = NULL;
    for (const struct event *e = events; e; e = e->next)
        if (check_clock_has(&e->clock, o))
            from = e->from;
    return from;
}

bool check_stream_blocks(unsigned stream)
{
    return blocking[stream];
}

/* ---- what the runtime tells ----------------------------------------------------------------- */

unsigned check_stream_made(bool is_blocking)
{
    check_stream_lock();
    unsigned s = FIRST_OWN;
    /* A number is given again when nothing of its last stream is left to wait for. */
    while (s < SHARED_BY_MANY && (used[s] || ticks[s] > host.at[s]))
        s++;
    used[s] = true;
    blocking[s] = s == SHARED_BY_MANY || is_blocking;
    check_stream_unlock();
    return s;
}

void check_stream_destroyed(unsigned stream)
{
    check_stream_lock();
    if (stream >= FIRST_OWN && stream < SHARED_BY_MANY)
        used[stream] = false;
    check_stream_unlock();
}

void check_stream_waited(unsigned stream)
{
    check_stream_lock();
    join(&host, &streams[stream]);
    if (stream == DEFAULT_STREAM)
        join_blocking(&host);
    prune();
    check_stream_unlock();
}

void check_device_waited(void)
{
    check_stream_lock();
    for (unsigned s = 0; s < STREAMS; s++)
        join(&host, &streams[s]);
    prune();
    check_stream_unlock();
}

/* The event becomes the first of the list. */
static void list_first(struct event *e)
{
    struct event **at = &events;
    while (*at && *at != e)
        at = &(*at)->next;
    if (*at)
        *at = e->next;
    e->next = events;
    events = e;
}

void check_event_recorded(void **event, unsigned stream, const void *from)
{
    struct event *e = *event ? *event : calloc(1, sizeof *e);
    if (!e)
        return;
    *event = e;
    check_stream_lock();
    e->clock = *check_clock_begin(stream);
    e->from = from;
    list_first(e);
    check_stream_unlock();
}

void check_event_awaited(const void *event, unsigned stream)
{
    const struct event *e = event;
    if (!e)
        return;
    check_stream_lock();
    join(check_clock_begin(stream), &e->clock);
    check_stream_unlock();
}

bool check_event_over(const void *event, const void **recorded)
{
    const struct event *e = event;
    bool over = true;
    check_stream_lock();
    for (unsigned s = 0; e && s < STREAMS; s++)
        over &= host.at[s] >= e->clock.at[s];
    *recorded = e ? e->from : NULL;
    check_stream_unlock();
    return over;
}

void check_event_waited(const void *event)
{
    const struct event *e = event;
    if (!e)
        return;
    check_stream_lock();
    join(&host, &e->clock);
    prune();
    check_stream_unlock();
}

void check_event_forgotten(void *event)
{
    struct event *e = event;
    if (!e)
        return;
    check_stream_lock();
    list_first(e);
    events = e->next;
    check_stream_unlock();
    free(e);
}

void check_callback(unsigned stream, bool on)
{
    check_stream_lock();
    if (on) { /* it may tell others at any time: by a flag, a condition, a thread that it makes */
        join(&host, check_clock_begin(stream));
        prune();
    }
    callback = on ? stream : NO_CALLBACK;
    check_stream_unlock();
}
