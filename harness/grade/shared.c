/* False sharing in words: whose elements lie in one cache line. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/grade/internal.h"

/* Of all stores, from which on lines that travel are the reason: one that has to come from another
 * core takes some 100 cycles, as long as 20 stores and the arithmetic between them. */
#define SHARED 0.05

/* Whether an assignment's sign ends at p: "=" or "++", but no comparison. */
static bool assigns(const char *line, const char *p)
{
    const char before = p > line ? p[-1] : ' ', first = p > line + 1 ? p[-2] : ' ';
    if (*p == '+' || *p == '-')
        return before == *p;
    if (*p != '=' || p[1] == '=' || before == '=' || before == '!')
        return false;
    return (before != '<' && before != '>') || first == before;
}

/* Where what is assigned to begins, which ends before `end`. */
static const char *target(const char *line, const char *end)
{
    int depth = 0;
    while (end > line) {
        const char c = end[-1];
        depth += (c == ']' || c == ')') - (c == '[' || c == '(');
        if (depth < 0 || (depth == 0 && !isalnum((unsigned char)c) && !strchr("_.->[(", c)))
            break;
        end--;
    }
    return end;
}

bool store_name(const char *line, char *name, size_t size)
{
    bool found = false;
    for (const char *p = line; *p; p++) {
        if (!assigns(line, p))
            continue;
        const char *end = *p == '=' ? p : p - 1;
        while (end > line && strchr(" +-*/%&|^<>", end[-1]))
            end--;
        const char *begin = target(line, end);
        const size_t length = (size_t)(end - begin), whole = strcspn(begin, "[");
        const bool memory = memchr(begin, '[', length) || memchr(begin, '.', length) ||
                            memchr(begin, '>', length) || (begin > line && begin[-1] == '*');
        if (length == 0 || !memory)
            continue;
        snprintf(name, size, "%.*s", (int)(whole < length ? whole : length), begin);
        found = true;
    }
    return found;
}

/* "elements of s->sum (F:20)" of a place "F:20" below root. */
static void describe(const char *root, const char *place, char *text, size_t size)
{
    const char *colon = strrchr(place, ':');
    char line[160] = "", name[60] = "";
    char *path = hpc_printf("%s/%.*s", root, colon ? (int)(colon - place) : 0, place);
    if (colon && grade_line(path, strtol(colon + 1, NULL, 10), line, sizeof line) &&
        store_name(line, name, sizeof name))
        snprintf(text, size, "elements of %s (%s)", name, place);
    else
        snprintf(text, size, "elements (%s)", place);
    free(path);
}

bool shared_words(const char *root, const struct trial_meeting *m, char *text, size_t size,
                  char *numbers, size_t numbers_size)
{
    char one[EXCHANGE_PLACE + 80], two[EXCHANGE_PLACE + 80];
    if (m->share < SHARED)
        return false;
    describe(root, m->place[0], one, sizeof one);
    describe(root, m->place[1], two, sizeof two);
    if (strcmp(one, two) == 0)
        snprintf(text, size, "false sharing: threads %d and %d write neighbouring %s", m->thread[0],
                 m->thread[1], one);
    else
        snprintf(text, size,
                 "false sharing: thread %d writes %s beside what thread %d writes, %s, in the same "
                 "cache lines",
                 m->thread[0], one, m->thread[1], two);
    snprintf(
        numbers, numbers_size,
        "%.0f%% of a call's %.0f stores go to %d cache line%s of 64 bytes in which another thread "
        "writes elements of its own: each time the line comes from the other core. Lay what two "
        "threads write 64 bytes apart, or compute in local variables",
        100 * m->share, m->stores, m->lines, m->lines == 1 ? "" : "s");
    return true;
}
