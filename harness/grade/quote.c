/* The student's own lines that a report names. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/grade/internal.h"

#define PLACES 3
#define LINE   120

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
    say_relaxed(path, file, o);
    free(both);
    free(path);
}
