/* Subscripts past the end of an array of known size: the calls of -fsanitize=bounds, each before
 * its access, and of -fsanitize=object-size for those through a pointer whose array the compiler
 * knows. Shadow memory can't tell an array on a thread's own stack from what lies beside it, nor a
 * subscript that ends in a neighbour.
 *
 * An access that bounds.c reports says more than the subscript does, so a finding waits for it, and
 * goes when the thread's turn ends without one. Rows that a program runs through as one (a[0][i])
 * are no mistake here. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "device/check/check.h"

/* What both compilers write for their own library, libubsan. */
struct type {
    uint16_t kind, info; /* info: of an integer, 2 log2(bits) + 1 where it has a sign */
    char name[];         /* "'int [4]'" */
};
struct subscript {
    const char *file;
    uint32_t line, column;
    const struct type *array, *index;
};

static const char kind_of_array[] = "oob-array";
static const char kind_of_unset[] = "uninit-array";
static bool waits;
static struct finding waiting;
static const struct subscript *waiting_at;
static const struct subscript *last; /* that is no use of rows as one: its access follows */

/* "name[" at p: how long the name is, or 0. */
static size_t subscripted(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    return n > 0 && p[n] == '[' && !isdigit((unsigned char)*p) ? n : 0;
}

/* The one name that is subscripted in a line of the source; "" where there are several. */
static void name_in(const char *line, char *name, size_t size)
{
    *name = '\0';
    for (const char *p = line; *p; p++) {
        if (p > line && (isalnum((unsigned char)p[-1]) || p[-1] == '_'))
            continue;
        const size_t n = subscripted(p);
        if (n == 0 || n >= size)
            continue;
        if (*name && (strlen(name) != n || strncmp(name, p, n) != 0)) {
            *name = '\0';
            return;
        }
        snprintf(name, size, "%.*s", (int)n, p);
    }
}

/* Whether a line takes the rows of an array as one: a[0][i], (*a)[i]. */
static bool runs_through(const char *line)
{
    for (const char *p = strchr(line, '['); p; p = strchr(p + 1, '[')) {
        const size_t digits = strspn(p + 1, "0123456789");
        if (digits > 0 && strncmp(p + 1 + digits, "][", 2) == 0)
            return true;
    }
    return strstr(line, "(*") && strstr(line, ")[");
}

/* The sites that were looked at last, and what came of it. */
static bool is_silent(const struct subscript *s, char *name, size_t size)
{
    enum { KNOWN = 64 };
    static struct {
        const struct subscript *at;
        bool silent;
        char name[64];
    } known[KNOWN];
    const size_t i = (uintptr_t)s / sizeof *s % KNOWN;
    if (known[i].at != s) {
        char line[200] = "";
        const bool read = check_place_source(line, sizeof line, s->file, (int)s->line);
        known[i].at = s;
        known[i].silent = read && runs_through(line);
        name_in(line, known[i].name, sizeof known[i].name);
    }
    snprintf(name, size, "%s", known[i].name);
    return known[i].silent;
}

/* Integers come as they are, in the low bits. */
static long long index_of(const struct type *t, uintptr_t value)
{
    const unsigned bits = 1u << (t->info >> 1);
    if (t->info & 1 && bits < 64)
        return (long long)((int64_t)(value << (64 - bits)) >> (64 - bits));
    return (long long)value;
}

/* One of the running thread, its text still empty. */
static struct finding found_by(const char *file, uint32_t line)
{
    struct finding f = {.kind = kind_of_array, .kernel = check_now.launch->kernel};
    check_report_site(&f.at.place, (struct dev_site){file, (int)line});
    f.at.block = dev_self->block_index;
    f.at.thread = check_report_index(check_now.thread, check_now.launch->block);
    return f;
}

static struct finding found(const struct subscript *s, const char *name, long long index)
{
    struct finding f = found_by(s->file, s->line);
    char who[80];
    check_report_thread(who, sizeof who, &f.at);
    snprintf(f.variable, sizeof f.variable, "%s", name);
    check_append(f.text, sizeof f.text,
                 "out of bounds in %s: %s uses element %lld of %s%s%s at %s:%u", f.kernel, who,
                 index, name, *name ? ", an array " : "an array ", s->array->name, f.at.place.file,
                 s->line);
    check_append(f.advice, sizeof f.advice,
                 "make the array as large as its largest subscript and one more, or mend the "
                 "subscript: what lies behind is another variable");
    return f;
}

void check_array_settle(void)
{
    if (!waits)
        return;
    waits = false;
    check_report_add(&waiting, waiting_at, NULL);
}

void check_array_told(void)
{
    waits = false;
}

static void past_the_end(const struct subscript *s, uintptr_t index)
{
    char name[64];
    if (!dev_self || !check_now.launch)
        return;
    if (waits && waiting_at == s)
        return;
    check_array_settle();
    if (is_silent(s, name, sizeof name))
        return;
    last = s;
    if (check_report_seen(kind_of_array, s, NULL))
        return;
    waiting = found(s, name, index_of(s->index, index));
    waiting_at = s;
    waits = check_now.waits = true;
    check_report_waiting = check_array_settle;
}

void __ubsan_handle_out_of_bounds(const struct subscript *s, uintptr_t index);
void __ubsan_handle_out_of_bounds(const struct subscript *s, uintptr_t index)
{
    past_the_end(s, index);
}

/* What both compilers write of an access that is not in its object. */
struct mismatch {
    const char *file;
    uint32_t line, column;
    const struct type *type;
    uint8_t alignment, kind;
};

/* Whether a subscript has told of the access already, or its address itself will. */
static bool is_told(const struct mismatch *m, uintptr_t p)
{
    return (last && last->line == m->line && strcmp(last->file, m->file) == 0) ||
           p - check_now.global.base < check_now.global.bytes ||
           p - check_now.shared.base < check_now.shared.bytes ||
           p - check_now.symbols < check_now.symbol_bytes;
}

void __ubsan_handle_type_mismatch_v1(const struct mismatch *m, uintptr_t p);
void __ubsan_handle_type_mismatch_v1(const struct mismatch *m, uintptr_t p)
{
    char who[80];
    if (!dev_self || !check_now.launch || is_told(m, p) ||
        check_report_seen(kind_of_array, m, NULL))
        return;
    struct finding f = found_by(m->file, m->line);
    check_report_thread(who, sizeof who, &f.at);
    check_append(f.text, sizeof f.text,
                 "out of bounds in %s: %s uses %s at %s:%u, by a pointer past the end of the array "
                 "or variable that it points into",
                 f.kernel, who, m->type->name, f.at.place.file, m->line);
    check_append(f.advice, sizeof f.advice,
                 "compare the index with the array's length, or make the array larger: what lies "
                 "behind is another variable");
    check_report_add(&f, m, NULL);
}

uint32_t check_unset(uint32_t word, const char *name, const char *file, int line)
{
    const void *const identity = (const void *)((uintptr_t)file + (unsigned)line);
    char who[80];
    if (!dev_self || !check_now.launch || check_report_seen(kind_of_unset, identity, NULL))
        return word;
    struct finding f = found_by(file, (uint32_t)line);
    f.kind = kind_of_unset;
    check_report_thread(who, sizeof who, &f.at);
    snprintf(f.variable, sizeof f.variable, "%s", name);
    check_append(
        f.text, sizeof f.text,
        "read of what nobody wrote in %s: %s uses an element of %s, an array of its own, at "
        "%s:%d, which it has not set",
        f.kernel, who, name, f.at.place.file, line);
    check_append(f.advice, sizeof f.advice,
                 "set every element before one is used, at the borders too: an array of a thread "
                 "begins with anything");
    check_report_add(&f, identity, NULL);
    return word;
}
