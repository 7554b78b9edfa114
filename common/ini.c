#define _GNU_SOURCE
#include "common/ini.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTION_LENGTH 48 /* inih cuts longer names */

struct reading {
    FILE *stream;
    struct ini_file *file;
    struct hpc_error *err;
    int line;      /* of the line that inih was given last */
    bool indented; /* that line begins with white space */
    bool failed;   /* *err is filled, with the first error */
    int failed_line;
};

static int failed(struct reading *r)
{
    r->failed = true;
    r->failed_line = r->line;
    return 0; /* inih's word for an error in a handler */
}

static struct ini_section *current(struct ini_file *file)
{
    return file->n ? &file->sections[file->n - 1] : NULL;
}

/* A line that begins with '[': inih reports keys only, so empty and repeated sections are seen
 * here. False when the section can't be. A head without ']' is left to inih. */
static bool begin_section(struct reading *r, const char *text)
{
    const char *end = strchr(text, ']');
    if (!end)
        return true;
    char *name = hpc_printf("%.*s", (int)(end - text - 1), text + 1);
    if (strlen(name) > SECTION_LENGTH || ini_section_find(r->file, name)) {
        hpc_fail(r->err, "%s:%d: section [%s] %s", r->file->shown, r->line, name,
                 strlen(name) > SECTION_LENGTH ? "is too long; expected at most 48 characters"
                                               : "stands twice; expected one");
        free(name);
        failed(r);
        return false;
    }
    struct ini_file *f = r->file;
    f->sections = hpc_realloc(f->sections, (unsigned long)(f->n + 1) * sizeof *f->sections);
    f->sections[f->n++] = (struct ini_section){.name = name, .line = r->line};
    return true;
}

/* inih's reader: a line as fgets gives it. */
static char *read_line(char *text, int size, void *context)
{
    struct reading *r = context;
    if (r->failed || !fgets(text, size, r->stream))
        return NULL;
    r->line++;
    r->indented = isspace((unsigned char)text[0]);
    size_t length = strlen(text);
    if ((length == 0 || text[length - 1] != '\n') && !feof(r->stream)) {
        if (length < (size_t)size - 1)
            hpc_fail(r->err, "%s:%d: a byte 0, expected text", r->file->shown, r->line);
        else
            hpc_fail(r->err, "%s:%d: expected lines of at most %d characters of text",
                     r->file->shown, r->line, size - 2);
        failed(r);
        return NULL;
    }
    const char *start = text;
    if (r->line == 1 && strncmp(text, "\xEF\xBB\xBF", 3) == 0)
        start += 3; /* a byte order mark, which inih skips too */
    if (r->indented && text[strspn(text, " \t")] == '[') {
        hpc_fail(r->err, "%s:%d: expected [section] at the start of its line", r->file->shown,
                 r->line);
        failed(r);
        return NULL;
    }
    if (*start == '[' && !begin_section(r, start))
        return NULL;
    return text;
}

/* inih's handler: one key with its value, or one more line of the last value. */
static int take_key(void *context, const char *name_of_section, const char *name, const char *value)
{
    struct reading *r = context;
    (void)name_of_section;
    if (r->failed)
        return 0;
    struct ini_section *s = current(r->file);
    const char *shown = r->file->shown;
    if (!s) {
        hpc_fail(r->err, "%s:%d: expected a [section] before '%.60s'", shown, r->line, name);
        return failed(r);
    }
    if (r->indented && s->n > 0) {
        struct ini_key *k = &s->keys[s->n - 1];
        char *joined = hpc_printf("%s%s%s", k->value, *k->value ? " " : "", value);
        free(k->value);
        k->value = joined;
        return 1;
    }
    struct ini_key *before = ini_find(s, name);
    if (before || !*name) {
        if (before)
            hpc_fail(r->err, "%s:%d: key '%.60s' stands twice in [%s]; it was set in line %d",
                     shown, r->line, name, s->name, before->line);
        else
            hpc_fail(r->err, "%s:%d: expected a key before '='", shown, r->line);
        return failed(r);
    }
    s->keys = hpc_realloc(s->keys, (unsigned long)(s->n + 1) * sizeof *s->keys);
    s->keys[s->n++] =
        (struct ini_key){.name = hpc_strdup(name), .value = hpc_strdup(value), .line = r->line};
    return 1;
}

struct ini_file *ini_read(const char *path, const char *shown, struct hpc_error *err)
{
    FILE *stream = fopen(path, "r");
    if (!stream) {
        hpc_fail(err, "%s: %s; expected a file", shown, strerror(errno));
        return NULL;
    }
    struct ini_file *file = hpc_calloc(1, sizeof *file);
    file->shown = hpc_strdup(shown);
    struct reading r = {.stream = stream, .file = file, .err = err};
    int line = ini_parse_stream(read_line, &r, take_key, &r);
    bool bad = ferror(stream);
    fclose(stream);
    if (bad)
        hpc_fail(err, "%s: cannot be read; expected a text file", shown);
    else if (line != 0 && (!r.failed || line < r.failed_line))
        hpc_fail(err, "%s:%d: expected [section] or key = value", shown, line);
    else if (!r.failed)
        return file;
    ini_free(file);
    return NULL;
}

void ini_free(struct ini_file *file)
{
    if (!file)
        return;
    for (int i = 0; i < file->n; i++) {
        struct ini_section *s = &file->sections[i];
        for (int k = 0; k < s->n; k++) {
            free(s->keys[k].name);
            free(s->keys[k].value);
        }
        free(s->keys);
        free(s->name);
    }
    free(file->sections);
    free(file->shown);
    free(file);
}

struct ini_section *ini_section_find(const struct ini_file *file, const char *name)
{
    for (int i = 0; i < file->n; i++)
        if (strcmp(file->sections[i].name, name) == 0)
            return &file->sections[i];
    return NULL;
}

struct ini_key *ini_find(const struct ini_section *section, const char *key)
{
    for (int i = 0; i < section->n; i++)
        if (strcmp(section->keys[i].name, key) == 0)
            return &section->keys[i];
    return NULL;
}
