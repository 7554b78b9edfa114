/* What a report says of a race: who did what to which element, and what to do. */
#include <stdio.h>
#include <string.h>

#include "device/check/check.h"
#include "device/check/streams.h"

/* Where barriers stand in the running launch's kernel: the first ones that were passed. */
enum { MAX_BARRIERS = 64 };
static struct dev_site barriers[MAX_BARRIERS];
static size_t barrier_count;
static uint64_t barrier_launch;

void check_race_barrier_at(struct dev_site site)
{
    if (barrier_launch != check_now.launch->number) {
        barrier_launch = check_now.launch->number;
        barrier_count = 0;
    }
    for (size_t i = 0; i < barrier_count; i++)
        if (barriers[i].line == site.line)
            return;
    if (barrier_count < MAX_BARRIERS)
        barriers[barrier_count++] = site;
}

/* Whether a barrier that the block passes stands between two lines: then the race is between two
 * rounds of a loop. */
static bool barrier_between(int a, int b)
{
    if (!check_now.launch || barrier_launch != check_now.launch->number)
        return false;
    for (size_t i = 0; i < barrier_count; i++)
        if ((a < barriers[i].line && barriers[i].line < b) ||
            (b < barriers[i].line && barriers[i].line < a))
            return true;
    return false;
}

struct race {
    struct side first, second; /* first writes */
    bool first_atomic, second_atomic;
    bool same_block, same_warp;
    bool whole;  /* of a variable that is no array */
    bool scoped; /* one is an atomic operation of block scope, in another block */
    char element[200];
};

static const char *verb(bool write, bool atomic)
{
    if (atomic)
        return write ? "atomically updates" : "atomically reads";
    return write ? "writes" : "reads";
}

static void say(struct finding *f, const struct race *r, bool shared)
{
    char first[80], second[80];
    check_report_thread(first, sizeof first, &r->first);
    check_report_thread(second, sizeof second, &r->second);
    if (r->same_block)
        snprintf(second, sizeof second, "thread (%u,%u,%u)", r->second.thread.x, r->second.thread.y,
                 r->second.thread.z);
    const struct place *p = &r->first.place, *q = &r->second.place;
    check_append(f->text, sizeof f->text, "race in %s: %s %s %s at %s:%d while ", f->kernel, first,
                 verb(true, r->first_atomic), r->element, p->file, p->line);
    if (r->second.write && !r->first_atomic && !r->second_atomic && p->line == q->line &&
        strcmp(p->file, q->file) == 0)
        check_append(f->text, sizeof f->text, "%s does so too%s", second,
                     shared && r->same_block ? ": parts that overlap, or one element for all" : "");
    else
        check_append(f->text, sizeof f->text, "%s %s it at %s:%d", second,
                     verb(r->second.write, r->second_atomic), q->file, q->line);
}

static bool has_one_warp(const struct dev_launch *l)
{
    return (uint64_t)l->block.x * l->block.y * l->block.z <= WARP;
}

/* Where one line writes an element twice. */
static const char own_parts[] =
    "has each thread elements of its own? Then two threads' parts overlap: is the index, or the "
    "stride from thread to thread, right? Where all mean one element, let one thread write it, or "
    "use atomicAdd";
static const char one_writer[] =
    "let one thread write it (each its own element), or use an atomic operation such as atomicAdd";

static const char same_outputs[] =
    "does another thread compute this element, too, as where the step of a loop is not the number "
    "of threads that share it (i += blockDim.x, of several blocks i += gridDim.x * blockDim.x)? "
    "Let each element be one thread's";

static const char one_variable[] =
    "a __shared__ variable is one for all threads of the block: without that word each has its "
    "own. Where one is meant, let one thread write it, or use atomicAdd";

static const char read_then_write[] =
    "keep what is read in a register, then __syncthreads(), then write; or use an atomic operation "
    "such as atomicAdd, where all of them change one element";

static const char scope[] =
    "atomic operations whose names end in _block are for the threads of one block: where several "
    "blocks use the same element, use those without _block";

/* Of one line that writes an element twice, from one block's threads in its own memory (own). */
static const char *twice(bool own, bool same_value)
{
    return own ? own_parts : same_value ? same_outputs : one_writer;
}

static void advise(struct finding *f, const struct race *r, bool shared, bool same_value)
{
    size_t size = sizeof f->advice;
    int a = r->first.place.line, b = r->second.place.line;
    int low = a < b ? a : b, high = a < b ? b : a;
    if (r->scoped)
        check_append(f->advice, size, "%s", scope);
    else if (r->first_atomic != r->second_atomic)
        check_append(f->advice, size,
                     r->same_block ? "put __syncthreads() between the atomic access and the plain "
                                     "one, or make both atomic"
                                   : "make both accesses atomic, or read the result in a kernel "
                                     "launched after this one");
    else if (r->second.write && r->same_block && shared && r->whole)
        check_append(f->advice, size, "%s", one_variable);
    else if (r->second.write && a == b)
        check_append(f->advice, size, "%s", twice(shared && r->same_block, same_value));
    else if (r->second.write && r->first.write && r->same_block && shared)
        check_append(
            f->advice, size,
            "do two parts of the array overlap, so that two threads mean different elements? "
            "Else put __syncthreads() between them");
    else if (!r->same_block)
        check_append(
            f->advice, size,
            "blocks run in any order, and __syncthreads() does not reach across them: write to "
            "another array than is read, split the kernel in two launches, or use atomics");
    else if (barrier_between(a, b))
        check_append(
            f->advice, size,
            "the barrier between lines %d and %d does not part one round of the loop from the "
            "next: put another __syncthreads() at the loop's end, after line %d",
            low, high, high);
    else if (r->same_warp && a != b && check_now.launch && has_one_warp(check_now.launch))
        check_append(f->advice, size,
                     "put __syncthreads() between them; __syncwarp() is enough only where a block "
                     "is one warp, as here");
    else if (!shared && (a == b || r->same_warp))
        check_append(f->advice, size, "%s",
                     a == b ? read_then_write : "put __syncwarp() or __syncthreads() between them");
    else if (r->same_warp && a == b)
        check_append(
            f->advice, size,
            "read into a register, then __syncwarp(), then write, then __syncwarp(): since Volta "
            "the lanes of a warp need not run in step, volatile or not");
    else if (r->same_warp)
        check_append(
            f->advice, size,
            "put __syncwarp() between them: since Volta the lanes of a warp need not run in step, "
            "volatile or not");
    else if (a == b)
        check_append(f->advice, size, "%s", read_then_write);
    else
        check_append(f->advice, size,
                     shared ? "put __syncthreads() between them; or mend the index, if each thread "
                              "is to have elements of its own"
                            : "put __syncthreads() between them");
}

static struct side other_side(const struct cell *c, enum slot s)
{
    const struct dev_launch *l = check_now.launch;
    return (struct side){.block = check_report_index(check_order_block_at(c->stamp[s]), l->grid),
                         .thread = check_report_index(WHO_THREAD(c->who[s]), l->block),
                         .place = check_place_of(check_place_whole(c->place[s])),
                         .write = s == WRITER || c->who[s] & WHO_WROTE};
}

void check_race_report(const struct cell *c, enum slot s, const struct access *a, bool shared,
                       bool same_value)
{
    if (!shared && c->stamp[s] < check_now.launch_first) {
        check_stream_note(c, s, a);
        return;
    }
    const char *kind = same_value ? "race-same" : shared ? "race-shared" : "race-global";
    bool same_block = c->stamp[s] >= check_now.block_first;
    bool same_warp = same_block && WHO_THREAD(c->who[s]) / WARP == check_now.thread / WARP;
    /* Lanes of a warp that race at some lines hide other threads that do: these are told instead,
     * since what helps them helps all. So each of the three has a key of its own. */
    int weight = !same_block + !same_warp;
    const char *other_from = check_place_whole(c->place[s]);
    if (check_report_seen(kind, a->from, other_from + weight))
        return;
    struct finding f = check_finding_here(kind, a->from);
    f.at.write = check_writes(a->kind);
    struct side other = other_side(c, s);
    bool other_atomic = c->who[s] & WHO_ATOMIC && !(c->is_volatile >> s & 1);
    bool atomic =
        a->kind == ACCESS_ATOMIC || a->kind == ACCESS_BLIND || a->kind == ACCESS_ATOMIC_READ;
    struct race r = {f.at, other, atomic, other_atomic, .element = ""};
    /* The side that writes is told first; of two, the one that runs now. */
    if (!f.at.write)
        r = (struct race){other, f.at, other_atomic, atomic, .element = ""};
    r.same_block = same_block;
    r.same_warp = same_warp;
    r.scoped = !same_block && (check_now.scoped || (other_atomic && c->is_scoped >> s & 1));
    f.weight = weight;
    f.note = same_value;
    if (atomic != other_atomic && !f.at.write)
        f.asks = a->from;
    else if (atomic != other_atomic && !other.write)
        f.asks = other_from;
    struct dev_region region;
    if (check_region_find(a->p, &region) == REGION_INSIDE) {
        r.whole = region.kind == DEV_SHARED && region.bytes == a->bytes;
        check_region_variable(f.variable, sizeof f.variable, &region);
        check_region_name_part(r.element, sizeof r.element, &region, a->p, a->bytes);
    }
    f.at = r.first;
    f.other = r.second;
    f.has_other = true;
    say(&f, &r, shared);
    if (same_value)
        check_append(f.text, sizeof f.text, ", the same value");
    advise(&f, &r, shared, same_value);
    check_report_add(&f, a->from, other_from + weight);
}
