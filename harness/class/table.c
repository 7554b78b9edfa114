/* The text of a table as spreadsheets write it: in UTF-8, UTF-16 or Windows' Latin letters, cut by
 * commas, semicolons or tabs. */
#define _GNU_SOURCE
#include "harness/class/table.h"

#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_BYTES ((size_t)4 << 20)
#define MOST_LINES 8 /* of one row, whose text has lines of its own */

/* What `text` is written in, and how many bytes before it say so. */
static const char *encoding_of(const char *text, size_t n, size_t *mark)
{
    *mark = 2;
    if (n >= 2 && !memcmp(text, "\xff\xfe", 2))
        return "UTF-16LE";
    if (n >= 2 && !memcmp(text, "\xfe\xff", 2))
        return "UTF-16BE";
    *mark = n >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
    if (n >= 2 && !text[1])
        return "UTF-16LE";
    if (n >= 2 && !text[0])
        return "UTF-16BE";
    return NULL;
}

/* n bytes in an encoding as UTF-8, the caller's; NULL where they are not in it. */
static char *as_utf8(const char *encoding, const char *text, size_t n)
{
    const iconv_t to = iconv_open("UTF-8", encoding);
    char *from = (char *)text, *utf8 = hpc_malloc(3 * n + 1), *end = utf8;
    size_t left = n, room = 3 * n;
    if (to == (iconv_t)-1) {
        free(utf8);
        return NULL;
    }
    const bool good = iconv(to, &from, &left, &end, &room) != (size_t)-1;
    iconv_close(to);
    *end = '\0';
    if (good && strlen(utf8) == (size_t)(end - utf8))
        return utf8;
    free(utf8);
    return NULL;
}

/* Without a mark: UTF-8 where it is some, else Windows' Latin letters. */
static char *decoded(const char *text, size_t n)
{
    size_t mark;
    const char *encoding = encoding_of(text, n, &mark);
    char *utf8 = as_utf8(encoding ? encoding : "UTF-8", text + mark, n - mark);
    return utf8 || encoding ? utf8 : as_utf8("WINDOWS-1252", text, n);
}

/* What stands between fields: of three the one that the first line has most of, outside quotes. */
static char separator_of(const char *text)
{
    static const char marks[] = ",;\t";
    int count[3] = {0};
    bool quoted = false;
    for (; *text && *text != '\n'; text++) {
        const char *is = strchr(marks, *text);
        quoted ^= *text == '"';
        count[is && !quoted ? is - marks : 0] += is && !quoted;
    }
    const int best = count[1] > count[0] ? 1 : 0;
    return marks[count[2] > count[best] ? 2 : best];
}

bool table_open(const char *path, struct table *t, struct hpc_error *err)
{
    *t = (struct table){.separator = ','};
    FILE *f = fopen(path, "re");
    if (!f)
        return hpc_fail(err, "%s: %s, expected a roster", path, strerror(errno));
    char *bytes = hpc_malloc(MOST_BYTES + 1);
    const size_t n = fread(bytes, 1, MOST_BYTES + 1, f);
    const bool failed = ferror(f) != 0;
    fclose(f);
    if (!failed && n <= MOST_BYTES)
        t->text = decoded(bytes, n);
    free(bytes);
    if (failed)
        return hpc_fail(err, "%s: %s, expected a roster", path, strerror(EISDIR));
    if (!t->text)
        return hpc_fail(err, "%s: is no text of at most %zu MiB, expected a CSV file", path,
                        MOST_BYTES >> 20);
    t->at = t->text;
    if (!strchr(t->text, '\n')) /* Excel's "CSV (Macintosh)" ends lines by a return alone */
        for (char *p = t->text; (p = strchr(p, '\r')) != NULL;)
            *p = '\n';
    if (strncasecmp(t->at, "sep=", 4) == 0 && t->at[4]) { /* Excel's line for itself */
        t->separator = t->at[4];
        t->at += strcspn(t->at, "\n");
        t->at += *t->at == '\n';
        t->line = 1;
    } else
        t->separator = separator_of(t->at);
    return true;
}

void table_close(struct table *t)
{
    free(t->row);
    free(t->text);
    *t = (struct table){.text = NULL};
}

/* Cut a row into fields in place; "a ""quoted"" one" loses its quotes. Returns how many, or -1
 * where a quote is not closed or there are too many. */
static int cut(char *row, char separator, char *field[TABLE_COLUMNS])
{
    int n = 0;
    memset(field, 0, TABLE_COLUMNS * sizeof *field);
    for (char *p = row;; p++) {
        p += strspn(p, separator == '\t' ? " " : " \t");
        char *to = p;
        const bool quoted = *p == '"';
        bool closed = !quoted;
        if (n == TABLE_COLUMNS)
            return -1;
        field[n++] = to;
        for (p += quoted; *p && (quoted || *p != separator); p++) {
            closed = quoted && *p == '"' && *++p != '"';
            if (closed)
                break;
            *to++ = *p;
        }
        if (quoted && !closed)
            return -1;
        p += quoted ? strspn(p, " ") : 0;
        const char end = *p;
        if (end && end != separator)
            return -1;
        while (to > field[n - 1] && isspace((unsigned char)to[-1]))
            to--;
        *to = '\0';
        if (!end)
            return n;
    }
}

/* The next `lines` lines as one row in t->row, whose end is returned. */
static const char *take_lines(struct table *t, int lines)
{
    const char *end = t->at;
    for (int i = 0; i < lines && *end; i++) {
        end += strcspn(end, "\n");
        end += *end == '\n';
    }
    free(t->row);
    t->row = hpc_printf("%.*s", (int)(end - t->at), t->at);
    size_t n = strlen(t->row);
    while (n > 0 && strchr("\r\n", t->row[n - 1]))
        t->row[--n] = '\0';
    for (char *p = t->row; (p = strpbrk(p, "\r\n")) != NULL; p++)
        *p = ' ';
    return end;
}

int table_row(struct table *t, int expected, char *field[TABLE_COLUMNS])
{
    int fields = -1, lines = 0, begun = t->line;
    if (!*t->at)
        return 0;
    const char *end = t->at;
    while (fields < 0 && lines < MOST_LINES && *end) {
        end = take_lines(t, ++lines);
        fields = cut(t->row, t->separator, field);
        if (lines > 1 && fields != expected)
            fields = -1;
    }
    if (fields < 0) { /* a quote that nothing closes spoils its own line alone */
        lines = 1;
        end = take_lines(t, lines);
        cut(t->row, t->separator, field);
    }
    t->at = end;
    t->line = begun + lines;
    t->begun = begun + 1;
    return fields;
}
