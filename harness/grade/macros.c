/* Macros of a source whose value the operators beside a use take apart. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/text.h"
#include "harness/grade/internal.h"

#define MOST (256 * 1024L) /* bytes of a source that are looked at */
#define NAME 60

static bool of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The file's text with blanks for its comments; "" where it can't be read. The caller's. */
static char *source_of(const char *path)
{
    char *text = hpc_calloc(MOST + 1, 1);
    FILE *f = fopen(path, "re");
    text[f ? fread(text, 1, MOST, f) : 0] = '\0';
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

bool grade_macro(const char *path, const char *source, char *text, size_t size)
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
                                "%s:%ld: #define %s " GRADE_NO_BRACKETS
                                " around its value, which the operator beside it in line %ld "
                                "takes apart: (%.*s)",
                                source, line_of(all, p), name, line_of(all, use),
                                (int)(end - value), value);
    }
    free(all);
    return found;
}
