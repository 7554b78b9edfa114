/* The checker's lines of JSON, as far as they are drawn (view.h). */
#define _GNU_SOURCE
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/error.h"
#include "common/scratch.h"
#include "harness/view/view.h"

#define MOST_FILE (4 << 20)

static void words(const json_t *object, const char *name, char *to, size_t size)
{
    const char *value = json_string_value(json_object_get(object, name));
    text_fit(to, size, "%s", value ? value : "");
    hpc_harmless(to);
}

static int number(const json_t *object, const char *name)
{
    const json_int_t value = json_integer_value(json_object_get(object, name));
    return value > 0 && value < INT32_MAX ? (int)value : 0;
}

static void three(const json_t *object, const char *name, int to[3])
{
    const json_t *list = json_object_get(object, name);
    for (size_t i = 0; i < 3; i++) {
        const json_int_t value = json_integer_value(json_array_get(list, i));
        to[i] = value > 0 && value < INT32_MAX ? (int)value : 0;
    }
}

static void side(const json_t *object, struct view_side *s)
{
    three(object, "block", s->block);
    three(object, "thread", s->thread);
    words(object, "file", s->file, sizeof s->file);
    s->line = number(object, "line");
    const json_t *write = json_object_get(object, "write");
    s->does = !write ? "" : json_is_true(write) ? "WRITES" : "READS";
}

static bool same_places(const struct view_race *a, const struct view_race *b)
{
    return strcmp(a->kind, b->kind) == 0 && a->first.line == b->first.line &&
           a->second.line == b->second.line && strcmp(a->first.file, b->first.file) == 0 &&
           strcmp(a->second.file, b->second.file) == 0;
}

static void add_race(const json_t *object, struct view *v)
{
    if (v->n_races == VIEW_RACES)
        return;
    struct view_race *r = &v->race[v->n_races];
    words(object, "kind", r->kind, sizeof r->kind);
    words(object, "kernel", r->kernel, sizeof r->kernel);
    words(object, "variable", r->variable, sizeof r->variable);
    words(object, "advice", r->advice, sizeof r->advice);
    side(object, &r->first);
    side(json_object_get(object, "other"), &r->second);
    /* Of two threads the one that writes is told first; of streams, and the host, neither is. */
    if (strcmp(r->kind, "race-stream") == 0 || strcmp(r->kind, "race-host") == 0)
        r->second.does = "";
    else
        r->first.does = "WRITES";
    for (int i = 0; i < v->n_races; i++)
        if (same_places(&v->race[i], r))
            return;
    v->n_races++;
}

static void add_line(const json_t *object, struct view *v)
{
    if (v->n_lines == VIEW_LINES)
        return;
    struct view_line *l = &v->line[v->n_lines++];
    int block[3];
    *l = (struct view_line){.line = number(object, "line"),
                            .requests = json_number_value(json_object_get(object, "requests")),
                            .units = json_number_value(json_object_get(object, "units")),
                            .lanes = json_number_value(json_object_get(object, "lanes")),
                            .most = (unsigned)number(object, "most"),
                            .bytes = (unsigned)number(object, "bytes"),
                            .warp = (unsigned)number(object, "warp")};
    words(object, "kernel", l->kernel, sizeof l->kernel);
    words(object, "file", l->file, sizeof l->file);
    words(object, "access", l->access, sizeof l->access);
    words(object, "variable", l->variable, sizeof l->variable);
    three(object, "block", block);
    for (int i = 0; i < 3; i++)
        l->block[i] = (unsigned)block[i];
    l->bytes = l->bytes < 1 ? 1 : l->bytes > 16 ? 16 : l->bytes;
    const json_t *touched = json_object_get(object, "touched");
    for (size_t i = 0; i < json_array_size(touched); i++) {
        const json_t *pair = json_array_get(touched, i);
        const json_int_t lane = json_integer_value(json_array_get(pair, 0)),
                         at = json_integer_value(json_array_get(pair, 1));
        if (lane < 0 || lane >= VIEW_LANES || at < 0)
            continue;
        l->who |= UINT32_C(1) << lane;
        l->at[lane] = (uint64_t)at;
    }
}

static void take(const json_t *object, struct view *v)
{
    const char *kind = json_string_value(json_object_get(object, "kind"));
    if (!kind)
        return;
    if (strcmp(kind, "traffic-line") == 0)
        add_line(object, v);
    else if (strncmp(kind, "race", 4) == 0 && json_is_object(json_object_get(object, "other")))
        add_race(object, v);
}

bool view_read(const char *path, struct view *v)
{
    FILE *f = scratch_open(path);
    struct stat st;
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    memset(v, 0, sizeof *v);
    const bool good = f && fstat(fileno(f), &st) == 0 && st.st_size <= MOST_FILE;
    while (good && (n = getline(&line, &room, f)) > 0) {
        json_error_t ignored;
        json_t *object = json_loadb(line, (size_t)n, 0, &ignored);
        take(object, v);
        json_decref(object);
    }
    free(line);
    if (f)
        fclose(f);
    return good;
}
