/* Where __shared__ variables lie: each has its place, once for all, in every worker's arena. All
 * variables of a program have places of their own, with red zones between them. */
#include "device/runtime/runtime.h"
#include "device/runtime/mode.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t end = DEV_DYNAMIC_AT + DEV_MOST_DYNAMIC + DEV_RED_ZONE;

void dev_place(struct dev_shared_variable *v)
{
    size_t alignment = v->alignment > 64 ? v->alignment : 64;
    pthread_mutex_lock(&lock);
    if (v->offset == 0) {
        size_t zone = MODE_ZONE(v->bytes);
        if (end + 2 * (zone + v->bytes) > DEV_ARENA_BYTES)
            zone = DEV_RED_ZONE; /* one before it is there in any case */
        size_t before = zone > DEV_RED_ZONE ? zone : 0;
        size_t offset = (end + before + alignment - 1) / alignment * alignment;
        if (offset + v->bytes + zone > DEV_ARENA_BYTES)
            dev_die("%s:%d: shared variable %s: the shared variables of this program are over %zu "
                    "MiB together",
                    v->file, v->line, v->name, DEV_ARENA_BYTES >> 20);
        end = offset + v->bytes + zone;
        __atomic_store_n(&v->offset, offset, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
}

#ifdef DEV_CHECK
static struct dev_shared_variable *in_use;   /* by the launch that runs: one at a time */
static struct dev_shared_variable *of_files; /* used so far, and in use by every launch to come */

static struct dev_region shared_region(const struct worker *w, const struct dev_shared_variable *v)
{
    const struct dev_shape *s = &v->shape;
    return (struct dev_region){.kind = DEV_SHARED,
                               .name = v->name,
                               .file = v->file,
                               .line = v->line,
                               .base = w->pub.shared + v->offset,
                               .bytes = v->bytes,
                               .element = s->element,
                               .extent = {s->extent[0], s->extent[1], s->extent[2]}};
}

static void note_of_file(struct dev_shared_variable *v)
{
    if (v->of_file) {
        v->next_of_file = of_files;
        of_files = v;
    }
}
#endif

/* Counted for the launch; in check mode the block's checker is told of the variable. */
static void shared_use(struct worker *w, struct dev_shared_variable *v)
{
#ifdef DEV_CHECK
    if (v->launch != w->pub.launch->number || !in_use) {
        v->next = in_use;
        in_use = v;
    }
#endif
    v->launch = w->pub.launch->number;
    mode_unpoison(w->pub.shared + v->offset, v->bytes);
#ifdef DEV_CHECK
    struct dev_region region = shared_region(w, v);
    check_region_added(&region);
    dev_schedule_fill(region.base, region.bytes);
#endif
}

void dev_shared_launch_begins(struct worker *w)
{
    (void)w;
#ifdef DEV_CHECK
    if (in_use && in_use->launch != w->pub.launch->number)
        in_use = NULL; /* what a grid left */
    for (struct dev_shared_variable *v = of_files; v; v = v->next_of_file)
        shared_use(w, v);
#endif
}

void dev_shared_block_begins(struct worker *w)
{
    (void)w;
#ifdef DEV_CHECK
    dev_schedule_fill(w->pub.shared + DEV_DYNAMIC_AT, w->pub.launch->dynamic_shared);
    for (const struct dev_shared_variable *v = in_use; v; v = v->next)
        dev_schedule_fill(w->pub.shared + v->offset, v->bytes);
#endif
}

void dev_shared_launch_ended(struct worker *w)
{
    (void)w;
#ifdef DEV_CHECK
    for (const struct dev_shared_variable *v = in_use; v; v = v->next) {
        struct dev_region region = shared_region(w, v);
        check_region_removed(&region);
    }
    if (!w->grid) /* else another worker's are left */
        in_use = NULL;
#endif
}

#ifdef DEV_CHECK
/* The workers of a grid come upon a variable each by itself. */
static void known_to_worker(const struct worker *w, const struct dev_shared_variable *v)
{
    struct dev_region region = shared_region(w, v);
    check_region_added(&region);
}
#endif

void *dev_shared(struct dev_shared_variable *v)
{
    struct worker *w = (struct worker *)dev_self;
    if (v->offset == 0) {
        dev_place(v);
        MODE_CHECK(note_of_file(v));
    }
    if (MODE_EVERY_USE || v->launch != w->pub.launch->number)
        shared_use(w, v);
    MODE_CHECK(w->grid ? known_to_worker(w, v) : (void)0);
    return w->pub.shared + v->offset;
}
