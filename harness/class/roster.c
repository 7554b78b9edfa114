#define _GNU_SOURCE
#include "harness/class/roster.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wctype.h>

#define MOST_COLUMNS 32

enum kind { TEXT, NUMBER, ATTEMPT, OVERRIDE };
static const struct {
    const char *name;
    enum kind kind;
    size_t at;
} columns[] = {
#define COLUMN(name, kind, member)                                                                 \
    {                                                                                              \
        name, kind, offsetof(struct roster_student, member)                                        \
    }
    COLUMN("id", TEXT, id),
    COLUMN("name", TEXT, name),
    COLUMN("email", TEXT, email),
    COLUMN("group", TEXT, group),
    COLUMN("github", TEXT, github),
    COLUMN("reason", TEXT, reason),
    COLUMN("extension_hours", NUMBER, extension_hours),
    COLUMN("late_days", NUMBER, late_days),
    COLUMN("attempt", ATTEMPT, best),
    COLUMN("override", OVERRIDE, override),
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

/* Cut a line into fields in place; "a ""quoted"" one" loses its quotes. Returns how many, or -1
 * where a quote is not closed or there are too many. */
static int cut(char *line, char *field[MOST_COLUMNS])
{
    int n = 0;
    for (char *p = line;; p++) {
        char *to = p;
        const bool quoted = *p == '"';
        if (n == MOST_COLUMNS)
            return -1;
        field[n++] = to;
        for (p += quoted; *p && (quoted || *p != ','); p++) {
            if (quoted && *p == '"' && *++p != '"')
                break;
            *to++ = *p;
        }
        if (quoted && !*p && p[-1] != '"')
            return -1;
        const char end = *p;
        if (end && end != ',')
            return -1;
        while (!quoted && to > field[n - 1] && isspace((unsigned char)to[-1]))
            to--;
        *to = '\0';
        field[n - 1] += quoted ? 0 : strspn(field[n - 1], " ");
        if (!end)
            return n;
    }
}

static bool read_points(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value) && *value >= 0;
}

static bool set_field(const char *path, struct roster_student *s, int column, const char *text,
                      struct hpc_error *err)
{
    void *at = (char *)s + columns[column].at;
    const char *name = columns[column].name, *expected = "a number, 0 or more";
    bool good = true;
    if (columns[column].kind == TEXT) {
        expected = "less text";
        good = strlen(text) < ROSTER_TEXT;
        if (good)
            strcpy(at, text);
    } else if (*text && columns[column].kind == ATTEMPT) {
        expected = "best or last";
        s->best = strcasecmp(text, "best") == 0;
        good = s->best || strcasecmp(text, "last") == 0;
    } else if (*text) {
        good = read_points(text, at);
        s->has_override |= columns[column].kind == OVERRIDE;
    }
    return good ||
           hpc_fail(err, "%s:%d: %s = %.60s, expected %s", path, s->line, name, text, expected);
}

/* Which column each field of the first line is. */
static bool read_names(const char *path, char *line, int order[MOST_COLUMNS], int *n,
                       struct hpc_error *err)
{
    char *field[MOST_COLUMNS];
    bool id = false;
    *n = cut(line, field);
    for (int i = 0; i < *n; i++) {
        order[i] = 0;
        while (order[i] < N_COLUMNS && strcasecmp(columns[order[i]].name, field[i]) != 0)
            order[i]++;
        if (order[i] == N_COLUMNS)
            return hpc_fail(err,
                            "%s:1: column '%.40s', expected id, name, email, group, github, "
                            "extension_hours, late_days, attempt, override or reason",
                            path, field[i]);
        id |= order[i] == 0;
    }
    return id || hpc_fail(err, "%s:1: no column id, expected one in the first line", path);
}

static bool check_student(const char *path, const struct roster *r, const struct roster_student *s,
                          struct hpc_error *err)
{
    if (!s->id[0])
        return hpc_fail(err, "%s:%d: no id, expected one", path, s->line);
    if (s->has_override && !s->reason[0])
        return hpc_fail(err, "%s:%d: override without a reason, expected both", path, s->line);
    const struct roster_student *other = roster_find(r, s->id);
    return !other || hpc_fail(err, "%s:%d: id %s is there twice, first in line %d", path, s->line,
                              s->id, other->line);
}

static struct roster_student *append(struct roster *r)
{
    r->student = hpc_realloc(r->student, (unsigned long)(r->n + 1) * sizeof *r->student);
    memset(&r->student[r->n], 0, sizeof *r->student);
    return &r->student[r->n++];
}

static bool read_row(const char *path, struct roster *r, char *line, int number, const int *order,
                     int n, struct hpc_error *err)
{
    char *field[MOST_COLUMNS];
    struct roster_student s = {.line = number};
    const int fields = cut(line, field);
    if (fields != n)
        return hpc_fail(err, "%s:%d: %d fields, expected %d as in the first line", path, number,
                        fields < 0 ? 0 : fields, n);
    for (int i = 0; i < n; i++)
        if (!set_field(path, &s, order[i], field[i], err))
            return false;
    if (!check_student(path, r, &s, err))
        return false;
    *append(r) = s;
    return true;
}

bool roster_read(const char *path, struct roster *r, struct hpc_error *err)
{
    char *line = NULL;
    size_t room = 0;
    int order[MOST_COLUMNS], n = 0, number = 0;
    FILE *f = fopen(path, "re");
    bool good = f || hpc_fail(err, "%s: %s, expected a roster", path, strerror(errno));
    *r = (struct roster){.n = 0};
    while (good && getline(&line, &room, f) > 0) {
        char *text = line + (++number == 1 && strncmp(line, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
        text[strcspn(text, "\r\n")] = '\0';
        if (number == 1)
            good = read_names(path, text, order, &n, err);
        else if (*text)
            good = read_row(path, r, text, number, order, n, err);
    }
    if (good && r->n == 0)
        good =
            hpc_fail(err, "%s: no student, expected a line each below the names of columns", path);
    free(line);
    if (f)
        fclose(f);
    if (!good)
        roster_free(r);
    return good;
}

struct roster_student *roster_find(const struct roster *r, const char *id)
{
    for (int i = 0; i < r->n; i++)
        if (strcasecmp(r->student[i].id, id) == 0)
            return &r->student[i];
    return NULL;
}

void roster_add(struct roster *r, const char *id)
{
    r->made = true;
    if (!roster_find(r, id))
        snprintf(append(r)->id, ROSTER_TEXT, "%s", id);
}

void roster_free(struct roster *r)
{
    free(r->student);
    *r = (struct roster){.n = 0};
}

/* A letter of two bytes of UTF-8 (Latin, Greek, Cyrillic) as its small one, in place. */
static void small_letter(char *at)
{
    static locale_t utf8;
    utf8 = utf8 ? utf8 : newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    const wint_t c = (wint_t)(((unsigned char)at[0] & 0x1f) << 6 | ((unsigned char)at[1] & 0x3f));
    const wint_t small = utf8 ? towlower_l(c, utf8) : c;
    if (small < 0x80 || small > 0x7ff)
        return;
    at[0] = (char)(0xc0 | small >> 6);
    at[1] = (char)(0x80 | (small & 0x3f));
}

/* Letters and digits alone, lower case. */
static void squeeze(const char *text, char *to)
{
    for (; *text; text++)
        if (isalnum((unsigned char)*text) || (*text & 0x80)) {
            *to++ = (char)tolower((unsigned char)*text);
            if ((*text & 0xc0) == 0x80 && (text[-1] & 0xe0) == 0xc0)
                small_letter(to - 2);
        }
    *to = '\0';
}

/* Whether a is b, or its parts in another order: "adalovelace", "lovelaceada". */
static bool same_name(const char *name, const char *key)
{
    char a[ROSTER_TEXT], b[2 * ROSTER_TEXT], turned[2 * ROSTER_TEXT];
    if (strlen(key) >= sizeof b)
        return false;
    squeeze(key, b);
    for (const char *at = name; *b && at; at = *at ? strpbrk(at + 1, " ,") : NULL) {
        snprintf(turned, sizeof turned, "%s %.*s", at, (int)(at - name), name);
        if (strlen(turned) >= sizeof a)
            continue;
        squeeze(turned, a);
        if (strcmp(a, b) == 0)
            return true;
    }
    return false;
}

static bool fits(const struct roster_student *s, enum roster_key kind, const char *key)
{
    const size_t local = strcspn(s->email, "@");
    switch (kind) {
    case ROSTER_EMAIL:
        return strcasecmp(s->email, key) == 0 || strcasecmp(s->id, key) == 0;
    case ROSTER_GITHUB:
        return strcasecmp(s->github, key) == 0 || strcasecmp(s->id, key) == 0;
    case ROSTER_NAME:
    case ROSTER_SQUEEZED:
        return same_name(s->name, key) || strcasecmp(s->id, key) == 0;
    case ROSTER_ID:
        break;
    }
    return strcasecmp(s->id, key) == 0 || strcasecmp(s->email, key) == 0 ||
           (local && strlen(key) == local && strncasecmp(s->email, key, local) == 0);
}

struct roster_student *roster_match(const struct roster *r, enum roster_key kind, const char *key)
{
    struct roster_student *found = NULL;
    for (int i = 0; i < r->n && *key; i++)
        if (fits(&r->student[i], kind, key)) {
            if (found)
                return NULL;
            found = &r->student[i];
        }
    return found;
}
