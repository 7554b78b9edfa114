/* Gradescope's export: folders submission_N, and a list in YAML of which two lines a submitter
 * matter. */
#define _GNU_SOURCE
#include "harness/class/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool find_time(const char *text, long long *seconds)
{
    struct tm t = {0};
    int hours = 0, minutes = 0, n = 0;
    char sign = '+', between;
    text += strspn(text, " '\"");
    if (sscanf(text, "%4d-%2d-%2d%c%2d:%2d%n", &t.tm_year, &t.tm_mon, &t.tm_mday, &between,
               &t.tm_hour, &t.tm_min, &n) != 6 ||
        (between != 'T' && between != ' ') || t.tm_mon < 1 || t.tm_mon > 12 || t.tm_mday < 1 ||
        t.tm_mday > 31 || t.tm_hour > 23 || t.tm_min > 59)
        return false;
    text += n;
    if (sscanf(text, ":%2d%n", &t.tm_sec, &n) == 1)
        text += n;
    text += *text == '.' ? 1 + strspn(text + 1, "0123456789") : 0;
    text += strspn(text, " ");
    if (sscanf(text, "%c%2d:%2d", &sign, &hours, &minutes) < 3 || !strchr("+-", sign))
        if (sscanf(text, "%c%2d%2d", &sign, &hours, &minutes) < 2 || !strchr("+-", sign))
            hours = minutes = 0;
    t.tm_year -= 1900;
    t.tm_mon -= 1;
    *seconds = (long long)timegm(&t) - (sign == '-' ? -1 : 1) * (hours * 3600LL + minutes * 60LL);
    return true;
}

/* The value behind `key` in a line, without quotes; NULL where it is another line. */
static const char *value_of(char *line, const char *key)
{
    char *at = strstr(line, key);
    if (!at)
        return NULL;
    at += strlen(key);
    at += strspn(at, " ");
    const char quote = *at == '\'' || *at == '"' ? *at++ : '\n';
    const char ends[] = {quote, '\r', '\n', '\0'};
    at[strcspn(at, ends)] = '\0';
    return at;
}

/* The first key of a submission's that the roster knows. */
static void take_key(const struct roster *r, enum roster_key kind, const char *value,
                     struct named *found)
{
    if (!value || !*value || found->key[0] || strlen(value) >= sizeof found->key ||
        (!r->made && !roster_match(r, kind, value)))
        return;
    found->kind = kind;
    snprintf(found->key, sizeof found->key, "%s", value);
}

/* One line of what is said of a submission. Submitters stand in a list of their own: what its tests
 * printed stands there too, and may hold such keys. */
static void take_line(const struct roster *r, char *line, bool *submitters, struct named *found,
                      long long *time)
{
    if (strncmp(line, "  :", 3) == 0)
        *submitters = strncmp(line, "  :submitters:", 14) == 0;
    const char *when = value_of(line, ":created_at:");
    if (when && strncmp(line, "  :created_at:", 14) == 0)
        find_time(when, time);
    if (!*submitters)
        return;
    take_key(r, ROSTER_ID, value_of(line, ":sid:"), found);
    take_key(r, ROSTER_EMAIL, value_of(line, ":email:"), found);
    take_key(r, ROSTER_NAME, value_of(line, "- :name:"), found);
}

bool gradescope_read(const char *dir, const char *name, const struct roster *r, struct named *found,
                     long long *time)
{
    char *path = hpc_printf("%s/submission_metadata.yml", dir), *line = NULL;
    char *head = hpc_printf("%s:", name);
    size_t room = 0;
    bool inside = false, known = false, submitters = false;
    FILE *f = fopen(path, "re");
    *found = (struct named){.system = "Gradescope"};
    while (f && getline(&line, &room, f) > 0) {
        if (line[0] != ' ' && line[0] != '\n')
            inside = strncmp(line, head, strlen(head)) == 0;
        if (!inside)
            continue;
        known = true;
        take_line(r, line, &submitters, found, time);
    }
    if (f)
        fclose(f);
    free(line);
    free(head);
    free(path);
    return known;
}
