/* Texts without what everybody was given. */
#define _GNU_SOURCE
#include "harness/similar/given.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/text.h"

static char *squeezed(const char *line, size_t n)
{
    char *const text = hpc_malloc(n + 1), *to = text;
    for (size_t i = 0; i < n; i++)
        if (!strchr(" \t\r", line[i]))
            *to++ = line[i];
    *to = '\0';
    return text;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void given_add(struct given *g, const char *text)
{
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, "\n");
        g->line = hpc_realloc(g->line, (unsigned long)(g->n + 1) * sizeof *g->line);
        g->line[g->n++] = squeezed(at, length);
        at += length + (at[length] == '\n');
    }
    if (g->n > 0)
        qsort(g->line, g->n, sizeof *g->line, by_text);
}

void given_free(struct given *g)
{
    for (size_t i = 0; i < g->n; i++)
        free(g->line[i]);
    free(g->line);
}

/* Whether it has a line that is this one but for blanks. One of brackets alone is everybody's own:
 * who writes each on a line would have others than who does not. */
static bool is_given(const struct given *g, const char *line, size_t n)
{
    char *wanted = squeezed(line, n);
    bool words = false;
    for (const char *c = wanted; *c; c++)
        words |= isalnum((unsigned char)*c) != 0;
    const bool found = words && g->n && bsearch(&wanted, g->line, g->n, sizeof wanted, by_text);
    free(wanted);
    return found;
}

char *given_left_out(const struct given *given, const char *text, bool *cut)
{
    struct text t = {0};
    size_t own = 0;
    for (const char *at = text; *at && own <= GIVEN_MOST_TEXT;) {
        const size_t length = strcspn(at, "\n");
        if (!is_given(given, at, length)) {
            own += length;
            *cut = own > GIVEN_MOST_TEXT;
            text_add(&t, "%.*s", *cut ? 0 : (int)length, at);
        }
        text_add(&t, "\n");
        at += length + (at[length] == '\n');
    }
    return text_take(&t);
}
