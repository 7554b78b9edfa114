/* Texts without what their own macros and digraphs disguise: `#define IS =` makes another token of
 * each. Macros with arguments are left. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/text.h"
#include "harness/similar/given.h"
#include "harness/similar/similar.h"

#define MOST_MACROS 400
#define MOST_DEPTH  8         /* of macros in macros */
#define MOST_STEPS  (1 << 16) /* macros that are put in, in all, empty ones too */
#define MOST_TEXT   (4 * GIVEN_MOST_TEXT)

struct macro {
    const char *name, *body; /* in the text */
    size_t name_length, body_length;
};

struct expansion {
    struct macro macro[MOST_MACROS];
    int n, steps;
    struct text out;
};

static size_t name_length(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    return n;
}

static struct macro *find(struct expansion *e, const char *name, size_t length)
{
    for (int i = 0; i < e->n; i++)
        if (e->macro[i].name_length == length && !memcmp(e->macro[i].name, name, length))
            return &e->macro[i];
    return NULL;
}

/* How long a line is, with those that a backslash adds to it. */
static size_t line_length(const char *p)
{
    size_t n = strcspn(p, "\n");
    while (p[n] && n > 0 && p[n - 1] == '\\')
        n += 1 + strcspn(p + n + 1, "\n");
    return n;
}

/* A line that begins with #: whether it defines a name without arguments, which is kept, or drops
 * one. */
static bool directive(struct expansion *e, const char *p, const char *end)
{
    static const char *const words[] = {"define", "undef"};
    p += strspn(p, " \t");
    const size_t word = name_length(p);
    const char *name = p + word + strspn(p + word, " \t");
    const size_t length = name_length(name);
    for (int i = 0; i < 2; i++) {
        if (word != strlen(words[i]) || memcmp(p, words[i], word) || !length || name[length] == '(')
            continue;
        struct macro *m = find(e, name, length);
        if (m)
            *m = e->macro[--e->n];
        const char *body = name + length + strspn(name + length, " \t");
        if (i == 0 && e->n < MOST_MACROS)
            e->macro[e->n++] = (struct macro){name, body, length, (size_t)(end - body)};
        return true;
    }
    return false;
}

/* How long the comment, the string or the character is that begins here; 0: none does. */
static size_t quoted(const char *p, const char *end)
{
    const char *q = p + 1;
    if (*p == '/' && p[1] == '*') {
        const char *close = strstr(p + 2, "*/");
        return (size_t)((close && close < end ? close + 2 : end) - p);
    }
    if (*p == '/' && p[1] == '/')
        return line_length(p) < (size_t)(end - p) ? line_length(p) : (size_t)(end - p);
    if (*p != '"' && *p != '\'')
        return 0;
    while (q < end && *q != *p && *q != '\n')
        q += 1 + (*q == '\\' && q + 1 < end);
    return (size_t)((q < end ? q + 1 : end) - p);
}

static size_t digraph(struct expansion *e, const char *p)
{
    static const char *const known[] = {"<%{", "%>}", "<:[", ":>]", "%:#"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (p[0] == known[i][0] && p[1] == known[i][1]) {
            text_add(&e->out, "%c", known[i][2]);
            return 2;
        }
    return 0;
}

/* One token, from p on: how long it was. */
static size_t expand(struct expansion *e, const char *p, const char *end, int depth)
{
    size_t n = quoted(p, end);
    if (n == 0 && (isalpha((unsigned char)*p) || *p == '_')) {
        n = name_length(p);
        const struct macro *found = find(e, p, n);
        if (found && depth < MOST_DEPTH && e->steps < MOST_STEPS && e->out.length < MOST_TEXT) {
            const struct macro m = *found;
            e->steps++;
            for (size_t at = 0; at < m.body_length;)
                if (m.body[at] == '\\' && m.body[at + 1] == '\n')
                    at += 2;
                else
                    at += expand(e, m.body + at, m.body + m.body_length, depth + 1);
            return n;
        }
    } else if (n == 0 && isdigit((unsigned char)*p)) {
        n = name_length(p);
    } else if (n == 0 && (n = digraph(e, p)) > 0) {
        return n;
    }
    n = n ? n : 1;
    for (size_t i = 0; i < n; i++)
        if (depth == 0 || p[i] != '\n') /* a body's lines stand where it is defined */
            text_add(&e->out, "%c", p[i]);
    return n;
}

char *similar_undisguised(const char *text)
{
    struct expansion *e = hpc_calloc(1, sizeof *e);
    const char *const end = text + strlen(text);
    bool begins = true; /* a line, but for blanks */
    for (const char *p = text; p < end;) {
        const size_t mark = *p == '#' ? 1 : p[0] == '%' && p[1] == ':' ? 2 : 0;
        const size_t length = line_length(p);
        if (begins && mark && directive(e, p + mark, p + length)) {
            for (size_t i = 0; i < length; i++)
                text_add(&e->out, "%s", p[i] == '\n' ? "\n" : "");
            p += length;
            continue;
        }
        begins = *p == '\n' || (begins && strchr(" \t", *p));
        p += expand(e, p, end, 0);
    }
    char *made = hpc_strdup(text_string(&e->out));
    text_free(&e->out);
    free(e);
    return made;
}
