/* What the compiler warned of in a source that it took. */
#define _GNU_SOURCE
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/text.h"
#include "harness/build/build.h"

#define LOG_MOST (256 * 1024L)

/* The build's log; "" where there is none. The caller's. */
static char *log_of(const struct build_result *built)
{
    const char *end = strrchr(built->output, '/');
    char *path = hpc_printf("%.*s/log", end ? (int)(end - built->output) : 0, built->output);
    char *text = hpc_calloc(LOG_MOST + 1, 1);
    FILE *f = end ? fopen(path, "re") : NULL;
    if (f) {
        const size_t n = fread(text, 1, LOG_MOST, f);
        text[n] = '\0';
        fclose(f);
    }
    free(path);
    return text;
}

#define PROMOTION " [-Wdouble-promotion]"

/* The first line of `log` that warns in these words of a line of the source, from line `after` + 1
 * on; false: there is none. */
static bool find(const char *log, const char *source, const char *words, long after, char *text,
                 size_t size)
{
    static const char mark[] = ": warning: ";
    const size_t n = strlen(source);
    for (const char *line = log; *line; line += strspn(line, "\n")) {
        char one[600];
        const size_t length = strcspn(line, "\n");
        snprintf(one, sizeof one, "%.*s", (int)length, line);
        line += length;
        char *said = strstr(one, mark), *option = strstr(one, " [-W");
        if (!said || strncmp(one, source, n) != 0 || one[n] != ':' ||
            !isdigit((unsigned char)one[n + 1]) || strtol(one + n + 1, NULL, 10) <= after ||
            !strstr(said, words) || (!strstr(words, PROMOTION) && strstr(said, PROMOTION)))
            continue;
        if (option)
            *option = '\0';
        hpc_harmless(said);
        return text_fit(text, size, "%s:%ld: %s", source, strtol(one + n + 1, NULL, 10),
                        said + strlen(mark));
    }
    return false;
}

bool build_warning(const struct build_result *built, const char *source, char *text, size_t size)
{
    static const char *const words[] = {BUILD_UNINITIALIZED,    BUILD_SIGNEDNESS, BUILD_PRAGMA,
                                        "implicit declaration", "incompatible",   ""};
    char *log = log_of(built);
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words && !found; i++)
        found = find(log, source, words[i], 0, text, size);
    free(log);
    return found;
}

bool build_promotion(const struct build_result *built, const char *source, long after, long *line)
{
    char *log = log_of(built), text[600];
    const bool found = find(log, source, PROMOTION, after, text, sizeof text);
    if (found)
        *line = strtol(text + strlen(source) + 1, NULL, 10);
    free(log);
    return found;
}

/* ---- macros -----------------------------------------------------------------------------------
 */

#define NAME 60

static bool of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The file's text with blanks for its comments; "" where it can't be read. The caller's. */
static char *source_of(const char *path)
{
    char *text = hpc_calloc(LOG_MOST + 1, 1);
    FILE *f = fopen(path, "re");
    text[f ? fread(text, 1, LOG_MOST, f) : 0] = '\0';
    if (f)
        fclose(f);
    for (char *p = text; *p; p++) {
        const bool block = strncmp(p, "/*", 2) == 0;
        if (!block && strncmp(p, "//", 2) != 0)
            continue;
        const char *end = block ? strstr(p + 2, "*/") : p + strcspn(p, "\n");
        end = !end ? p + strlen(p) : block ? end + 2 : end;
        for (; p < end; p++)
            *p = *p == '\n' ? '\n' : ' ';
        p--;
    }
    return text;
}

/* How loosely a value holds together that ends at `end`: by ?: or a comparison 2, by + or - 1, by
 * what is in brackets, or one word, 0. */
static int looseness(const char *p, const char *end)
{
    int depth = 0, loose = 0;
    for (const char *begin = p; p < end; p++) {
        depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
        if (depth > 0 || p == begin || p + 1 >= end)
            continue;
        if (*p == '?' || *p == '<' || (*p == '>' && p[-1] != '-'))
            return 2;
        if ((*p == '+' || *p == '-') && p[1] != '>' && (p[-1] == ' ' || of_name(p[-1])))
            loose = 1;
    }
    return loose;
}

/* Whether operators beside [begin, end) bind closer than what is in it. */
static bool taken_apart(const char *text, const char *begin, const char *end, int loose)
{
    while (begin > text && begin[-1] == ' ')
        begin--;
    const char before = begin > text ? begin[-1] : ';', *next = end + strspn(end, " ");
    const bool arrow = next[0] == '-' && next[1] == '>';
    if (loose == 2 && (strchr("+-", before) || (strchr("+-", *next) && *next && !arrow)))
        return true;
    return loose > 0 && (strchr("*/%-", before) || (*next && strchr("*/%", *next)));
}

/* The first use of a macro behind `from` that operators take apart; NULL: none. */
static const char *loose_use(const char *text, const char *from, const char *name, bool call,
                             int loose)
{
    const size_t n = strlen(name);
    for (const char *p = from; (p = strstr(p, name)) != NULL; p += n) {
        const char *end = p + n;
        if (of_name(p[-1]) || of_name(*end) || (call && *end != '('))
            continue;
        for (int depth = 0; call && *end;) {
            depth += (*end == '(') - (*end == ')');
            end++;
            if (depth == 0)
                break;
        }
        if (taken_apart(text, p, end, loose))
            return p;
    }
    return NULL;
}

static long line_of(const char *text, const char *at)
{
    long line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

bool build_macro(const char *path, const char *source, char *text, size_t size)
{
    static const char define[] = "#define ";
    char *all = source_of(path), name[NAME];
    bool found = false;
    for (const char *p = all; !found && (p = strstr(p, define)) != NULL;) {
        p += strlen(define);
        const char *behind = p, *end = p + strcspn(p, "\n");
        while (of_name(*behind))
            behind++;
        snprintf(name, sizeof name, "%.*s", (int)(behind - p), p);
        const bool call = *behind == '(';
        const char *value = call ? memchr(behind, ')', (size_t)(end - behind)) : behind;
        if (!value || behind == p || behind - p >= NAME)
            continue;
        value += call;
        value += strspn(value, " ");
        while (end > value && isspace((unsigned char)end[-1]))
            end--;
        const int loose = looseness(value, end);
        const char *use = loose ? loose_use(all, end, name, call, loose) : NULL;
        found = use && text_fit(text, size,
                                "%s:%ld: #define %s " BUILD_NO_BRACKETS
                                " around its value, which the operator beside it in line %ld "
                                "takes apart: (%.*s)",
                                source, line_of(all, p), name, line_of(all, use),
                                (int)(end - value), value);
    }
    free(all);
    return found;
}
