/* Text that grows, and what will be written before and after a token. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/rewrite.h"

static void buffer_reserve(struct buffer *b, size_t more)
{
    if (b->length + more + 1 <= b->capacity)
        return;
    b->capacity = 2 * (b->length + more + 64);
    b->text = realloc(b->text, b->capacity);
    if (!b->text)
        abort();
}

void buffer_add(struct buffer *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0)
        abort();
    buffer_reserve(b, (size_t)n);
    va_start(args, format);
    vsnprintf(b->text + b->length, (size_t)n + 1, format, args);
    va_end(args);
    b->length += (size_t)n;
}

void buffer_tokens(struct buffer *b, const struct tokens *t, size_t from, size_t to,
                   const char *const *skip)
{
    for (size_t i = from; i < to; i++) {
        bool skipped = t->at[i].kind == TOKEN_DIRECTIVE;
        for (const char *const *s = skip; s && *s && !skipped; s++)
            skipped = token_is(t, i, *s);
        if (!skipped)
            buffer_add(b, "%s%.*s", i > from ? " " : "", t->at[i].length, t->at[i].text);
    }
}

static void text_append(char **text, const char *more)
{
    size_t n = *text ? strlen(*text) : 0;
    *text = realloc(*text, n + strlen(more) + 1);
    if (!*text)
        abort();
    strcpy(*text + n, more);
}

void edit_before(struct rewriter *r, size_t i, const char *text)
{
    text_append(&r->edits[i].before, text);
}

void edit_after(struct rewriter *r, size_t i, const char *text)
{
    text_append(&r->edits[i].after, text);
}
