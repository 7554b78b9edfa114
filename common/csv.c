/* Reads a line, splits it at commas, parses each field with strtod after a look at its characters
 * (strtod alone would take hex, "nan" and "infinity"). Nothing is read beyond a line's end. */
#define _GNU_SOURCE
#include "common/csv.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A reader's state. `line` is NUL-terminated; it holds `length` bytes without the line's end. */
struct reader {
    const char *path;
    FILE *file;
    char *line;
    size_t length, room;
    int number;     /* of the line in `line`, from 1 */
    int blank;      /* line number of the first blank line in a row of them, or 0 */
    long rows_told; /* by a first line of counts, or -1 */
    long columns_told;
    size_t values_room;
};

enum field_kind { FIELD_NUMBER, FIELD_WORD, FIELD_OTHER };

char *csv_quote(const char *bytes, size_t n, char *text, size_t size)
{
    size_t k = 0, limit = size - 6;
    if (limit > 40)
        limit = 40;
    text[k++] = '\'';
    for (size_t i = 0; i < n && i < limit; i++)
        text[k++] = isprint((unsigned char)bytes[i]) ? bytes[i] : '?';
    if (n > limit) {
        memcpy(text + k, "..", 2);
        k += 2;
    }
    text[k++] = '\'';
    text[k] = 0;
    return text;
}

/* 1: a line was read; 0: end of the file; -1: *err is filled. */
static int read_line(struct reader *r, struct hpc_error *err)
{
    r->length = 0;
    int c = getc_unlocked(r->file);
    if (c == EOF && !ferror(r->file))
        return 0;
    r->number++;
    for (; c != EOF && c != '\n'; c = getc_unlocked(r->file)) {
        if (r->length == CSV_MAX_LINE) {
            hpc_fail(err, "%s, line %d: longer than %d bytes, expected rows of numbers", r->path,
                     r->number, CSV_MAX_LINE);
            return -1;
        }
        if (c == 0 || (c < ' ' && c != '\t' && c != '\r')) {
            hpc_fail(err, "%s, line %d: byte 0x%02x found, expected text: this is no CSV file",
                     r->path, r->number, c);
            return -1;
        }
        if (r->length + 1 >= r->room) {
            r->room = r->room ? 2 * r->room : 4096;
            r->line = hpc_realloc(r->line, r->room);
        }
        r->line[r->length++] = (char)c;
    }
    if (ferror(r->file)) {
        hpc_fail(err, "%s: cannot be read: %s", r->path, strerror(errno));
        return -1;
    }
    if (!r->line)
        r->line = hpc_malloc(r->room = 4096);
    if (r->length && r->line[r->length - 1] == '\r')
        r->length--;
    r->line[r->length] = 0;
    if (r->number == 1 && r->length >= 3 && memcmp(r->line, "\xef\xbb\xbf", 3) == 0)
        memmove(r->line, r->line + 3, (r->length -= 3) + 1);
    if (r->number == INT_MAX) {
        hpc_fail(err, "%s: more than %d lines", r->path, INT_MAX - 1);
        return -1;
    }
    return 1;
}

static bool is_blank(const char *s)
{
    return s[strspn(s, " \t\r")] == 0;
}

/* The next field of a line from *at on, without the blanks around it; moves *at behind the comma,
 * or to NULL after the last field. */
static const char *next_field(const char **at, size_t *length)
{
    const char *first = *at, *end = first + strcspn(first, ",");
    *at = *end ? end + 1 : NULL;
    while (first < end && isblank((unsigned char)*first))
        first++;
    while (end > first && isblank((unsigned char)end[-1]))
        end--;
    *length = (size_t)(end - first);
    return first;
}

/* A finite decimal number is FIELD_NUMBER and stored in *value. */
static enum field_kind parse_field(const char *field, size_t length, double *value)
{
    static const char *const absent[] = {"nan", "na", "n/a", "inf", "infinity", "null", "none"};
    if (length > 0 && strspn(field, "0123456789+-.eE") >= length) {
        char *end;
        *value = strtod(field, &end);
        return end == field + length && isfinite(*value) ? FIELD_NUMBER : FIELD_OTHER;
    }
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (length == strlen(absent[i]) && strncasecmp(field, absent[i], length) == 0)
            return FIELD_OTHER;
    bool word = length > 0 && (isalpha((unsigned char)*field) || *field == '"' || *field == '#');
    return word ? FIELD_WORD : FIELD_OTHER;
}

/* Is line 1 a header? Words and no number; or two counts and words. */
static bool is_header(struct reader *r)
{
    const char *at = r->line;
    int fields = 0, numbers = 0, words = 0;
    double count[2] = {-1, -1};
    while (at) {
        size_t length;
        double value;
        const char *field = next_field(&at, &length);
        enum field_kind kind = parse_field(field, length, &value);
        if (kind == FIELD_NUMBER && fields < 2)
            count[fields] = value;
        numbers += kind == FIELD_NUMBER;
        words += kind == FIELD_WORD;
        fields++;
    }
    if (words == fields)
        return true;
    bool counts = numbers == 2 && words > 0 && words == fields - 2 && count[0] >= 0 &&
                  count[1] >= 0 && count[0] < 1e9 && count[1] < 1e9 &&
                  count[0] == floor(count[0]) && count[1] == floor(count[1]);
    if (counts) {
        r->rows_told = (long)count[0];
        r->columns_told = (long)count[1] + 1;
    }
    return counts;
}

static bool bad_field(const struct reader *r, int column, const char *field, size_t length,
                      struct hpc_error *err)
{
    char quoted[64];
    if (length == 0)
        return hpc_fail(err, "%s, line %d, column %d: missing value, expected a number", r->path,
                        r->number, column);
    const char *hint = memchr(field, ';', length) ? " (fields are separated by commas)"
                       : *field == '"'            ? " without quotes"
                                                  : "";
    return hpc_fail(err, "%s, line %d, column %d: %s found, expected a finite decimal number%s",
                    r->path, r->number, column, csv_quote(field, length, quoted, sizeof quoted),
                    hint);
}

/* Append the line in r to out. */
static bool add_row(struct reader *r, struct csv *out, struct hpc_error *err)
{
    int columns = 1;
    for (const char *c = r->line; (c = strchr(c, ',')); c++)
        columns++;
    if (columns > CSV_MAX_COLUMNS)
        return hpc_fail(err, "%s, line %d: %d columns found, at most %d expected", r->path,
                        r->number, columns, CSV_MAX_COLUMNS);
    if (out->rows == 0) {
        out->first_line = r->number;
        if (out->columns == 0)
            out->columns = columns;
    }
    size_t used = (size_t)out->rows * (size_t)out->columns;
    while (used + (size_t)out->columns > r->values_room) {
        r->values_room = r->values_room ? 2 * r->values_room : 1024;
        out->value = hpc_realloc(out->value, r->values_room * sizeof *out->value);
    }
    const char *at = r->line;
    for (int c = 0; at && c < out->columns; c++) {
        size_t length;
        const char *field = next_field(&at, &length);
        if (parse_field(field, length, &out->value[used + (size_t)c]) != FIELD_NUMBER)
            return bad_field(r, c + 1, field, length, err);
    }
    if (columns != out->columns)
        return hpc_fail(err, "%s, line %d: %d column%s found, expected %d", r->path, r->number,
                        columns, columns == 1 ? "" : "s", out->columns);
    out->rows++;
    return true;
}

static bool read_rows(struct reader *r, const struct csv_options *options, struct csv *out,
                      struct hpc_error *err)
{
    int got;
    while ((got = read_line(r, err)) > 0) {
        if (is_blank(r->line)) {
            if (!r->blank)
                r->blank = r->number;
            continue;
        }
        if (r->blank)
            return hpc_fail(err, "%s, line %d: blank line, expected a row of numbers", r->path,
                            r->blank);
        if (r->number == 1 && (options->header == CSV_HEADER_SKIP ||
                               (options->header == CSV_HEADER_AUTO && is_header(r))))
            continue;
        if (!add_row(r, out, err))
            return false;
    }
    if (got < 0)
        return false;
    if (out->rows == 0)
        return hpc_fail(err, "%s: no row of numbers in it, expected at least one", r->path);
    if (r->rows_told >= 0 && (r->rows_told != out->rows || r->columns_told != out->columns))
        return hpc_fail(err, "%s, line 1: says %ld rows of %ld columns, found %d of %d", r->path,
                        r->rows_told, r->columns_told, out->rows, out->columns);
    return true;
}

bool csv_read(const char *path, const struct csv_options *options, struct csv *out,
              struct hpc_error *err)
{
    static const struct csv_options all_zero;
    if (!options)
        options = &all_zero;
    HPC_ASSERT(options->columns >= 0 && options->columns <= CSV_MAX_COLUMNS);
    *out = (struct csv){.columns = options->columns};
    struct reader r = {.path = path, .rows_told = -1};
    r.file = fopen(path, "re");
    bool ok = r.file ? read_rows(&r, options, out, err)
                     : hpc_fail(err, "%s: cannot be opened: %s; expected a CSV file of numbers",
                                path, strerror(errno));
    if (r.file)
        fclose(r.file);
    free(r.line);
    if (!ok)
        csv_free(out);
    return ok;
}

void csv_free(struct csv *csv)
{
    free(csv->value);
    *csv = (struct csv){0};
}
