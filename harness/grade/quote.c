/* The student's own lines that a report names. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/grade/internal.h"

#define PLACES 3
#define LINE   120
#define NEAR   15 /* lines, of a loop's body behind its pragma */

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

/* Lines of an OpenMP source, from 1 on; 0: none. */
struct openmp {
    long without_wait; /* of a loop before `at`, and near it, that says nowait */
    long master;       /* before `at`, and near it */
    long asked;        /* for threads, in a function that begins its region further down: */
    const char *call;
};

static void note_line(const char *text, long number, long at, long *outside, struct openmp *found)
{
    static const char *const calls[] = {"omp_get_num_threads", "omp_get_thread_num"};
    const bool pragma = strstr(text, "#pragma omp") != NULL;
    if (pragma && strstr(text, "nowait") && number < at && at - number <= NEAR)
        found->without_wait = number;
    if (pragma && strstr(text, "omp master") && number < at && at - number <= NEAR)
        found->master = number;
    if (*text == '{' || *text == '}') /* a function begins, or ends */
        *outside = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls && *outside == 0; i++)
        if (!pragma && strstr(text, calls[i])) {
            found->call = found->asked ? found->call : calls[i];
            *outside = number;
        }
    if (pragma && strstr(text, "parallel")) {
        found->asked = !found->asked && *outside > 0 ? *outside : found->asked;
        *outside = -1; /* what follows may stand in the region */
    }
}

/* Of a race, in front of all other hints: who was let go on without waiting, or how many threads a
 * place that none are at was asked. */
static void say_openmp(const char *path, const char *file, long at, struct outcome *o)
{
    const struct outcome was = *o;
    struct openmp found = {0};
    FILE *f =
        strstr(o->reason, "data race") || strstr(o->hint, "data race") ? fopen(path, "re") : NULL;
    char *text = NULL;
    size_t room = 0;
    long outside = 0;
    for (long number = 1; f && getline(&text, &room, f) >= 0; number++)
        note_line(text, number, at, &outside, &found);
    free(text);
    if (f)
        fclose(f);
    if (strstr(was.hint, "nowait at ") || strstr(was.hint, "omp master at ") ||
        strstr(was.hint, "() at "))
        return;
    if (found.asked)
        outcome_hint(o,
                     "%s() at %s:%ld is asked before the parallel region begins, where one thread "
                     "runs: it is %d there; %s",
                     found.call, file, found.asked, found.call[8] == 'n' ? 1 : 0, was.hint);
    else if (found.without_wait)
        outcome_hint(
            o,
            "is it nowait at %s:%ld? Who is done with that loop goes on, while others still "
            "write in it; %s",
            file, found.without_wait, was.hint);
    else if (found.master)
        outcome_hint(o,
                     "is it omp master at %s:%ld? Nobody waits at its end, as at that of single: "
                     "others go on while the main thread still works there; %s",
                     file, found.master, was.hint);
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
    for (int i = 0; i < n; i++)
        say_openmp(path, file, seen[i], o);
    free(both);
    free(path);
}
