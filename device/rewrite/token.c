/* Tokens that have been read: what they are, and which brackets belong together. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/tokens.h"

bool tokens_match(struct tokens *t, struct place *error)
{
    size_t *open = malloc((t->count + 1) * sizeof *open), depth = 0;
    bool ok = true;
    t->match = malloc((t->count + 1) * sizeof *t->match);
    if (!open || !t->match) {
        fprintf(stderr, "rewrite: out of memory\n");
        exit(3);
    }
    for (size_t i = 0; i < t->count && ok; i++) {
        const struct token *k = &t->at[i];
        t->match[i] = -1;
        if (k->kind != TOKEN_PUNCT)
            continue;
        char c = *k->text;
        if (c == '(' || c == '[' || c == '{')
            open[depth++] = i;
        if (c != ')' && c != ']' && c != '}')
            continue;
        char wants = c == ')' ? '(' : c == ']' ? '[' : '{';
        if (depth == 0)
            ok = token_error(t, i, error, "'%c' closes nothing", c);
        else if (*t->at[open[--depth]].text != wants)
            ok = token_error(t, i, error, "'%c' found, but '%c' of line %d is open", c,
                             *t->at[open[depth]].text, t->at[open[depth]].line);
        else {
            t->match[i] = (int)open[depth];
            t->match[open[depth]] = (int)i;
        }
    }
    if (ok && depth > 0)
        ok = token_error(t, open[depth - 1], error, "'%c' is never closed",
                         *t->at[open[depth - 1]].text);
    free(open);
    return ok;
}

void tokens_free(struct tokens *t)
{
    for (int i = 0; i < t->n_files; i++)
        free(t->files[i].name);
    free(t->files);
    free(t->at);
    free(t->match);
    *t = (struct tokens){0};
}

bool token_is(const struct tokens *t, size_t i, const char *text)
{
    if (i >= t->count)
        return false;
    const struct token *k = &t->at[i];
    return (k->kind == TOKEN_WORD || k->kind == TOKEN_PUNCT) && k->length == (int)strlen(text) &&
           memcmp(k->text, text, (size_t)k->length) == 0;
}

bool is_prefix(const struct tokens *t, size_t i)
{
    const struct token *before = &t->at[i - 1];
    return before->kind == TOKEN_PUNCT ? !token_is(t, i - 1, ")") && !token_is(t, i - 1, "]")
                                       : before->kind == TOKEN_WORD && token_is(t, i - 1, "return");
}

bool joined(const struct tokens *t, size_t i, const char *text)
{
    return token_is(t, i, text) && t->at[i].space == 0;
}

void place_set(struct place *error, const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    snprintf(error->file, sizeof error->file, "%s", file);
    error->line = line;
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
}

bool token_error(const struct tokens *t, size_t i, struct place *error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    snprintf(error->file, sizeof error->file, "%s", t->files[t->at[i].file].name);
    error->line = t->at[i].line;
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}
