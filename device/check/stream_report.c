/* What a report says of work that nothing orders: both places, and what to do. */
#include <stdio.h>
#include <string.h>

#include "device/check/streams.h"
#include "device/report/report.h"

/* What an operation does to the bytes, without the "s" at the end. */
static const char *verb(const struct stream_op *o, bool write)
{
    if (strcmp(o->what, "cudaFreeAsync") == 0)
        return "free";
    if (strcmp(o->what, "cudaMallocAsync") == 0)
        return "allocate";
    return write ? "write" : "read";
}

/* "kernel k, launched at a.cu:7," or "cudaMemcpyAsync at a.cu:9" */
static void append_op(char *text, size_t size, const struct stream_op *o)
{
    struct place p;
    check_report_site(&p, o->site);
    check_append(text, size, o->first ? "kernel %s, launched at %s:%d," : "%s at %s:%d", o->what,
                 p.file, p.line);
}

static void append_in_kernel(char *text, size_t size, const void *from)
{
    if (!from)
        return;
    const struct place p = check_place_of(from);
    check_append(text, size, " (at %s:%d)", p.file, p.line);
}

static void name_variable(struct finding *f, uintptr_t p, char *name, size_t size)
{
    struct dev_region r;
    snprintf(name, size, "memory");
    if (check_region_find(p, &r) != REGION_INSIDE)
        return;
    check_region_variable(f->variable, sizeof f->variable, &r);
    check_region_name(name, size, &r);
}

static void set_other(struct finding *f, const struct stream_hit *h)
{
    f->has_other = true;
    f->other = (struct side){.write = h->wrote};
    check_report_site(&f->other.place, h->op->site);
}

static void say_while(struct finding *f, const struct stream_hit *h, const char *where)
{
    check_append(f->text, sizeof f->text, " while ");
    append_op(f->text, sizeof f->text, h->op);
    check_append(f->text, sizeof f->text, " may still %s it%s", verb(h->op, h->wrote), where);
    append_in_kernel(f->text, sizeof f->text, h->past);
}

/* Of two streams: an event that is there already, or one to record. */
static void advise(struct finding *f, const struct stream_op *now, const struct stream_op *old)
{
    const void *event = check_stream_event(old);
    const unsigned s = now->stream, t = old->stream;
    if ((s == DEFAULT_STREAM || t == DEFAULT_STREAM) && !check_stream_blocks(s ? s : t))
        check_append(f->advice, sizeof f->advice,
                     "a stream made with cudaStreamNonBlocking and the default stream do not wait "
                     "for each other: ");
    if (event) {
        const struct place p = check_place_of(event);
        check_append(f->advice, sizeof f->advice,
                     "let the stream of line %d wait for the event recorded at %s:%d: "
                     "cudaStreamWaitEvent before line %d",
                     f->at.place.line, p.file, p.line, f->at.place.line);
    } else {
        check_append(f->advice, sizeof f->advice,
                     "record an event on its stream behind line %d (cudaEventRecord) and let the "
                     "stream of line %d wait for it first (cudaStreamWaitEvent), or use one stream "
                     "for both",
                     f->other.place.line, f->at.place.line);
    }
}

void check_stream_report(const struct stream_op *now, const struct stream_hit *h)
{
    static const char kind[] = "race-stream";
    const void *from = (const void *)(uintptr_t)now->site.line;
    const void *other = (const void *)(uintptr_t)h->op->site.line;
    if (check_report_seen(kind, from, other))
        return;
    struct finding f = {.kind = kind, .at.write = h->write};
    char name[200];
    check_report_site(&f.at.place, now->site);
    name_variable(&f, h->p, name, sizeof name);
    set_other(&f, h);
    check_append(f.text, sizeof f.text, "race between streams: ");
    append_op(f.text, sizeof f.text, now);
    check_append(f.text, sizeof f.text, " %ss %s", verb(now, h->write), name);
    append_in_kernel(f.text, sizeof f.text, h->from);
    say_while(&f, h, " on another stream");
    advise(&f, now, h->op);
    check_report_add(&f, from, other);
}

/* `line` is the host's; a function in the order of a stream can't wait itself. */
static void advise_host(struct finding *f, const struct stream_hit *h)
{
    const void *event = check_stream_event(h->op);
    const int line = f->at.place.line, other = f->other.place.line;
    const struct place p = event ? check_place_of(event) : (struct place){.line = 0};
    if (check_in_callback())
        check_append(f->advice, sizeof f->advice,
                     "call the function in the order of the stream of line %d, or let its stream "
                     "wait for an event behind that line first (cudaStreamWaitEvent)",
                     other);
    else if (event)
        check_append(f->advice, sizeof f->advice,
                     "wait for the event recorded at %s:%d before line %d: cudaEventSynchronize",
                     p.file, p.line, line);
    else if (h->op->stream == DEFAULT_STREAM)
        check_append(f->advice, sizeof f->advice,
                     "wait for the device before line %d: cudaDeviceSynchronize", line);
    else
        check_append(f->advice, sizeof f->advice,
                     "wait before line %d: cudaStreamSynchronize of the stream of line %d, or "
                     "cudaDeviceSynchronize",
                     line, other);
    if (f->at.write && !h->wrote)
        check_append(f->advice, sizeof f->advice, "; or let the host write to another buffer");
}

void check_stream_report_host(const struct access *a, const struct stream_hit *h)
{
    static const char kind[] = "race-host";
    const void *other = (const void *)(uintptr_t)h->op->site.line;
    if (check_report_seen(kind, a->from, other))
        return;
    struct finding f = check_finding_access(
        kind, check_in_callback() ? "race between streams" : "race with the device", a);
    char name[200];
    name_variable(&f, a->p, name, sizeof name);
    set_other(&f, h);
    check_append(f.text, sizeof f.text, ", of %s,", name);
    say_while(&f, h, "");
    advise_host(&f, h);
    check_report_add(&f, a->from, other);
}

void check_stream_report_timed(const void *timed, const void *recorded)
{
    static const char kind[] = "race-host";
    if (check_report_seen(kind, timed, recorded))
        return;
    struct finding f = {.kind = kind, .has_other = true};
    f.at.place = check_place_of(timed);
    f.other.place = check_place_of(recorded);
    check_append(f.text, sizeof f.text,
                 "race with the device: cudaEventElapsedTime at %s:%d asks for the time of the "
                 "event recorded at %s:%d, which may not have come: a GPU answers "
                 "cudaErrorNotReady, and leaves the time as it was",
                 f.at.place.file, f.at.place.line, f.other.place.file, f.other.place.line);
    check_append(f.advice, sizeof f.advice, "call cudaEventSynchronize of that event before");
    check_report_add(&f, timed, recorded);
}
