/* The student's own lines that a report names. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/grade/internal.h"

#define PLACES 3
#define LINE   120

char *grade_place(const char *root, const char *at, long *number)
{
    const char *colon = at ? strchr(at, ':') : NULL;
    if (!colon)
        return NULL;
    *number = strtol(colon + 1, NULL, 10);
    return hpc_printf("%s/%.*s", root, (int)(colon - at), at);
}

bool grade_line(const char *path, long number, char *line, size_t size)
{
    FILE *f = fopen(path, "re");
    bool found = false;
    char *text = NULL;
    size_t room = 0;
    for (long n = 1; f && !found && getline(&text, &room, f) >= 0; n++)
        if (n == number) {
            char *begin = text + strspn(text, " \t"), *end = begin + strlen(begin);
            while (end > begin && isspace((unsigned char)end[-1]))
                end--;
            snprintf(line, size, "%.*s", (int)(end - begin), begin);
            found = end > begin;
        }
    free(text);
    if (f)
        fclose(f);
    return found;
}

/* Of a race, in front of all other hints: the first line whose atomic operation orders nothing, for
 * what it is to part looks ordered. */
static void say_relaxed(const char *path, const char *file, struct outcome *o)
{
    static const char word[] = "memory_order_relaxed";
    const struct outcome was = *o;
    const bool race = strstr(o->reason, "data race") && !strstr(o->hint, word);
    FILE *f = race ? fopen(path, "re") : NULL;
    bool found = false;
    char *text = NULL;
    size_t room = 0;
    for (long number = 1; f && !found && getline(&text, &room, f) >= 0; number++) {
        found = strstr(text, word) != NULL;
        if (found)
            outcome_hint(
                o,
                "is it %s at %s:%ld that is to part the two? It has nobody see what others "
                "wrote before: memory_order_release where a store lets them go on, "
                "memory_order_acquire where a load waits for it; %s",
                word, file, number, was.hint);
    }
    free(text);
    if (f)
        fclose(f);
}

/* Whether a line makes a variable's new value of its old one. */
static bool changes_itself(const char *line)
{
    static const char *const signs[] = {"+=", "-=", "*=", "|=", "++", "--"};
    const char *set = strchr(line, '=');
    char name[LINE];
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(line, signs[i]))
            return true;
    while (set && set > line && set[-1] == ' ')
        set--;
    snprintf(name, sizeof name, "%.*s", set ? (int)(set - line) : 0, line);
    return *name && strstr(line + strlen(name), name);
}

/* Whether a line turns a variable, as `sense = !sense`, whose name is given then. */
static bool turns(const char *line, char *name, size_t size)
{
    const char *set = strchr(line, '=');
    size_t n = set ? (size_t)(set - line) : 0;
    while (n > 0 && line[n - 1] == ' ')
        n--;
    const size_t word = n;
    while (n > 0 && line[n - 1] != ' ' && line[n - 1] != '*')
        n--;
    snprintf(name, size, "%.*s", (int)(word - n), line + n);
    if (!set || !*name)
        return false;
    const char *value = set + 1 + strspn(set + 1, " ");
    const char *const forms[] = {"!", "1 - ", "1-", "~"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strncmp(value, forms[i], strlen(forms[i])) == 0 &&
            strncmp(value + strlen(forms[i]), name, strlen(name)) == 0)
            return true;
    return set > line && set[-1] == '^';
}

/* What two threads that change at one line what they share make of it. */
static void say_change(const char *line, long at, struct outcome *o)
{
    const struct outcome was = *o;
    char name[LINE];
    if (strncmp(line, "for (", 5) == 0)
        outcome_hint(o,
                     "the loop of line %ld counts by a variable that all threads share: declare it "
                     "in the loop, as in for (int i = .., or as private; %s",
                     at, was.hint);
    else if (turns(line, name, sizeof name))
        outcome_hint(o,
                     "line %ld turns %s, one for all threads, so that the next one turns it back: "
                     "each thread turns a sense of its own, which it keeps from barrier to "
                     "barrier, and waits until the shared one has that value; %s",
                     at, name, was.hint);
    else if (memchr(line, '[', strcspn(line, "=")))
        outcome_hint(
            o,
            "both change the same elements at line %ld, and what one makes of them is lost "
            "where the other has read them before: share out the elements and not the "
            "terms that are added to one, or let each thread have sums of its own; %s",
            at, was.hint);
    else
        outcome_hint(o,
                     "both change one variable at line %ld, and what one makes of it is lost where "
                     "the other has read it before: each thread needs one of its own there, as "
                     "where a loop shares out the sums and not the terms of one, or a lock; %s",
                     at, was.hint);
}

/* Of a race whose both sides are one line, in front of all other hints: what that says. */
static void say_one_line(const char *path, const char *file, struct outcome *o)
{
    const char *race = strstr(o->reason, "data race at ");
    race = race ? race : strstr(o->hint, "data race at ");
    const char *first = race ? strstr(race, file) : NULL;
    const char *other = first ? strstr(first + 1, file) : NULL;
    const size_t n = strlen(file) + 1;
    char line[LINE];
    if (!other || strtol(first + n, NULL, 10) != strtol(other + n, NULL, 10) ||
        !grade_line(path, strtol(first + n, NULL, 10), line, sizeof line))
        return;
    const long at = strtol(first + n, NULL, 10);
    if (changes_itself(line))
        say_change(line, at, o);
    else
        outcome_hint(o,
                     "both are at line %ld at the same elements: each thread needs some of its own "
                     "there; %s",
                     at, o->hint);
}

/* Of a hang or a crash, whose reason becomes what a sanitizer sees: that stands in front, and what
 * was said before it goes behind. */
static void put_behind(struct outcome *o, const char *was)
{
    const size_t all = strlen(o->hint), n = strlen(was);
    if ((o->verdict != VERDICT_TIMEOUT && o->verdict != VERDICT_CRASH) || all < n + 2 ||
        strcmp(o->hint + all - n, was) != 0)
        return;
    char *front = hpc_printf("%.*s", (int)(all - n - 2), o->hint);
    outcome_hint(o, "%s%s%s", was, outcome_joint(was), front);
    free(front);
}

void grade_quote(const struct grading *g, struct trial *t, struct task_result *result)
{
    char file[2 * LAB_NAME + 16], *path, line[LINE];
    long seen[PLACES];
    int n = 0;
    struct outcome *o = &result->outcome;
    snprintf(file, sizeof file, "labs/%s/%s", g->project->lab->name, t->task->file);
    path = hpc_printf("%s/%s", g->project->root, file);
    char *both = hpc_printf("%s\n%s", o->reason, o->hint);
    for (const char *p = both; n < PLACES && (p = strstr(p, file)) != NULL; p++) {
        const long number = p[strlen(file)] == ':' ? strtol(p + strlen(file) + 1, NULL, 10) : 0;
        if (number < 1 || (n > 0 && seen[0] == number) || (n > 1 && seen[1] == number) ||
            !grade_line(path, number, line, sizeof line) ||
            strlen(o->hint) + strlen(line) + 40 > sizeof o->hint)
            continue;
        seen[n++] = number;
        outcome_hint(o, "%s%sline %ld: %s", o->hint, outcome_joint(o->hint), number, line);
    }
    char *was = hpc_strdup(o->hint);
    say_relaxed(path, file, o);
    bool said = !strstr(both, "data race") || strstr(o->hint, "memory_order_relaxed");
    for (int i = 0; i < n && !said; i++)
        said = grade_regions(path, file, seen[i], o);
    if (!said)
        say_one_line(path, file, o);
    put_behind(o, was);
    free(was);
    free(both);
    free(path);
}
