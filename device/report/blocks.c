/* What is said of accesses beside blocks of the host's heap (device/shadow/guards.h), and of blocks
 * that a library wrote behind. */
#include <string.h>

#include "device/report/report.h"
#include "device/shadow/guards.h"

static const char past_heap[] = "oob-host";

/* "the 40 bytes that x.cu:12 allocated", as far as the block's name is there. */
static void name_block(struct finding *f, size_t bytes, const void *from)
{
    const struct place place = from ? check_place_of(from) : (struct place){.line = 0};
    check_append(f->text, sizeof f->text, "the %zu byte%s", bytes, bytes == 1 ? "" : "s");
    if (place.line > 0 && check_place_is_header(&place)) {
        check_append(f->text, sizeof f->text, " of a std::vector or another container");
    } else if (place.line > 0) {
        check_append(f->text, sizeof f->text, " that %s:%d allocated", place.file, place.line);
        check_append(f->variable, sizeof f->variable, "allocation of %s:%d", place.file,
                     place.line);
    }
}

/* Where an access lies beside a block: the offset, and in words. */
static void say_beside(struct finding *f, const struct access *a, const struct guarded *b)
{
    const uintptr_t end = b->p + b->bytes;
    const bool before = a->p < b->p;
    const size_t far = before ? b->p - a->p : a->p > end ? a->p - end : 0;
    f->has_offset = true;
    f->offset = before ? -(long long)far : (long long)far;
    if (a->p >= b->p && a->p < end)
        check_append(f->text, sizeof f->text, ", across the end of ");
    else if (!far)
        check_append(f->text, sizeof f->text, ", just past the end of ");
    else
        check_append(f->text, sizeof f->text, ", %zu byte%s %s ", far, far == 1 ? "" : "s",
                     before ? "before the start of" : "past the end of");
    name_block(f, b->bytes, b->from);
    if (a->p >= end && a->bytes <= 16 && b->bytes && b->bytes % a->bytes == 0 &&
        far % a->bytes == 0)
        check_append(f->text, sizeof f->text, ": that is [%zu], and the last is [%zu]",
                     (a->p - b->p) / a->bytes, b->bytes / a->bytes - 1);
}

bool check_block_met(const struct access *a)
{
    const uintptr_t end = a->p + a->bytes, first = check_guard_first(a->p, end);
    struct guarded block;
    if (first >= end)
        return false;
    const bool writes = check_writes(a->kind), known = check_guard_block(first, writes, &block);
    if (check_report_seen(past_heap, a->from, NULL))
        return true;
    struct finding f = check_finding_access(past_heap, "out of bounds", a);
    if (known)
        say_beside(&f, a, &block);
    else
        check_append(f.text, sizeof f.text, ", beside a block of malloc or new");
    check_append(f.advice, sizeof f.advice,
                 "%s: compare the index with the number of elements that were allocated (i < n), "
                 "and count bytes by n * sizeof *p",
                 writes ? "this damages the heap" : "what lies there is nobody's");
    check_report_add(&f, a->from, NULL);
    if (writes && !check_now.launch) /* of a damaged heap the program may end at once */
        check_report_flush();
    return true;
}

void check_past_block(const struct dev_broken *b)
{
    const void *place = b->from ? b->from : past_heap;
    if (check_report_seen(past_heap, place, past_heap))
        return;
    struct finding f = {.kind = past_heap};
    if (b->from)
        f.at.place = check_place_of(b->from);
    check_append(f.text, sizeof f.text, "out of bounds in host code: %s wrote past the end of ",
                 dev_host_apart ? "the host, or a call of a library," : "a call of a library");
    name_block(&f, b->bytes, b->from);
    check_append(f.text, sizeof f.text, ", from %zu bytes behind it on", b->behind);
    check_append(f.advice, sizeof f.advice,
                 "look at the size that fread, scanf, strcpy or another call was given for this "
                 "block%s",
                 dev_host_apart ? ", and at your loops over it: hpclab cuda --watch-host names the "
                                  "line"
                                : "");
    check_report_add(&f, place, past_heap);
    if (!check_now.launch)
        check_report_flush();
}

/* Of the program itself, no library's. */
extern char __executable_start[] __attribute__((weak)), etext[] __attribute__((weak));
extern char __data_start[] __attribute__((weak)), _end[] __attribute__((weak));

/* Whether a variable of the program's own points to it: it is kept, and may be meant to be. */
static bool is_kept(uintptr_t p)
{
    const uintptr_t end = (uintptr_t)_end;
    for (uintptr_t at = (uintptr_t)__data_start; at && at + sizeof p <= end; at += sizeof p)
        if (*(const uintptr_t *)at == p)
            return true;
    return false;
}

void check_block_left(const struct guarded *b)
{
    static const char kind[] = "leak";
    const char *const from = b->from;
    const bool own = from >= __executable_start && from < etext;
    const struct place place = own ? check_place_of(from) : (struct place){.line = 0};
    if (place.line == 0 || check_place_is_header(&place) || strstr(place.file, "runner/") ||
        is_kept(b->p) || check_report_seen(kind, b->from, NULL))
        return;
    struct finding f = {.kind = kind, .note = true, .at.place = place};
    check_append(f.text, sizeof f.text, "leak on the host: ");
    name_block(&f, b->bytes, b->from);
    check_append(f.text, sizeof f.text, " were never freed");
    check_append(f.advice, sizeof f.advice,
                 "what open() allocates is freed in close(), what it needs no longer by its end: "
                 "free() for malloc and calloc, delete for new");
    check_report_add(&f, b->from, NULL);
}
