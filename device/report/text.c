/* A finding as text for people and as JSON. */
#include <stdio.h>
#include <string.h>

#include "device/report/report.h"

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
    if (f->note)
        check_append(text, size, ",\"note\":true");
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
    snprintf(text, size, "check: %s%s; %s", f->note ? "note: " : "", f->text, f->advice);
    if (count > 1)
        check_append(text, size, " [%lu times]", count);
    source_line(text, size, &f->at.place);
    if (f->has_other && (f->other.place.line != f->at.place.line ||
                         strcmp(f->other.place.file, f->at.place.file) != 0))
        source_line(text, size, &f->other.place);
}
