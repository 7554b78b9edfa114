/* Of a call that does not return, by the words of the source where it stands: a loop that never
 * comes to its end; threads in a barrier of the student's own, whether what each compares with the
 * shared turn, or sense, is its own, and was taken before the thread was counted in. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "harness/grade/internal.h"

#define LINE  160
#define ABOVE 60 /* lines of a function that are looked at above the wait */
#define BELOW 3  /* and below: where it stands is the loop's body, or its head */

static bool of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether a name stands in a text as a word of its own, no field of a struct. */
static bool has_name(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = text; n > 0 && (p = strstr(p, name)) != NULL; p += n)
        if (!of_name(p[n]) && (p == text || (!of_name(p[-1]) && p[-1] != '.' && p[-1] != '>')))
            return true;
    return false;
}

/* Whether a line waits until something changes: by its comparison. */
static bool compares(const char *line)
{
    return (strstr(line, "while (") || strstr(line, "if (") || strstr(line, "for (")) &&
           (strstr(line, "==") || strstr(line, "!="));
}

/* Whether a line counts a thread in. */
static bool counts(const char *line)
{
    return strstr(line, "fetch_sub") || strstr(line, "fetch_add") ||
           (!strstr(line, "for (") && (strstr(line, "++") || strstr(line, "--")));
}

/* The name that a line sets, where it stands alone, "unsigned turn = .." too; behind it *value. */
static bool sets(const char *line, char *name, size_t size, const char **value)
{
    const char *set = strstr(line, " = ");
    size_t n = set ? (size_t)(set - line) : 0, end = n;
    while (n > 0 && of_name(line[n - 1]))
        n--;
    snprintf(name, size, "%.*s", (int)(end - n), line + n);
    *value = set ? set + 3 : "";
    return *name && (n == 0 || line[n - 1] == ' ') && !strstr(line, "for (");
}

/* The field or variable of `value` that the comparison has, too, as "turn" of
 * "atomic_load(&b->turn)". */
static bool shares_word(const char *value, const char *comparison)
{
    char word[LINE];
    for (const char *p = value; *p; p++) {
        size_t n = 0;
        while (of_name(p[n]))
            n++;
        snprintf(word, sizeof word, "%.*s", (int)n, p);
        const bool field = p > value && (p[-1] == '>' || p[-1] == '.' || p[-1] == '&');
        if (n > 0 && field && !isdigit((unsigned char)*p) && p[n] != '-' &&
            strstr(comparison, word))
            return true;
        p += n > 0 ? n - 1 : 0;
    }
    return false;
}

/* What a function's lines from its first to the wait's tell, in front of the hint. */
static bool tell(const char *path, long first, long last, struct outcome *o)
{
    char line[LINE], comparison[LINE] = "", name[LINE];
    const struct outcome was = *o;
    const char *value;
    long counted = 0;
    for (long i = last; i >= first && !*comparison; i--)
        if (grade_line(path, i, line, sizeof line) && compares(line) && !counts(line))
            snprintf(comparison, sizeof comparison, "%s", line);
    for (long i = first; i <= last && *comparison; i++) {
        if (!grade_line(path, i, line, sizeof line))
            continue;
        const bool own = sets(line, name, sizeof name, &value) && has_name(comparison, name);
        if (own && counted > 0 && shares_word(value, comparison) && !counts(line)) {
            outcome_hint(o,
                         "line %ld takes %s when line %ld has counted this thread in: the last one "
                         "to come may have changed it by then, and who waits for the next change "
                         "waits for ever: take it before; %s",
                         i, name, counted, was.hint);
            return true;
        }
        if (own && value[0] == '!') {
            char known[LINE];
            for (long k = first; k < i; k++)
                if (grade_line(path, k, known, sizeof known) && strncmp(known, "static ", 7) == 0 &&
                    has_name(known, name)) {
                    outcome_hint(o,
                                 "line %ld turns %s, which is static (line %ld): one for all "
                                 "threads, so that the next one turns it back: each thread needs "
                                 "one of its own; %s",
                                 i, name, k, was.hint);
                    return true;
                }
        }
        counted = counts(line) ? i : counted;
    }
    return false;
}

bool grade_endless_wait(const struct grading *g, const struct trial *t, struct outcome *o)
{
    char line[LINE];
    static const char *const stands[] = {" wait at ", " waits at ", " run at ", " runs at "};
    const char *at = NULL;
    for (size_t i = 0; i < sizeof stands / sizeof *stands && !at; i++) {
        at = strstr(o->reason, stands[i]);
        at = at ? at + strlen(stands[i]) : NULL;
    }
    long number;
    char *path = lab_task_cuda(t->task) ? NULL : grade_place(g->project->root, at, &number);
    if (!path)
        return false;
    long first = number;
    while (first > 1 && number - first < ABOVE &&
           !(grade_line(path, first, line, sizeof line) && strcmp(line, "{") == 0))
        first--;
    const bool found = tell(path, first, number + BELOW, o);
    free(path);
    return found;
}

/* "q (line 71), at most 255": the counter that a line's loop has, of fewer bits than an int; false
 * where it has none. */
static bool narrow_counter(const char *line, long number, char *text, size_t size)
{
    static const struct {
        const char *type, *most;
    } narrow[] = {
        {"for (unsigned char ", "255"}, {"for (uint8_t ", "255"}, {"for (char ", "127"},
        {"for (signed char ", "127"},   {"for (int8_t ", "127"},  {"for (unsigned short ", "65535"},
        {"for (uint16_t ", "65535"},    {"for (short ", "32767"}, {"for (int16_t ", "32767"}};
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        const char *head = strstr(line, narrow[i].type);
        const char *name = head ? head + strlen(narrow[i].type) : NULL;
        if (name)
            return text_fit(text, size, "%s%s%.*s (line %ld), at most %s", text,
                            *text ? ", and " : "", (int)strcspn(name, " =;"), name, number,
                            narrow[i].most);
    }
    return false;
}

/* Where a thread runs, or several do at one line: "F:71 ..", or NULL. */
static const char *runs_at(const struct outcome *o)
{
    const char *one = strstr(o->reason, " runs at "), *all = strstr(o->reason, " run at ");
    return one ? one + strlen(" runs at ") : all ? all + strlen(" run at ") : NULL;
}

/* Where one thread runs on: whether loops there count so, and begin anew where their end is never
 * reached. */
static bool say_narrow(const struct grading *g, struct outcome *o)
{
    enum { AROUND = 3 }; /* lines above */
    const struct outcome was = *o;
    char line[160], counters[200] = "";
    long number;
    char *path = grade_place(g->project->root, runs_at(&was), &number);
    if (!path)
        return false;
    for (long k = number > AROUND ? number - AROUND : 1; k <= number; k++)
        if (grade_line(path, k, line, sizeof line))
            narrow_counter(line, k, counters, sizeof counters);
    free(path);
    if (*counters)
        outcome_reason(o,
                       "%s, in a loop that counts by %s: behind that it begins anew, and "
                       "never comes to an end that is more",
                       was.reason, counters);
    return *counters;
}

/* Where a kernel's thread runs on: whether a loop's step there is an index, which is 0 for the
 * first thread or block, so that it stays where it is. */
static bool say_no_step(const struct grading *g, struct outcome *o)
{
    static const char *const index[] = {"blockIdx.", "threadIdx."};
    const struct outcome was = *o;
    char line[160];
    long number;
    char *path = grade_place(g->project->root, runs_at(&was), &number);
    const bool found = path && grade_line(path, number, line, sizeof line);
    const char *step = found && strstr(line, "for (") ? strstr(line, "+= ") : NULL;
    free(path);
    for (size_t i = 0; step && i < sizeof index / sizeof *index; i++)
        if (strncmp(step + 3, index[i], strlen(index[i])) == 0) {
            const int length = (int)strlen(index[i]) + 1;
            outcome_reason(o,
                           "%s, in a loop whose step is %.*s, 0 in the first %s: there it stays "
                           "where it is; how many there are is %s%c",
                           was.reason, length, step + 3, i ? "thread" : "block",
                           i ? "blockDim." : "gridDim.", step[2 + length]);
            return true;
        }
    return false;
}

/* Whether a continue there goes back to a while, past the step that stands behind it. */
static bool say_continue(const struct grading *g, struct outcome *o)
{
    enum { AROUND = 8 }; /* lines above */
    const struct outcome was = *o;
    char line[160] = "", next[160] = "";
    long number;
    char *path = strstr(was.reason, " runs at ")
                     ? grade_place(g->project->root, runs_at(&was), &number)
                     : NULL;
    if (!path)
        return false;
    grade_line(path, number, line, sizeof line);
    grade_line(path, number + 1, next, sizeof next);
    const bool back = strstr(line, "continue;") ||
                      (strstr(line, "if (") && !strchr(line, ';') && strstr(next, "continue;"));
    bool found = false;
    for (long k = number - 1; back && !found && k > 0 && k > number - AROUND; k--) {
        if (!grade_line(path, k, line, sizeof line) || strstr(line, "for ("))
            break;
        found = strstr(line, "while (") != NULL;
        if (found)
            outcome_reason(o,
                           "%s, where continue goes back to the while of line %ld: what stands "
                           "behind it, as a loop's step does, is passed over; in a for it is not",
                           was.reason, k);
    }
    free(path);
    return found;
}

bool grade_endless_loop(const struct grading *g, const struct trial *t, struct outcome *o)
{
    return say_narrow(g, o) || say_continue(g, o) || (lab_task_cuda(t->task) && say_no_step(g, o));
}
