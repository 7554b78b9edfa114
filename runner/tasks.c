/* Tasks, which phases.c counts as pieces of work: OpenMP gives them to whichever thread asks first.
 * Each has its data behind a head, by which it is known. A task begins no sooner than it is made,
 * and than those end that it waits for (`depend`): these chains are followed as orders.c does. One
 * that its maker does at once (`if(0)`, or in a `final` task) is the maker's own work.
 */
#include <string.h>

#include "runner/phases.h"

#define DEPENDS 64
#define PLACES  (1 << 14) /* addresses that tasks depend on, in all */
#define PROBES  8
#define EVENTS  (1 << 10) /* of detached tasks that are not over */
#define ALIGN   16

/* libgomp's flags of a task, and what an object of type omp_depend_t holds. */
enum { FINAL = 1 << 1, DEPEND = 1 << 3, DEFERRED = 1 << 10, SUMS = 1 << 12, DETACHED = 1 << 13 };
enum { IN = 1, IN_SET = 5 };

struct task {
    uintptr_t word[3]; /* of its data, which OpenMP reads and writes: see `words` */
    void (*body)(void *);
    void (*copy)(void *, void *);
    void *data;
    long size, offset; /* of its data, which lie so far behind this */
    int words;         /* so many are its data's, by now */
    int phase, n;
    uint64_t chain; /* of its maker's, when it was made */
    bool own, final;
    bool detached; /* it ends no sooner than its event is fulfilled */
    bool writes[DEPENDS];
    const void *place[DEPENDS];
};

/* The longest chain of tasks of this phase that ended: all of them, and those that write. */
static struct place {
    const void *at;
    int phase;
    uint64_t all, written;
} place[PLACES];

static struct place *place_of(const void *at, int in_phase)
{
    size_t slot = ((uintptr_t)at * 0x9e3779b97f4a7c15u) >> 50;
    for (int i = 0; i < PROBES; i++, slot = (slot + 1) % PLACES) {
        struct place *p = &place[slot];
        if (p->at && p->at != at && p->phase == in_phase)
            continue;
        if (p->at != at || p->phase != in_phase)
            *p = (struct place){at, in_phase, 0, 0};
        return p;
    }
    runner_unknown = true;
    return NULL;
}

/* What tasks that t waits for have ended at; or where it has `ended`, for others to wait. */
static void meet(const struct task *t, bool ended)
{
    static bool taken;
    while (t->n > 0 && __atomic_test_and_set(&taken, __ATOMIC_ACQUIRE))
        ;
    for (int i = 0; i < t->n; i++) {
        struct place *p = place_of(t->place[i], t->phase);
        if (p && ended)
            runner_keep_most(&p->all, runner_place.chain);
        if (p && ended && t->writes[i])
            runner_keep_most(&p->written, runner_place.chain);
        if (p && !ended)
            runner_keep_most(&runner_place.chain, t->writes[i] ? p->all : p->written);
    }
    if (t->n > 0)
        __atomic_clear(&taken, __ATOMIC_RELEASE);
}

/* Detached tasks whose event is not fulfilled. */
static struct {
    const void *event;
    struct task task;
} detached[EVENTS];
static bool detached_taken;

/* The place of an event, of NULL one that is free; EVENTS: there is none. With the lock. */
static int find_event(const void *event)
{
    int i = 0;
    while (i < EVENTS && detached[i].event != event)
        i++;
    return i;
}

static void keep_event(const void *event, const struct task *t)
{
    static unsigned oldest;
    while (__atomic_test_and_set(&detached_taken, __ATOMIC_ACQUIRE))
        ;
    int i = find_event(event);
    i = i < EVENTS ? i : find_event(NULL);
    i = i < EVENTS ? i
                   : (int)(oldest++ % EVENTS); /* most are of tasks that came after their event */
    detached[i].event = event;
    detached[i].task = *t;
    __atomic_clear(&detached_taken, __ATOMIC_RELEASE);
}

void omp_fulfill_event(void *event);
void omp_fulfill_event(void *event)
{
    struct task t = {.n = 0};
    while (__atomic_test_and_set(&detached_taken, __ATOMIC_ACQUIRE))
        ;
    const int i = find_event(event);
    if (i < EVENTS) {
        t = detached[i].task;
        detached[i].event = NULL;
    } else {
        runner_unknown = true;
    }
    __atomic_clear(&detached_taken, __ATOMIC_RELEASE);
    meet(&t, true);
    ((void (*)(void *))runner_behind("omp_fulfill_event"))(event);
}

static void run(void *head)
{
    struct task *t = head;
    char *data = (char *)head + t->offset;
    const struct runner_place was = runner_place;
    memcpy(data, t->word, (size_t)t->words * sizeof *t->word);
    if (t->detached)
        keep_event((const void *)t->word[0], t);
    if (!t->own) {
        runner_place.phase = t->phase;
        runner_place.in_piece = runner_place.known = true;
        runner_place.piece = 0;
        runner_place.chain = t->chain;
    }
    runner_place.in_final = t->final;
    meet(t, false);
    t->body(data);
    meet(t, true);
    runner_place.in_final = was.in_final;
    if (t->own)
        return;
    runner_chain();
    runner_piece_end();
    runner_place.phase = was.phase;
    runner_place.chain = was.chain;
    runner_place.in_piece = was.in_piece;
    runner_place.known = was.known;
    runner_place.piece = was.piece;
}

static void copy(void *to, void *from)
{
    const struct task *t = from;
    char *data = (char *)to + t->offset;
    memcpy(to, from, sizeof *t);
    if (t->copy)
        t->copy(data, t->data);
    else if (t->size > 0)
        memcpy(data, t->data, (size_t)t->size);
}

/* OpenMP's array: how many, how many of them are written, and they; since OpenMP 5 with a 0 before,
 * counts of each kind, and objects of type omp_depend_t behind. */
static void read_depends(struct task *t, void *const *depend)
{
    const uintptr_t *count = (const uintptr_t *)depend;
    const bool kinds = count[0] == 0;
    const uintptr_t n = count[kinds], written = kinds ? count[2] + count[3] : count[1],
                    plain = kinds ? written + count[4] : n;
    for (uintptr_t i = 0; i < n; i++) {
        const void *at = depend[i + (kinds ? 5 : 2)];
        bool writes = i < written;
        if (i >= plain) {
            const uintptr_t *object = at;
            at = (const void *)object[0];
            writes = object[1] != IN && object[1] != IN_SET;
        }
        if (t->n == DEPENDS) {
            runner_unknown = true;
            return;
        }
        t->place[t->n] = at;
        t->writes[t->n++] = writes;
    }
}

/* The head of a task with these data; *align becomes that of both. */
static struct task made(void (*body)(void *), void *data, void (*copies)(void *, void *), long size,
                        long *align, bool deferred, unsigned flags)
{
    struct task t = {.body = body, .copy = copies, .data = data, .size = size, .n = 0};
    *align = *align > ALIGN ? *align : ALIGN;
    t.offset = ((long)sizeof t + *align - 1) / *align * *align;
    t.phase = runner_place.phase;
    t.chain = runner_place.chain;
    t.own = !deferred || runner_place.in_final;
    t.final = (flags & FINAL) || runner_place.in_final;
    return t;
}

void GOMP_task(void (*body)(void *), void *data, void (*copies)(void *, void *), long size,
               long align, bool deferred, unsigned flags, void **depend, int priority,
               void *detach);
void GOMP_task(void (*body)(void *), void *data, void (*copies)(void *, void *), long size,
               long align, bool deferred, unsigned flags, void **depend, int priority, void *detach)
{
    void (*real)(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned,
                 void **, int, void *) =
        (void (*)(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned,
                  void **, int, void *))runner_behind("GOMP_task");
    struct task t = made(body, data, copies, size, &align, deferred, flags);
    t.detached = (flags & DETACHED) != 0;
    t.words = t.detached; /* its event */
    if (flags & DEPEND)
        read_depends(&t, depend);
    real(run, &t, copy, t.offset + size, align, deferred, flags, depend, priority, detach);
    if (t.detached)
        keep_event(*(void **)detach, &t);
}

/* Two words of a task's data are the part of the loop that is its own; the third is for sums. */
typedef void make_loop(void (*)(void *), void *, void (*)(void *, void *), long, long, unsigned,
                       unsigned long, int, long, long, long);
#define LOOP(name)                                                                                 \
    make_loop name;                                                                                \
    void name(void (*body)(void *), void *data, void (*copies)(void *, void *), long size,         \
              long align, unsigned flags, unsigned long tasks, int priority, long begin, long end, \
              long step)                                                                           \
    {                                                                                              \
        struct task t = made(body, data, copies, size, &align, flags & DEFERRED, flags);           \
        t.words = 2;                                                                               \
        if (flags & SUMS)                                                                          \
            t.word[2] = ((const uintptr_t *)data)[2];                                              \
        ((make_loop *)runner_behind(#name))(run, &t, copy, t.offset + size, align, flags, tasks,   \
                                            priority, begin, end, step);                           \
    }
LOOP(GOMP_taskloop)
LOOP(GOMP_taskloop_ull)

void GOMP_taskwait_depend(void **depend);
void GOMP_taskwait_depend(void **depend)
{
    struct task t = {.phase = runner_place.phase};
    read_depends(&t, depend);
    ((void (*)(void **))runner_behind("GOMP_taskwait_depend"))(depend);
    meet(&t, false);
}
