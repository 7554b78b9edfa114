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

#define SOON 100 /* lines in which a lock that is taken is given back */

/* Whether who has taken a lock waits for a condition with it, or wakes all who do, in the lines
 * that come next: then it is a barrier's. The file stands where it stood. */
static bool for_condition(FILE *f)
{
    const long from = ftell(f);
    char *line = NULL;
    size_t room = 0;
    bool waits = false, given_back = false;
    for (int i = 0; i < SOON && !waits && !given_back && getline(&line, &room, f) >= 0; i++) {
        waits = strstr(line, "wait(") || strstr(line, "broadcast(");
        given_back = strstr(line, "unlock");
    }
    free(line);
    fseek(f, from, SEEK_SET);
    return waits;
}

/* Whether line `number` of a source, or with 0 the first one that does, takes a lock, and not for a
 * condition: its name and the line's number. */
static bool takes_lock(const char *path, long number, char *name, size_t size, long *at)
{
    FILE *f = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    for (*at = 0; f && !found && (number == 0 || *at < number) && getline(&line, &room, f) >= 0;) {
        ++*at;
        if (number > 0 && *at < number)
            continue;
        const bool gives = strstr(line, "unlock") || strstr(line, "unset");
        found = (number > 0 || !gives) && lock_name(line, name, size) && !for_condition(f);
    }
    free(line);
    if (f)
        fclose(f);
    return found;
}

bool lock_of_work(const char *root, const char *place, struct lock_time *l)
{
    long at;
    char *path = grade_place(root, place, &at);
    if (!path)
        return false;
    *l = (struct lock_time){.at = 0};
    const bool found = takes_lock(path, 0, l->name, sizeof l->name, &at);
    snprintf(l->place, sizeof l->place, "%.*s:%ld", (int)strcspn(place, ":"), place, at);
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
        char name[sizeof l->name];
        long number;
        l->own += one->ran;
        char *path = at > 0 ? grade_place(root, one->place, &number) : NULL;
        const bool lock = path && takes_lock(path, number, name, sizeof name, &number);
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
