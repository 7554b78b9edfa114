/* Which bytes operations of streams have in common. Of launches the cells of the shadow say what
 * they touched; of copies and fills their rows do. A race that has been told counts as ordered from
 * then on: what follows from it is not told again. */
#include <string.h>

#include "device/check/check.h"
#include "device/check/streams.h"

/* The latest operation of each stream that races: who waits for that one, waits for all. */
struct hits {
    struct stream_hit of[STREAMS];
    bool any;
};

static void hit(struct hits *hits, const struct stream_hit *h)
{
    struct stream_hit *old = &hits->of[h->op->stream];
    if (!old->op || old->op->tick < h->op->tick)
        *old = *h;
    hits->any = true;
}

/* ---- rows against rows ---------------------------------------------------------------------- */

/* The first byte that [p, p + bytes) and the rows share, or 0. */
static uintptr_t shared_byte(const struct dev_rows *r, uintptr_t p, size_t bytes)
{
    uintptr_t base = (uintptr_t)r->p;
    size_t pitch = r->pitch ? r->pitch : 1;
    if (!r->width || !r->height || p + bytes <= base)
        return 0;
    for (size_t y = p > base ? (p - base) / pitch : 0; y < r->height; y++) {
        uintptr_t row = base + y * pitch;
        if (row >= p + bytes)
            return 0;
        if (p < row + r->width)
            return p > row ? p : row;
    }
    return 0;
}

static void rows_against(const struct stream_op *now, const struct stream_op *old,
                         struct hits *hits)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            const struct dev_rows *a = &now->rows[i], *b = &old->rows[k];
            uintptr_t p = 0;
            for (size_t y = 0; (a->write || b->write) && a->width && y < a->height && !p; y++)
                p = shared_byte(b, (uintptr_t)a->p + y * a->pitch, a->width);
            if (p)
                hit(hits, &(struct stream_hit){old, p, a->write, b->write, NULL, NULL});
        }
}

/* ---- rows against cells --------------------------------------------------------------------- */

/* Launches among which to look for a stamp: by stamp, none of them the caller's. */
struct launches {
    const struct stream_op *of[STREAM_OPS];
    int n;
};

static const struct stream_op *launch_at(const struct launches *l, uint32_t stamp)
{
    int low = 0, high = l->n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (l->of[middle]->last < stamp)
            low = middle + 1;
        else
            high = middle;
    }
    return low < l->n && l->of[low]->first <= stamp ? l->of[low] : NULL;
}

static void cell_against(const struct cell *c, unsigned mask, uintptr_t p, bool write,
                         const struct launches *l, struct hits *hits)
{
    for (enum slot s = WRITER; s < SLOTS; s++) {
        const bool wrote = s == WRITER || c->who[s] & WHO_WROTE;
        if (c->stamp[s] < l->of[0]->first || !(write || wrote) || !(c->who[s] & mask))
            continue;
        const struct stream_op *o = launch_at(l, c->stamp[s]);
        if (o)
            hit(hits,
                &(struct stream_hit){o, p, write, wrote, NULL, check_place_whole(c->place[s])});
    }
}

static void bytes_against(uintptr_t p, size_t bytes, bool write, const struct launches *l,
                          struct hits *hits)
{
    enum dev_kind kind;
    const struct space *s = p - check_now.global.base < check_now.global.bytes
                                ? &check_now.global
                                : check_region_symbol_space(p, &kind);
    if (!s || l->n == 0)
        return;
    const uintptr_t end = p + bytes < s->base + s->bytes ? p + bytes : s->base + s->bytes;
    while (p < end) {
        uintptr_t granule = (p - s->base) / GRANULE, next = s->base + (granule + 1) * GRANULE;
        unsigned n, first = (unsigned)(p % GRANULE);
        unsigned last = next <= end ? GRANULE : (unsigned)(end % GRANULE);
        const unsigned mask = ((1u << last) - 1) & ~((1u << first) - 1);
        const struct cell *c = check_race_cells(&s->cells[granule], &n);
        if (n == 1)
            cell_against(c, mask, p, write, l, hits);
        else
            for (unsigned i = first; i < last; i++)
                cell_against(c + i, 1u << i, next - GRANULE + i, write, l, hits);
        p = next;
    }
}

static void rows_against_cells(const struct dev_rows *r, const struct launches *l,
                               struct hits *hits)
{
    for (size_t y = 0; r->width && y < r->height; y++)
        bytes_against((uintptr_t)r->p + y * r->pitch, r->width, r->write, l, hits);
}

/* ---- operations ----------------------------------------------------------------------------- */

/* Whether a pointer is to memory that is watched: the device's, and what host and device share. */
static bool is_watched(const char *p)
{
    return (uintptr_t)p - check_now.global.base < check_now.global.bytes ||
           (uintptr_t)p - check_now.symbols < check_now.symbol_bytes;
}

static struct stream_op op_of(const struct dev_copy *copy)
{
    struct stream_op o = {.stream = copy->stream, .what = copy->call, .site = copy->site};
    for (int i = 0; i < 2; i++)
        if (is_watched(copy->rows[i].p))
            o.rows[i] = copy->rows[i];
    return o;
}

/* All that races with `now`, which begins. */
static void find(const struct stream_op *now, const struct stream_clock *clock, struct hits *hits)
{
    static struct launches launches; /* under the lock */
    int n = 0;
    const struct stream_op *ops = check_stream_ops(&n);
    launches.n = 0;
    for (int i = 0; i < n; i++) {
        if (check_clock_has(clock, &ops[i]))
            continue;
        if (ops[i].first)
            launches.of[launches.n++] = &ops[i];
        rows_against(now, &ops[i], hits);
    }
    for (int i = 0; i < 2; i++)
        rows_against_cells(&now->rows[i], &launches, hits);
}

static void report(const struct stream_op *now, struct stream_clock *clock, const struct hits *hits)
{
    for (unsigned s = 0; hits->any && s < STREAMS; s++)
        if (hits->of[s].op) {
            check_stream_report(now, &hits->of[s]);
            check_clock_add(clock, hits->of[s].op);
        }
}

void check_stream_copy(const struct dev_copy *copy)
{
    struct hits hits = {.any = false};
    struct stream_op now = op_of(copy);
    check_stream_lock();
    struct stream_clock *clock = check_clock_begin(now.stream);
    now.tick = clock->at[now.stream];
    find(&now, clock, &hits);
    report(&now, clock, &hits);
    check_stream_add(&now);
    check_stream_unlock();
    if (copy->waited)
        check_stream_waited(now.stream);
}

/* The memory is another's from now on. */
static void forget_cells(uintptr_t p, size_t bytes)
{
    static const struct cell none;
    const uintptr_t offset = p - check_now.global.base;
    if (offset >= check_now.global.bytes)
        return;
    for (size_t i = 0; i < bytes; i += GRANULE) {
        struct cell *c = &check_now.global.cells[(offset + i) / GRANULE];
        if (c->stamp[WRITER] || c->stamp[READER])
            *c = none;
    }
}

void check_stream_free(void *p, size_t bytes, unsigned stream, const void *from)
{
    struct hits hits = {.any = false};
    const struct place place = check_place_of(from);
    struct stream_op now = {.stream = stream,
                            .what = "cudaFreeAsync",
                            .site = {place.file, place.line},
                            .rows = {{p, bytes, bytes, 1, true}}};
    check_stream_lock();
    struct stream_clock *clock = check_clock_begin(stream);
    now.tick = clock->at[stream];
    find(&now, clock, &hits);
    report(&now, clock, &hits);
    forget_cells((uintptr_t)p, bytes);
    check_stream_forget((uintptr_t)p, bytes);
    check_stream_unlock();
}

void check_stream_launch_ends(const struct dev_launch *launch)
{
    struct hits hits = {.any = false};
    int n_notes = 0, n = 0;
    check_stream_lock();
    struct stream_clock *clock = check_clock_of(launch->stream);
    struct stream_op now = {.stream = launch->stream,
                            .tick = clock->at[launch->stream],
                            .first = check_now.launch_first,
                            .last = check_now.stamp,
                            .what = launch->kernel,
                            .site = {launch->file, launch->line}};
    memcpy(now.rows, check_stream_constants(), sizeof now.rows);
    const struct stream_hit *notes = check_stream_notes(&n_notes);
    for (int i = 0; i < n_notes; i++)
        hit(&hits, &notes[i]);
    const struct stream_op *ops = check_stream_ops(&n), *self = &now;
    const struct launches mine = {.of = {self}, .n = 1};
    for (int i = 0; i < n; i++) {
        struct hits turned = {.any = false};
        if (ops[i].first || check_clock_has(clock, &ops[i]))
            continue;
        rows_against(&now, &ops[i], &hits);
        for (int k = 0; k < 2; k++)
            rows_against_cells(&ops[i].rows[k], &mine, &turned);
        const struct stream_hit *t = &turned.of[now.stream]; /* seen from the copy */
        if (turned.any)
            hit(&hits, &(struct stream_hit){&ops[i], t->p, t->wrote, t->write, t->past, NULL});
    }
    report(&now, clock, &hits);
    check_stream_add(&now);
    check_stream_unlock();
}

static bool host_against(const struct access *a)
{
    const bool write = check_writes(a->kind);
    const struct stream_op now = {.rows = {{(const char *)a->p, a->bytes, a->bytes, 1, write}}};
    struct hits hits = {.any = false};
    struct stream_clock *here = check_clock_here();
    find(&now, here, &hits);
    /* Who looks at a volatile or atomic flag of the device's knows what came before it. */
    const bool quiet = a->kind != ACCESS_READ && a->kind != ACCESS_WRITE;
    for (unsigned s = 0; hits.any && s < STREAMS; s++)
        if (hits.of[s].op) {
            if (!quiet)
                check_stream_report_host(a, &hits.of[s]);
            check_clock_add(here, hits.of[s].op);
        }
    return hits.any;
}

bool check_stream_host(const struct access *a)
{
    int n = 0;
    check_stream_lock();
    check_stream_ops(&n);
    const bool raced = n > 0 && host_against(a);
    check_stream_unlock();
    return raced;
}
