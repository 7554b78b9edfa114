/* A finding as text for people and as JSON. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/check/report.h"

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
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            check_append(text, size, "\\%c", c);
        else if (c < ' ')
            check_append(text, size, "\\u%04x", c);
        else
            check_append(text, size, "%c", c);
    }
}

static void json_string(char *text, size_t size, const char *key, const char *value)
{
    check_append(text, size, ",\"%s\":\"", key);
    check_append_json(text, size, value);
    check_append(text, size, "\"");
}

static void json_side(char *text, size_t size, const struct side *s)
{
    check_append(text, size, "\"block\":[%u,%u,%u],\"thread\":[%u,%u,%u]", s->block.x, s->block.y,
                 s->block.z, s->thread.x, s->thread.y, s->thread.z);
    json_string(text, size, "file", s->place.file);
    check_append(text, size, ",\"line\":%d", s->place.line);
}

void check_report_json(char *text, size_t size, const struct finding *f, unsigned long count)
{
    snprintf(text, size, "{\"kind\":\"%s\"", f->kind);
    if (f->kernel) {
        json_string(text, size, "kernel", f->kernel);
        check_append(text, size, ",");
        json_side(text, size, &f->at);
    } else {
        json_string(text, size, "file", f->at.place.file);
        check_append(text, size, ",\"line\":%d", f->at.place.line);
    }
    if (f->has_other) {
        check_append(text, size, ",\"other\":{");
        json_side(text, size, &f->other);
        check_append(text, size, ",\"write\":%s}", f->other.write ? "true" : "false");
    }
    if (f->variable[0])
        json_string(text, size, "variable", f->variable);
    if (f->has_offset)
        check_append(text, size, ",\"offset\":%lld", f->offset);
    json_string(text, size, "text", f->text);
    json_string(text, size, "advice", f->advice);
    check_append(text, size, ",\"count\":%lu}", count);
}

static void source_line(char *text, size_t size, const struct place *p)
{
    char source[200];
    if (check_place_source(source, sizeof source, p->file, p->line))
        check_append(text, size, "\n    %s:%d:  %s", p->file, p->line, source);
}

void check_report_text(char *text, size_t size, const struct finding *f, unsigned long count)
{
    snprintf(text, size, "check: %s; %s", f->text, f->advice);
    if (count > 1)
        check_append(text, size, " [%lu times]", count);
    source_line(text, size, &f->at.place);
    if (f->has_other && (f->other.place.line != f->at.place.line ||
                         strcmp(f->other.place.file, f->at.place.file) != 0))
        source_line(text, size, &f->other.place);
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

struct finding check_finding_access(const char *kind, const char *title, const struct access *a)
{
    static const char *const verbs[] = {"reads", "writes", "updates", "reads"};
    struct finding f = check_finding_here(kind, a->from);
    char who[80] = "the host";
    if (f.kernel)
        check_report_thread(who, sizeof who, &f.at);
    f.at.write = a->kind == ACCESS_WRITE || a->kind == ACCESS_ATOMIC;
    check_append(f.text, sizeof f.text, "%s in %s: %s %s %u byte%s at %s:%d", title,
                 f.kernel ? f.kernel : "host code", who, verbs[a->kind], a->bytes,
                 a->bytes == 1 ? "" : "s", f.at.place.file, f.at.place.line);
    return f;
}
