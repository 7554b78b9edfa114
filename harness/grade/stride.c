/* What the source says of a hot loop: that it walks through memory by more than one number a step,
 * keeps sums in memory, or asks something of each element. */
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

/* The accesses of the line whose index has the name times something, "b[(size_t)p * s.n + j] moves
 * by s.n": two at the most. */
static bool strided(const char *line, const char *name, char *text, size_t size)
{
    char factor[60];
    int said = 0;
    text[0] = '\0';
    for (const char *open = strchr(line, '['); open && said < 2; open = strchr(open + 1, '[')) {
        const char *end = strchr(open, ']'), *begin = open;
        if (!end || !factor_of(open + 1, end, name, factor, sizeof factor))
            continue;
        while (begin > line && (of_name(begin[-1]) || begin[-1] == '.' || begin[-1] == '>' ||
                                (begin[-1] == '-' && *begin == '>')))
            begin--;
        text_fit(text, size, "%s%s%.*s moves by %s", text, said++ ? ", and " : "",
                 (int)(end + 1 - begin), begin, factor);
    }
    return said > 0;
}

bool grade_stride_words(const char *root, const struct exchange_profile *p, char *text, size_t size)
{
    const struct exchange_line *hot = &p->line[0];
    const char *colon = strrchr(hot->place, ':');
    char line[LINE], next[LINE], name[40] = "", moves[LINE + 80];
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
                strided(line, name, moves, sizeof moves);
    free(path);
    return found &&
           text_fit(text, size,
                    "%d%% of the time passes at %s: %s numbers in each step of %s, and each is in "
                    "a cache line of its own: let the innermost loop move an index that is added "
                    "alone",
                    (int)(100.0 * hot->ran / p->samples + 0.5), hot->place, moves, name);
}

/* Whether the loop of this line ends at a number that the compiler knows: "u < UNROLL", "u < 8". */
static bool known_bound(const char *line)
{
    const char *p = strchr(line, '<');
    p = p ? p + 1 + strspn(p + 1, "= ") : "";
    const size_t n = strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return n > 0 && p[n] == ';';
}

/* "sums[u]" of "sums[u] += ..", whose index is the name alone. */
static bool sum_of(const char *line, const char *name, char *sum, size_t size)
{
    const char *add = strstr(line, "] += "), *open = add;
    while (open && open > line && *open != '[')
        open--;
    if (!open || open == line || strncmp(open + 1, name, strlen(name)) != 0 ||
        open + 1 + strlen(name) != add)
        return false;
    snprintf(sum, size, "%.*s", (int)(add + 1 - line), line);
    return true;
}

bool grade_sums_words(const char *root, const struct exchange_profile *p, char *text, size_t size)
{
    const struct exchange_line *hot = &p->line[0];
    const char *colon = strrchr(hot->place, ':');
    char line[LINE], name[40], sum[LINE];
    bool found = false;
    if (!colon || 100 * hot->ran < HOT * p->samples || 2 * p->stores < p->scalar + p->packed ||
        p->stores == 0)
        return false;
    char *path = hpc_printf("%s/%.*s", root, (int)(colon - hot->place), hot->place);
    const long at = strtol(colon + 1, NULL, 10);
    for (long k = at > BODY ? at - BODY : 1; k <= at + BODY && !found; k++)
        found = grade_line(path, k, line, sizeof line) && known_bound(line) &&
                loop_variable(line, name, sizeof name) &&
                grade_line(path, k + 1, line, sizeof line) && sum_of(line, name, sum, sizeof sum);
    free(path);
    return found && text_fit(text, size,
                             "%d%% of the time passes at %s: %s is kept in memory, and loaded and "
                             "stored in each step (%d stores beside %d operations), as it may be "
                             "what the loop reads: add up in a local array, and store it behind "
                             "the loop",
                             (int)(100.0 * hot->ran / p->samples + 0.5), hot->place, sum, p->stores,
                             p->scalar + p->packed);
}

void grade_if_words(const char *root, const struct exchange_profile *p, char *text, size_t size)
{
    const struct exchange_line *hot = &p->line[0];
    const char *colon = strrchr(hot->place, ':');
    char line[LINE];
    if (!colon || !strstr(text, ", one number an instruction"))
        return;
    char *path = hpc_printf("%s/%.*s", root, (int)(colon - hot->place), hot->place);
    for (long k = strtol(colon + 1, NULL, 10), end = k - 1; k >= end && k > 0; k--)
        if (grade_line(path, k, line, sizeof line) && strncmp(line, "if (", 4) == 0) {
            text_fit(text, size,
                     "%s: line %ld asks of each element %s: without an if, whose answer the "
                     "loop's bounds can give, the compiler makes vectors",
                     text, k, line);
            break;
        }
    free(path);
}
