/* The words of which findings are made: text that grows, threads, places, accesses. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/report/report.h"

void check_append(char *text, size_t size, const char *format, ...)
{
    size_t n = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    if (n < size)
        vsnprintf(text + n, size - n, format, arguments);
    va_end(arguments);
}

void check_append_json(char *text, size_t size, const char *s)
{
    const size_t start = strlen(text);
    for (size_t n = 0; *s && n < MAX_STRING; s++, n = strlen(text) - start) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            check_append(text, size, "\\%c", c);
        else if (c < ' ')
            check_append(text, size, "\\u%04x", c);
        else
            check_append(text, size, "%c", c);
    }
}

struct dev_index check_report_index(uint64_t linear, struct dev_index size)
{
    unsigned x = size.x ? size.x : 1, y = size.y ? size.y : 1;
    return (struct dev_index){(unsigned)(linear % x), (unsigned)(linear / x % y),
                              (unsigned)(linear / x / y)};
}

void check_report_thread(char *text, size_t size, const struct side *s)
{
    snprintf(text, size, "thread (%u,%u,%u) of block (%u,%u,%u)", s->thread.x, s->thread.y,
             s->thread.z, s->block.x, s->block.y, s->block.z);
}

void check_report_site(struct place *p, struct dev_site site)
{
    check_place_set(p, site.file ? site.file : "?", site.line);
}

struct finding check_finding_here(const char *kind, const void *from)
{
    struct finding f = {.kind = kind};
    f.at.place = check_place_of(from);
    if (dev_self && check_now.launch) {
        f.kernel = check_now.launch->kernel;
        f.at.block = dev_self->block_index;
        f.at.thread = check_report_index(check_now.thread, check_now.launch->block);
    }
    return f;
}

/* An atomic operation that does not only look reads and writes, whatever it leaves there. */
static const char *verb_of(enum access_kind kind)
{
    if (kind == ACCESS_ATOMIC || kind == ACCESS_BLIND)
        return "updates";
    return check_writes(kind) ? "writes" : "reads";
}

struct finding check_finding_access(const char *kind, const char *title, const struct access *a)
{
    struct finding f = check_finding_here(kind, a->from);
    char who[80] = "the host";
    if (f.kernel)
        check_report_thread(who, sizeof who, &f.at);
    f.at.write = check_writes(a->kind);
    char bytes[24] = "memory"; /* as much as nobody knows */
    if (a->bytes)
        snprintf(bytes, sizeof bytes, "%u byte%s", a->bytes, a->bytes == 1 ? "" : "s");
    check_append(f.text, sizeof f.text, "%s in %s: %s %s %s at %s:%d", title,
                 f.kernel ? f.kernel : "host code", who, verb_of(a->kind), bytes, f.at.place.file,
                 f.at.place.line);
    return f;
}
