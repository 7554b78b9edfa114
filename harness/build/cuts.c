/* The text that gcc's thread sanitizer compiles, with variables where it does not look: a struct on
 * its way into memory from the function that returns it, or from memory to one that takes it, goes
 * through a variable of its own, whose copy is an assignment. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/text.h"
#include "harness/build/internal.h"

struct cut {
    const char *at;
    const char *text; /* that goes in there */
};

struct cuts {
    struct cut *cut;
    int n;
};

/* Behind blanks, ends of lines and a preprocessor's markers. */
static const char *behind_space(const char *p)
{
    for (;;) {
        p += strspn(p, " \t\n\f\v\r");
        if (*p != '#')
            return p;
        p += strcspn(p, "\n");
    }
}

/* Behind what the bracket at p closes, or NULL. */
static const char *behind_bracket(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        if (*p == '"' || *p == '\'')
            p = behind_string(p) - 1;
        else if (*p == '#' && p[-1] == '\n')
            p += strcspn(p, "\n") - 1;
        depth += strchr("([{", *p) != NULL;
        depth -= strchr(")]}", *p) != NULL;
        if (depth == 0)
            return p + 1;
    }
    return NULL;
}

/* The bracket that opens the arguments of the call that begins at p, f(..), s->f(..), or NULL. */
static const char *arguments(const char *p)
{
    while (p && (in_c_word(*p) || *p == '[')) {
        if (*p == '[')
            p = behind_bracket(p);
        while (p && in_c_word(*p))
            p++;
        p = p ? behind_space(p) : NULL;
        if (p && (*p == '.' || strncmp(p, "->", 2) == 0))
            p = behind_space(p + (*p == '.' ? 1 : 2));
    }
    return p && *p == '(' ? p : NULL;
}

/* The argument of that number of the call whose brackets are open .. last; its end into *end. NULL
 * where it has none. */
static const char *argument(const char *open, const char *last, int number, const char **end)
{
    const char *p = open + 1;
    for (int k = 0;; k++) {
        const char *q = p;
        while (q && q < last && *q != ',')
            q = *q == '"' || *q == '\'' ? behind_string(q)
                : strchr("([{", *q)     ? behind_bracket(q)
                                        : q + 1;
        *end = q;
        if (!q || k == number)
            return q ? p : NULL;
        if (q >= last)
            return NULL;
        p = q + 1;
    }
}

static void add_cuts(struct cuts *to, const char *begin, const char *end)
{
    to->cut = hpc_realloc(to->cut, (size_t)(to->n + 2) * sizeof *to->cut);
    to->cut[to->n++] = (struct cut){begin, "({ __auto_type hpc__seen = "};
    to->cut[to->n++] = (struct cut){end, "; hpc__seen; })"};
}

/* Cuts around what is not seen of the call at p, and of calls of the same name in it, of which gcc
 * may say the same place; false where there is no such call. */
static bool cut(const char *p, const struct unseen_call *u, struct cuts *to)
{
    const char *open = arguments(p), *end = open ? behind_bracket(open) : NULL, *of = end;
    const size_t n = strlen(u->name);
    if (!end || u->copies)
        return false;
    const char *begin = u->which == CALL_RESULT ? p : argument(open, end - 1, u->which, &of);
    if (begin)
        add_cuts(to, begin, of);
    for (const char *q = p + 1; n > 0 && (q = memmem(q, (size_t)(end - q), u->name, n)); q++)
        if (!in_c_word(q[-1]) && !strchr(".>", q[-1]) && !in_c_word(q[n]))
            return cut(q, u, to) || begin;
    return begin != NULL;
}

static int by_place(const void *a, const void *b)
{
    const struct cut *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Cuts of the calls in those lines of a text that are the student's. */
static void find_cuts(const struct building *b, const char *text, struct unseen_call *u, int n,
                      struct cuts *to)
{
    int line = 0;
    bool own = false;
    for (const char *p = text; *p; line++) {
        const char *end = strchrnul(p, '\n'), *name = memchr(p, '"', (size_t)(end - p));
        if (p[0] == '#' && p[1] == ' ' && name) {
            own = !trusted_file(b->spec, name + 1, strcspn(name + 1, "\""));
            line = atoi(p + 2) - 1;
        } else if (own) {
            for (int i = 0; i < n; i++)
                if (u[i].line == line && !u[i].cut && u[i].column > 0 && u[i].column <= end - p)
                    u[i].cut = cut(p + u[i].column - 1, &u[i], to);
        }
        p = *end ? end + 1 : end;
    }
    if (to->n > 0)
        qsort(to->cut, (size_t)to->n, sizeof *to->cut, by_place);
}

bool building_cut(struct building *b, const void *calls)
{
    struct unseen_calls *unseen = *(struct unseen_calls *const *)calls;
    size_t length;
    char *text = read_stage(b, "whole.i", &length);
    struct cuts cuts = {NULL, 0};
    struct text seen = {0};
    if (text)
        find_cuts(b, text, unseen->call, unseen->n, &cuts);
    const char *p = text;
    for (int i = 0; i < cuts.n; i++) {
        text_add(&seen, "%.*s%s", (int)(cuts.cut[i].at - p), p, cuts.cut[i].text);
        p = cuts.cut[i].at;
    }
    if (cuts.n > 0)
        text_add(&seen, "%s", p);
    const bool good = cuts.n > 0 && write_stage(b, SEEN_TEXT, text_string(&seen));
    text_free(&seen);
    free(cuts.cut);
    free(text);
    return good;
}

/* Two calls at one place are one: a function's, and those of its copies elsewhere. */
static int by_call(const void *a, const void *b)
{
    const struct unseen_call *x = a, *y = b;
    const int lines = x->line - y->line, columns = x->column - y->column;
    return lines ? lines : columns ? columns : x->which - y->which;
}

int building_once(struct unseen_call *u, int n)
{
    int kept = 0;
    qsort(u, (size_t)n, sizeof *u, by_call);
    for (int i = 0; i < n; i++)
        if (i == 0 || by_call(&u[i], &u[kept - 1]) != 0)
            u[kept++] = u[i];
    return kept;
}
