/* Which lock threads were seen at, by the words of the source's line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "harness/grade/internal.h"

#define UNNAMED "the critical section"

/* What stands between the parentheses behind `from`, to `to`: the first argument, without "&". */
static void argument(const char *from, char *to, size_t size)
{
    const char *begin = from + strcspn(from, "("), *end;
    int depth = 0;
    begin += strspn(begin, "( &");
    for (end = begin; *end && !(depth == 0 && (*end == ')' || *end == ',')); end++)
        depth += (*end == '(' || *end == '[') - (*end == ')' || *end == ']');
    snprintf(to, size, "%.*s", (int)(end - begin), begin);
}

bool lock_name(const char *line, char *name, size_t size)
{
    static const char *const calls[] = {
        "pthread_mutex_lock",  "pthread_spin_lock", "pthread_rwlock_",      "omp_set_lock",
        "omp_set_nest_lock",   "mtx_lock",          "pthread_mutex_unlock", "omp_unset_lock",
        "pthread_spin_unlock", "mtx_unlock"};
    const char *critical = strstr(line, "critical"), *pragma = strstr(line, "omp");
    char which[40];
    if (critical && pragma && pragma < critical) {
        argument(critical, which, sizeof which);
        snprintf(name, size, "%s%s%s", UNNAMED, strchr(critical, '(') ? " " : "",
                 strchr(critical, '(') ? which : "");
        return true;
    }
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const char *call = strstr(line, calls[i]);
        if (!call)
            continue;
        argument(call, which, sizeof which);
        snprintf(name, size, "the lock %s", which);
        return true;
    }
    return false;
}

/* Whether who takes the lock of line `number` waits for a condition with it, or wakes all who do:
 * then it is a barrier's. */
static bool for_condition(const char *path, long number)
{
    char line[160];
    while (grade_line(path, ++number, line, sizeof line) && !strstr(line, "unlock"))
        if (strstr(line, "wait(") || strstr(line, "broadcast("))
            return true;
    return false;
}

bool lock_of_work(const char *root, const char *place, struct lock_time *l)
{
    const char *colon = strchr(place, ':');
    char line[160], name[sizeof l->name];
    bool found = false;
    if (!colon)
        return false;
    char *path = hpc_printf("%s/%.*s", root, (int)(colon - place), place);
    *l = (struct lock_time){.at = 0};
    for (long i = 1; !found && grade_line(path, i, line, sizeof line); i++) {
        found = !strstr(line, "unlock") && !strstr(line, "unset") &&
                lock_name(line, name, sizeof name) && !for_condition(path, i);
        if (found) {
            snprintf(l->name, sizeof l->name, "%s", name);
            snprintf(l->place, sizeof l->place, "%.*s:%ld", (int)(colon - place), place, i);
        }
    }
    free(path);
    return found;
}

bool lock_time(const char *root, const struct exchange_profile *p, struct lock_time *l)
{
    int most = 0;
    *l = (struct lock_time){.at = 0};
    for (int i = 0; i < p->n; i++) {
        const struct exchange_line *one = &p->line[i];
        const int at = one->called + one->waited;
        const char *colon = strrchr(one->place, ':');
        char line[160] = "", name[sizeof l->name];
        l->own += one->ran;
        if (!colon || at == 0)
            continue;
        char *path = hpc_printf("%s/%.*s", root, (int)(colon - one->place), one->place);
        const long number = strtol(colon + 1, NULL, 10);
        const bool lock = grade_line(path, number, line, sizeof line) &&
                          lock_name(line, name, sizeof name) && !for_condition(path, number);
        free(path);
        if (!lock)
            continue;
        l->at += at;
        l->shared |= most > 0 && strcmp(name, l->name) == 0 && strcmp(name, UNNAMED) == 0;
        if (at > most) {
            most = at;
            snprintf(l->name, sizeof l->name, "%s", name);
            snprintf(l->place, sizeof l->place, "%s", one->place);
        }
    }
    return l->at > 0;
}
