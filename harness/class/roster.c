#define _GNU_SOURCE
#include "harness/class/roster.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/text.h"
#include "harness/class/table.h"

#define NO_COLUMN (-1)

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

/* "1.5" or, as a German spreadsheet has it, "1,5". "1,500" may be either, and is none. */
static bool read_points(const char *text, double *value)
{
    char number[40], *end = number, *comma;
    if (strlen(text) >= sizeof number)
        return false;
    strcpy(number, text);
    comma = strchr(number, ',');
    if (comma && !strchr(number, '.') && strspn(comma + 1, "0123456789") != 3)
        *comma = '.';
    *value = strtod(number, &end);
    return end != number && !*end && isfinite(*value) && *value >= 0;
}

static bool set_field(const char *path, struct roster_student *s, int column, const char *text,
                      struct hpc_error *err)
{
    void *at = (char *)s + columns[column].at;
    const char *name = columns[column].name, *expected = "a number, 0 or more";
    bool good = true;
    if (columns[column].kind == TEXT) {
        expected = "at most 95 bytes";
        good = strlen(text) < ROSTER_TEXT;
        snprintf(at, ROSTER_TEXT, "%s", text);
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

/* Which column each field of the first line is; NO_COLUMN: one without a name, which a spreadsheet
 * adds behind the others. Returns how many, or 0 with *err. */
static int read_names(const char *path, struct table *t, int order[TABLE_COLUMNS],
                      struct hpc_error *err)
{
    char *field[TABLE_COLUMNS];
    bool has[N_COLUMNS] = {false};
    const int n = table_row(t, 0, field);
    if (n == 0)
        hpc_fail(err, "%s: is empty, expected the names of columns in its first line", path);
    if (n < 0)
        hpc_fail(err, "%s:1: a quote that is not closed or more than %d columns, expected names",
                 path, TABLE_COLUMNS);
    for (int i = 0; i < n; i++) {
        order[i] = NO_COLUMN;
        if (!*field[i])
            continue;
        order[i] = 0;
        while (order[i] < N_COLUMNS && strcasecmp(columns[order[i]].name, field[i]) != 0)
            order[i]++;
        if (order[i] == N_COLUMNS) {
            hpc_fail(err,
                     "%s:%d: column '%.40s', expected id, name, email, group, github, "
                     "extension_hours, late_days, attempt, override or reason",
                     path, t->begun, field[i]);
            return 0;
        }
        if (has[order[i]]) {
            hpc_fail(err, "%s:%d: column %s is there twice, expected it once", path, t->begun,
                     columns[order[i]].name);
            return 0;
        }
        has[order[i]] = true;
    }
    if (n > 0 && !has[0])
        hpc_fail(err, "%s:%d: no column id, expected one in the first line", path, t->begun);
    return has[0] ? n : 0;
}

static bool check_student(const char *path, const struct roster *r, const struct roster_student *s,
                          struct hpc_error *err)
{
    if (!s->id[0])
        return hpc_fail(err, "%s:%d: no id, expected one", path, s->line);
    if (s->has_override && !s->reason[0])
        return hpc_fail(err, "%s:%d: override without a reason, expected both", path, s->line);
    if (s->has_override && s->override > r->most)
        return hpc_fail(err, "%s:%d: override = %g, expected at most %g, which the lab can give",
                        path, s->line, s->override, r->most);
    const struct roster_student *other = roster_find(r, s->id);
    return !other || hpc_fail(err,
                              "%s:%d: id %s is there twice, first in line %d, expected one line a "
                              "student",
                              path, s->line, s->id, other->line);
}

static struct roster_student *append(struct roster *r)
{
    r->student = hpc_realloc(r->student, (unsigned long)(r->n + 1) * sizeof *r->student);
    memset(&r->student[r->n], 0, sizeof *r->student);
    return &r->student[r->n++];
}

static bool is_blank(char *const *field, int n)
{
    for (int i = 0; i < n; i++)
        if (*field[i])
            return false;
    return n >= 0;
}

/* One student, or one row that is left out, of which all is taken that can be read. */
static void read_row(const char *path, struct roster *r, const struct table *t, char *const *field,
                     int fields, const int *order, int n)
{
    struct roster_student s = {.line = t->begun};
    struct hpc_error err = {.text = ""}, other;
    if (fields < 0)
        hpc_fail(
            &err,
            "%s:%d: a quote that is not closed or behind which text stands, expected %d fields",
            path, t->begun, n);
    else if (fields != n)
        hpc_fail(&err, "%s:%d: %d field%s, expected %d as in the first line", path, t->begun,
                 fields, fields == 1 ? "" : "s", n);
    for (int i = 0; i < n && field[i]; i++)
        if (order[i] != NO_COLUMN)
            set_field(path, &s, order[i], field[i], err.text[0] ? &other : &err);
    if (err.text[0] || !check_student(path, r, &s, &err)) {
        r->left = hpc_realloc(r->left, (unsigned long)(r->n_left + 1) * sizeof *r->left);
        r->left[r->n_left].who = s;
        text_fit(r->left[r->n_left].why, sizeof r->left->why, "%s", err.text);
        hpc_harmless(r->left[r->n_left++].why);
    } else
        *append(r) = s;
}

bool roster_read(const char *path, double most, struct roster *r, struct hpc_error *err)
{
    struct table t;
    char *field[TABLE_COLUMNS];
    int order[TABLE_COLUMNS], fields;
    *r = (struct roster){.most = most};
    if (!table_open(path, &t, err))
        return false;
    const int n = read_names(path, &t, order, err);
    while (n && (fields = table_row(&t, n, field)) != 0)
        if (!is_blank(field, fields))
            read_row(path, r, &t, field, fields, order, n);
    table_close(&t);
    if (n && !r->n && r->n_left)
        hpc_fail(err, "%s", r->left[0].why);
    else if (n && !r->n)
        hpc_fail(err, "%s: no student, expected a line each below the names of columns", path);
    const bool good = r->n > 0;
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

void roster_remove(struct roster *r, const char *id)
{
    struct roster_student *s = roster_find(r, id);
    if (s)
        memmove(s, s + 1, (size_t)(r->student + --r->n - s) * sizeof *s);
}

void roster_free(struct roster *r)
{
    free(r->student);
    free(r->left);
    *r = (struct roster){.n = 0};
}

static bool fits(const struct roster_student *s, enum roster_key kind, const char *key,
                 enum spelling how)
{
    const size_t local = strcspn(s->email, "@");
    if (strcasecmp(s->id, key) == 0)
        return *key != '\0';
    switch (kind) {
    case ROSTER_EMAIL:
        return strcasecmp(s->email, key) == 0;
    case ROSTER_GITHUB:
        return strcasecmp(s->github, key) == 0;
    case ROSTER_NAME:
    case ROSTER_SQUEEZED:
        return same_name(s->name, key, how);
    case ROSTER_ID:
        break;
    }
    return strcasecmp(s->email, key) == 0 ||
           (local && strlen(key) == local && strncasecmp(s->email, key, local) == 0);
}

const struct roster_left *roster_left_out(const struct roster *r, enum roster_key kind,
                                          const char *key)
{
    for (int i = 0; i < r->n_left && *key; i++)
        for (int how = 0; how < SPELLINGS; how++)
            if (fits(&r->left[i].who, kind, key, (enum spelling)how))
                return &r->left[i];
    return NULL;
}

struct roster_student *roster_match(const struct roster *r, enum roster_key kind, const char *key)
{
    struct roster_student *found = NULL;
    const bool name = kind == ROSTER_NAME || kind == ROSTER_SQUEEZED;
    for (int how = 0; how < (name ? SPELLINGS : 1) && !found; how++) {
        for (int i = 0; i < r->n && *key; i++)
            if (fits(&r->student[i], kind, key, (enum spelling)how)) {
                if (found)
                    return NULL;
                found = &r->student[i];
            }
        for (int i = 0; i < r->n_left && *key; i++)
            if (fits(&r->left[i].who, kind, key, (enum spelling)how) &&
                (!found || strcasecmp(r->left[i].who.id, found->id) != 0))
                return NULL;
    }
    return found;
}

struct roster_student *roster_of_group(const struct roster *r, const char *key)
{
    struct roster_student *found = NULL;
    for (int i = 0; i < r->n && *key; i++) {
        struct roster_student *s = &r->student[i];
        if (!s->group[0] || !same_name(s->group, key, SPELLED_SO))
            continue;
        if (found && strcasecmp(found->group, s->group) != 0)
            return NULL;
        found = found ? found : s;
    }
    return found;
}
