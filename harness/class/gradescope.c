/* Gradescope's export: folders submission_N, and a list in YAML of which two lines a submitter
 * matter. */
#define _GNU_SOURCE
#include "harness/class/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds east of UTC that `text` names, up to its end: nothing, Z, UTC, GMT, +0100, +01:00. */
static bool zone_of(const char *text, int *seconds)
{
    static const char *const utc[] = {"", "Z", "UTC", "GMT"};
    int hours = 0, minutes = 0, n = 0;
    char sign = '+';
    char word[12];
    text += strspn(text, " ");
    const int length = (int)strcspn(text, " '\"\r\n");
    if (text[length + (int)strspn(text + length, " '\"\r\n")] != '\0')
        return false;
    snprintf(word, sizeof word, "%.*s", length, text);
    *seconds = 0;
    for (unsigned i = 0; i < sizeof utc / sizeof *utc; i++)
        if (strcmp(word, utc[i]) == 0)
            return true;
    if (sscanf(word, "%c%2d:%2d%n", &sign, &hours, &minutes, &n) < 3 &&
        sscanf(word, "%c%2d%2d%n", &sign, &hours, &minutes, &n) < 3 &&
        sscanf(word, "%c%2d%n", &sign, &hours, &n) < 2)
        return false;
    *seconds = (sign == '-' ? -1 : 1) * (hours * 60 + minutes) * 60;
    return n == length && strchr("+-", sign) && hours <= 14 && minutes >= 0 && minutes < 60;
}

bool find_time(const char *text, long long *seconds)
{
    struct tm t = {0};
    int east, n = 0;
    char between;
    text += strspn(text, " '\"");
    if (sscanf(text, "%4d-%2d-%2d%c%2d:%2d%n", &t.tm_year, &t.tm_mon, &t.tm_mday, &between,
               &t.tm_hour, &t.tm_min, &n) != 6 ||
        (between != 'T' && between != ' '))
        return false;
    text += n;
    if (sscanf(text, ":%2d%n", &t.tm_sec, &n) == 1)
        text += n;
    text += *text == '.' ? 1 + strspn(text + 1, "0123456789") : 0;
    t.tm_year -= 1900;
    t.tm_mon -= 1;
    struct tm is = t;
    *seconds = (long long)timegm(&is);
    if (is.tm_mon != t.tm_mon || is.tm_mday != t.tm_mday || is.tm_hour != t.tm_hour ||
        is.tm_min != t.tm_min || !zone_of(text, &east)) /* the 30th of February is another day */
        return false;
    *seconds -= east;
    return true;
}

/* The value behind `key`, where the line begins with it, without quotes; NULL: another line. Behind
 * another key it is a word of whoever chose that key's value. */
static const char *value_of(char *line, const char *key)
{
    char *at = line + strspn(line, " ");
    at += strncmp(at, "- ", 2) == 0 ? 2 : 0;
    if (strncmp(at, key, strlen(key)) != 0)
        return NULL;
    at += strlen(key);
    at += strspn(at, " ");
    const char quote = *at == '\'' || *at == '"' ? *at++ : '\n';
    const char ends[] = {quote, '\r', '\n', '\0'};
    at[strcspn(at, ends)] = '\0';
    return at;
}

/* What is said of one submission, line by line. */
struct said {
    struct roster *r;
    struct named *found;
    struct text *others;
    long long *time;
    bool submitters; /* the lines are of them */
    char key[3][ROSTER_TEXT];
};

/* The keys of a submitter, and how far each is to be trusted: a name is of their own choice. */
static const struct {
    const char *key;
    enum roster_key kind;
} keys[] = {{":sid:", ROSTER_ID}, {":email:", ROSTER_EMAIL}, {":name:", ROSTER_NAME}};

enum { KEY_COLUMN = 4 }; /* "  - :name: Ada", "    :sid:" */

/* One submitter has ended: the first that the roster knows is whose it is, the ids of others are
 * kept. */
static void take_submitter(struct said *s)
{
    for (int i = 0; i < 3; i++) {
        const char *key = s->key[i];
        if (*key && s->r->made)
            roster_add(s->r, key);
        const struct roster_student *who =
            s->r->made ? roster_find(s->r, key) : roster_match(s->r, keys[i].kind, key);
        if (!who)
            continue;
        if (s->found->key[0]) {
            text_add(s->others, "%s\n", who->id);
        } else {
            s->found->kind = keys[i].kind;
            strcpy(s->found->key, key);
        }
        break;
    }
    memset(s->key, 0, sizeof s->key);
}

/* Submitters stand in a list of their own: what a submission's tests printed stands there too, and
 * may hold such keys. */
static void take_line(struct said *s, char *line)
{
    if (strncmp(line, "  :", 3) == 0 || strncmp(line, "  - ", 4) == 0)
        take_submitter(s);
    if (strncmp(line, "  :", 3) == 0)
        s->submitters = strncmp(line, "  :submitters:", 14) == 0;
    const char *when = value_of(line, ":created_at:");
    if (when && strncmp(line, "  :created_at:", 14) == 0)
        find_time(when, s->time);
    const bool begins = strspn(line, " -") == KEY_COLUMN; /* else a long value goes on there */
    for (int i = 0; i < 3 && s->submitters && begins; i++) {
        const char *value = value_of(line, keys[i].key);
        if (value && strlen(value) < sizeof s->key[i])
            strcpy(s->key[i], value);
    }
}

bool gradescope_read(const char *dir, const char *name, struct roster *r, struct named *found,
                     struct text *others, long long *time)
{
    char *path = hpc_printf("%s/submission_metadata.yml", dir), *line = NULL;
    char *head = hpc_printf("%s:", name);
    size_t room = 0;
    bool inside = false, known = false;
    struct said s = {.r = r, .found = found, .others = others, .time = time};
    FILE *f = fopen(path, "re");
    *found = (struct named){.system = "Gradescope"};
    while (f && getline(&line, &room, f) > 0) {
        if (line[0] != ' ' && line[0] != '\n')
            inside = strncmp(line, head, strlen(head)) == 0;
        if (!inside)
            continue;
        known = true;
        take_line(&s, line);
    }
    take_submitter(&s);
    if (f)
        fclose(f);
    free(line);
    free(head);
    free(path);
    return known;
}
