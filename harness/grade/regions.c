/* Of a race in an OpenMP source: which of its pragmas lets two threads come to one place. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "harness/grade/internal.h"

#define LINES     4000
#define FUNCTIONS 100
#define NAME      60
#define NEAR      15 /* lines, of a loop's body behind its pragma */
#define PRAGMAS   64
#define BYTES     (256 * 1024L)

/* A source: its lines, from 1 on, its functions, by where they begin and end, and which of these
 * each line calls. One beyond the bounds above has no lines: what is asked of each pair of pragmas
 * is to take no time. */
struct source {
    char *line[LINES + 1];
    bool calls[LINES + 1][FUNCTIONS];
    long n;
    struct function {
        char name[NAME];
        long begin, end;
    } function[FUNCTIONS];
    int functions;
};

static bool of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A line that begins a function's head or ends its body stands at the margin. */
static void note_function(struct source *s, long number)
{
    const char *text = s->line[number], *bracket = strchr(text, '(');
    struct function *f = s->functions > 0 ? &s->function[s->functions - 1] : NULL;
    if (*text == '}' && f && f->end == 0)
        f->end = number;
    if (!of_name(*text) || !bracket || strchr(text, ';') || s->functions == FUNCTIONS)
        return;
    const char *begin = bracket;
    while (begin > text && of_name(begin[-1]))
        begin--;
    f = &s->function[s->functions++];
    *f = (struct function){.begin = number};
    snprintf(f->name, sizeof f->name, "%.*s", (int)(bracket - begin), begin);
}

static bool calls(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = text; n > 0 && (p = strstr(p, name)) != NULL; p += n)
        if ((p == text || !of_name(p[-1])) && p[n + strspn(p + n, " ")] == '(')
            return true;
    return false;
}

static void drop_lines(struct source *s)
{
    for (long i = 1; i <= s->n; i++)
        free(s->line[i]);
    s->n = s->functions = 0;
}

static struct source *read_source(const char *path)
{
    struct source *s = hpc_calloc(1, sizeof *s);
    FILE *f = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    long pragmas = 0, bytes = 0, got;
    while (f && s->n < LINES && bytes <= BYTES && (got = getline(&text, &room, f)) >= 0) {
        s->line[++s->n] = hpc_strdup(text);
        note_function(s, s->n);
        pragmas += strstr(text, "#pragma") != NULL;
        bytes += got;
    }
    if (s->n == LINES || pragmas > PRAGMAS || bytes > BYTES)
        drop_lines(s);
    for (long i = 1; i <= s->n; i++)
        for (int k = 0; k < s->functions && *s->line[i] != '#'; k++)
            s->calls[i][k] = calls(s->line[i], s->function[k].name);
    free(text);
    if (f)
        fclose(f);
    return s;
}

static void free_source(struct source *s)
{
    drop_lines(s);
    free(s);
}

static const struct function *function_at(const struct source *s, long number)
{
    for (int i = 0; i < s->functions; i++)
        if (s->function[i].begin <= number && number <= s->function[i].end)
            return &s->function[i];
    return NULL;
}

/* Whether lines first to last call a function, or one that does; seen: those looked at before. */
static bool reaches(const struct source *s, long first, long last, const struct function *to,
                    bool seen[FUNCTIONS])
{
    for (long i = first; to && i <= last && i <= s->n; i++)
        for (int k = 0; k < s->functions; k++) {
            const struct function *f = &s->function[k];
            if (!s->calls[i][k])
                continue;
            if (f == to)
                return true;
            if (seen[k] || (i >= f->begin && i <= f->end))
                continue;
            seen[k] = true;
            if (reaches(s, f->begin + 1, f->end, to, seen))
                return true;
        }
    return false;
}

/* The last line of the statement behind a pragma. */
static long statement_end(const struct source *s, long pragma)
{
    int depth = 0;
    for (long i = pragma + 1; i <= s->n; i++) {
        const char *text = s->line[i];
        char last = ' ';
        if (text[strspn(text, " \t")] == '#')
            continue;
        for (const char *p = text; *p; p++) {
            depth += (*p == '{' || *p == '(') - (*p == '}' || *p == ')');
            last = isspace((unsigned char)*p) ? last : *p;
        }
        if (depth <= 0 && (last == ';' || last == '}'))
            return i;
    }
    return s->n;
}

/* Whether a place is in the statement behind a pragma, or in a function that this calls. */
static bool covers(const struct source *s, long pragma, long at)
{
    const long end = statement_end(s, pragma);
    bool seen[FUNCTIONS] = {false};
    return (pragma < at && at <= end) || reaches(s, pragma + 1, end, function_at(s, at), seen);
}

/* The last pragma with this word that a place is near, behind it, or that covers it; 0: none. */
static long pragma_of(const struct source *s, const char *word, long at)
{
    long found = 0;
    for (long i = 1; i <= s->n; i++)
        if (strstr(s->line[i], "#pragma omp") && strstr(s->line[i], word) &&
            ((i < at && at - i <= NEAR) || covers(s, i, at)))
            found = i;
    return found;
}

/* The region that begins inside another one, *outer, and covers a place; 0: none. */
static long nested(const struct source *s, long at, long *outer)
{
    for (long i = 1; i <= s->n; i++) {
        if (!strstr(s->line[i], "#pragma omp parallel") || !covers(s, i, at))
            continue;
        for (*outer = 1; *outer <= s->n; ++*outer)
            if (*outer != i && strstr(s->line[*outer], "#pragma omp parallel") &&
                covers(s, *outer, i))
                return i;
    }
    return 0;
}

/* The first line that asks for threads in a function that begins its region further down. */
static long asked_outside(const struct source *s, const char **call)
{
    static const char *const asks[] = {"omp_get_num_threads", "omp_get_thread_num"};
    for (int i = 0; i < s->functions; i++) {
        long asked = 0;
        for (long k = s->function[i].begin; k <= s->function[i].end; k++) {
            const bool pragma = strstr(s->line[k], "#pragma omp") != NULL;
            if (pragma && strstr(s->line[k], "parallel")) {
                if (asked > 0)
                    return asked;
                break; /* what follows may stand in the region */
            }
            for (size_t a = 0; a < sizeof asks / sizeof *asks && asked == 0 && !pragma; a++)
                if (strstr(s->line[k], asks[a])) {
                    *call = asks[a];
                    asked = k;
                }
        }
    }
    return 0;
}

bool grade_regions(const char *path, const char *file, long at, struct outcome *o)
{
    struct source *s = read_source(path);
    const struct outcome was = *o;
    const char *call = "";
    long outer, line;
    if ((line = nested(s, at, &outer)) > 0)
        outcome_hint(o,
                     "omp parallel at %s:%ld begins a region inside the one of line %ld, each of "
                     "whose threads does all of it with a team of its own: omp for alone shares "
                     "it among the threads that are there; %s",
                     file, line, outer, was.hint);
    else if ((line = asked_outside(s, &call)) > 0)
        outcome_hint(o,
                     "%s() at %s:%ld is asked before the parallel region begins, where one thread "
                     "runs: it is %d there; %s",
                     call, file, line, call[8] == 'n' ? 1 : 0, was.hint);
    else if ((line = pragma_of(s, "nowait", at)) > 0)
        outcome_hint(o, "is it nowait at %s:%ld? %s; %s", file, line,
                     strstr(s->line[line], "single")
                         ? "Nobody waits at the end of that single: others go on while one "
                           "thread still works there"
                         : "Who is done with that loop goes on, while others still write in it",
                     was.hint);
    else if ((line = pragma_of(s, "omp master", at)) > 0)
        outcome_hint(o,
                     "is it omp master at %s:%ld? Nobody waits at its end, as at that of single: "
                     "others go on while the main thread still works there; %s",
                     file, line, was.hint);
    free_source(s);
    return line > 0;
}
