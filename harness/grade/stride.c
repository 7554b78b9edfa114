/* A loop that walks through memory by more than one number a step, as its source says. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "harness/grade/internal.h"

#define HOT  25 /* percent of all samples, from which on a line's loop is looked at */
#define BODY 3  /* lines of it behind its head */
#define LINE 200
#define NEAR 16 /* floats of a cache line: a step of fewer is no reason */

static bool of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The variable of "for (int p = 0; ..", into name. */
static bool loop_variable(const char *line, char *name, size_t size)
{
    const char *begin = strstr(line, "for ("), *is = begin ? strchr(begin, '=') : NULL;
    if (!is)
        return false;
    while (is > begin && is[-1] == ' ')
        is--;
    const char *end = is;
    while (is > begin && of_name(is[-1]))
        is--;
    snprintf(name, size, "%.*s", (int)(end - is), is);
    return *name != '\0';
}

/* What the name is multiplied by in the index [at, end), "s.n" of "(size_t)p * s.n + j". */
static bool factor_of(const char *at, const char *end, const char *name, char *factor, size_t size)
{
    const size_t n = strlen(name);
    for (const char *p = at; p + n < end; p++) {
        if (strncmp(p, name, n) != 0 || of_name(p[n]) || of_name(p[-1]) || p[-1] == '.' ||
            p[-1] == '>')
            continue;
        const char *times = p + n + strspn(p + n, " )");
        if (*times != '*')
            continue;
        times += 1 + strspn(times + 1, " ");
        if (strncmp(times, "(size_t)", 8) == 0)
            times += 8;
        const size_t length = strspn(times, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789_.->");
        snprintf(factor, size, "%.*s", (int)length, times);
        return length > 0 && times + length <= end &&
               (!isdigit((unsigned char)*factor) || strtol(factor, NULL, 10) >= NEAR);
    }
    return false;
}

/* An access of the line whose index has the name times something: "b[(size_t)p * s.n + j]". */
static bool strided(const char *line, const char *name, char *access, size_t size, char *factor,
                    size_t factor_size)
{
    for (const char *open = strchr(line, '['); open; open = strchr(open + 1, '[')) {
        const char *end = strchr(open, ']'), *begin = open;
        if (!end || !factor_of(open + 1, end, name, factor, factor_size))
            continue;
        while (begin > line && (of_name(begin[-1]) || begin[-1] == '.' || begin[-1] == '>' ||
                                (begin[-1] == '-' && *begin == '>')))
            begin--;
        snprintf(access, size, "%.*s", (int)(end + 1 - begin), begin);
        return true;
    }
    return false;
}

bool grade_stride_words(const char *root, const struct exchange_profile *p, char *text, size_t size)
{
    const struct exchange_line *hot = &p->line[0];
    const char *colon = strrchr(hot->place, ':');
    char line[LINE], next[LINE], name[40] = "", access[LINE], factor[60];
    if (!colon || 100 * hot->ran < HOT * p->samples)
        return false;
    char *path = hpc_printf("%s/%.*s", root, (int)(colon - hot->place), hot->place);
    long head = strtol(colon + 1, NULL, 10);
    const long least = head - BODY;
    while (head > least && head > 0 &&
           !(grade_line(path, head, line, sizeof line) && loop_variable(line, name, sizeof name)))
        head--;
    while (*name && grade_line(path, head + 1, next, sizeof next) &&
           loop_variable(next, name, sizeof name)) /* the innermost */
        head++;
    bool found = false;
    for (long k = head; *name && !found && k <= head + BODY; k++)
        found = grade_line(path, k, line, sizeof line) && (k == head || !strstr(line, "for (")) &&
                strided(line, name, access, sizeof access, factor, sizeof factor);
    free(path);
    return found &&
           text_fit(text, size,
                    "%d%% of the time passes at %s: %s moves by %s numbers in each step of %s, and "
                    "each is in a cache line of its own: let the innermost loop move an index "
                    "that is added alone",
                    (int)(100.0 * hot->ran / p->samples + 0.5), hot->place, access, factor, name);
}
