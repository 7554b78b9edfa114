/* Tokens that have been read: what they are, which brackets belong together, and where in a program
 * one stands: braces, declarations, declarators. By words alone, without knowing types: what is
 * asked of it is little, and what it can't tell is left to the compiler. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/rewrite.h"

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

/* ---- scopes and declarations ------------------------------------------------------------------
 */

enum scope scope_now(const struct rewriter *r)
{
    return r->depth > 0 ? r->scopes[r->depth - 1] : SCOPE_NAMESPACE;
}

size_t after_angles(const struct tokens *t, size_t i)
{
    int depth = 0;
    for (size_t k = i; k < t->count; k++) {
        if (token_is(t, k, "<"))
            depth++;
        else if (token_is(t, k, ">") && --depth == 0)
            return k + 1;
        else if (token_is(t, k, "(") || token_is(t, k, "["))
            k = (size_t)t->match[k];
        else if (token_is(t, k, ";") || token_is(t, k, "{") || token_is(t, k, ")"))
            return i;
    }
    return i;
}

/* Whether the declaration in front of a { at i has parentheses outside of brackets, as a function
 * has, after the last class key. */
static bool is_class_head(const struct tokens *t, size_t from, size_t i)
{
    bool class_key = false;
    for (size_t k = from; k < i; k++) {
        if (token_is(t, k, "template") && token_is(t, k + 1, "<"))
            k = after_angles(t, k + 1) - 1;
        else if (token_is(t, k, "class") || token_is(t, k, "struct") || token_is(t, k, "union") ||
                 token_is(t, k, "enum"))
            class_key = true;
        else if (token_is(t, k, "alignas") || token_is(t, k, "__attribute__") ||
                 token_is(t, k, "decltype") || token_is(t, k, "__declspec"))
            k = token_is(t, k + 1, "(") ? (size_t)t->match[k + 1] : k;
        else if (token_is(t, k, "="))
            return false;
        else if (token_is(t, k, "("))
            return false;
        else if (token_is(t, k, "<"))
            k = after_angles(t, k) > k ? after_angles(t, k) - 1 : k;
    }
    return class_key;
}

/* Whether the [ at i begins a lambda. */
static bool is_lambda(const struct tokens *t, size_t i)
{
    if (token_is(t, i + 1, "[") || (i > 0 && token_is(t, i - 1, "[")))
        return false; /* an attribute */
    if (i == 0)
        return true;
    const struct token *k = &t->at[i - 1];
    if (k->kind == TOKEN_WORD)
        return token_is(t, i - 1, "return");
    return k->kind == TOKEN_PUNCT && !strchr(")]>", *k->text);
}

/* Whether the { at i, in a function, is the body of a lambda. */
static bool is_lambda_body(const struct tokens *t, size_t i)
{
    for (size_t k = i; k > 0; k--) {
        if (token_is(t, k - 1, ";") || token_is(t, k - 1, "{") || token_is(t, k - 1, "}"))
            return false;
        if (token_is(t, k - 1, "]")) {
            size_t open = (size_t)t->match[k - 1];
            if (is_lambda(t, open))
                return true;
            k = open + 1;
        } else if (token_is(t, k - 1, ")")) {
            k = (size_t)t->match[k - 1] + 1;
        }
        if (token_is(t, k - 1, "="))
            return false;
    }
    return false;
}

size_t declaration_start(const struct tokens *t, size_t i)
{
    while (i > 0) {
        const struct token *k = &t->at[i - 1];
        if (k->kind == TOKEN_DIRECTIVE || token_is(t, i - 1, ";") || token_is(t, i - 1, "{") ||
            token_is(t, i - 1, "}") || token_is(t, i - 1, "("))
            return i;
        if (token_is(t, i - 1, ":") && !token_is(t, i, ":"))
            return i; /* a label, public: */
        if (token_is(t, i - 1, ")") || token_is(t, i - 1, "]")) {
            size_t open = (size_t)t->match[i - 1];
            if (open > 0 && (token_is(t, open - 1, "if") || token_is(t, open - 1, "for") ||
                             token_is(t, open - 1, "while")))
                return i;
            i = open;
            continue;
        }
        i--;
    }
    return i;
}

enum scope scope_of(const struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    size_t from = declaration_start(t, i);
    if (token_is(t, from, "inline") && token_is(t, from + 1, "namespace"))
        from++;
    bool outside = scope_now(r) == SCOPE_NAMESPACE;
    if (outside && token_is(t, from, "namespace"))
        return SCOPE_NAMESPACE;
    if (outside && token_is(t, from, "extern") && from + 2 == i &&
        t->at[from + 1].kind == TOKEN_STRING)
        return SCOPE_NAMESPACE;
    if (is_class_head(t, from, i))
        return SCOPE_CLASS;
    return !outside && is_lambda_body(t, i) ? SCOPE_LAMBDA : SCOPE_BLOCK;
}

size_t declarator_end(const struct tokens *t, size_t from, size_t limit)
{
    for (size_t k = from; k < limit; k++) {
        if (token_is(t, k, ",") || token_is(t, k, ";") || token_is(t, k, "="))
            return k;
        if (token_is(t, k, "<") && after_angles(t, k) > k)
            k = after_angles(t, k) - 1;
        else if (token_is(t, k, "{"))
            return k;
        else if (t->match[k] > (int)k)
            k = (size_t)t->match[k];
    }
    return limit;
}

size_t declarator_name(const struct tokens *t, size_t from, size_t to)
{
    size_t name = to;
    for (size_t k = from; k < to; k++) {
        if (token_is(t, k, "alignas") || token_is(t, k, "__attribute__") ||
            token_is(t, k, "decltype") || token_is(t, k, "__declspec")) {
            if (token_is(t, k + 1, "("))
                k = (size_t)t->match[k + 1];
            name = to;
        } else if (t->at[k].kind == TOKEN_WORD) {
            name = k;
        } else if (token_is(t, k, "(") && k + 1 < to &&
                   (token_is(t, k + 1, "*") || token_is(t, k + 1, "&"))) {
            return declarator_name(t, k + 1, (size_t)t->match[k]);
        } else if (token_is(t, k, "[") && token_is(t, k + 1, "[")) {
            k = (size_t)t->match[k]; /* an attribute */
        } else if (token_is(t, k, "[") || token_is(t, k, "(")) {
            return name;
        } else if (token_is(t, k, "<") && after_angles(t, k) > k) {
            k = after_angles(t, k) - 1;
            name = to;
        }
    }
    return name;
}

size_t parameters(const struct tokens *t, size_t i)
{
    for (; i < t->count; i++) {
        if (token_is(t, i, ";") || token_is(t, i, "{") || token_is(t, i, "}"))
            break;
        if (token_is(t, i, "__attribute__") || token_is(t, i, "alignas") ||
            token_is(t, i, "decltype")) {
            if (token_is(t, i + 1, "("))
                i = (size_t)t->match[i + 1];
        } else if (token_is(t, i, "[")) {
            i = (size_t)t->match[i];
        } else if (token_is(t, i, "<") && after_angles(t, i) > i) {
            i = after_angles(t, i) - 1;
        } else if (token_is(t, i, "(")) {
            return i;
        }
    }
    return t->count;
}

size_t function_name(const struct tokens *t, size_t i)
{
    size_t k = i - 1;
    if (token_is(t, k, ">"))
        while (k > 0 && !(token_is(t, k, "<") && after_angles(t, k) == i))
            k--;
    return token_is(t, k, "<") && k > 0 ? k - 1 : k;
}

size_t variable_end(const struct tokens *t, size_t k)
{
    for (; k < t->count && !token_is(t, k, ";"); k++) {
        if (token_is(t, k, "}") || token_is(t, k, ")"))
            return t->count;
        if (t->match[k] > (int)k)
            k = (size_t)t->match[k];
    }
    return k;
}

size_t after_class(const struct tokens *t, size_t start, size_t end)
{
    size_t k = start;
    while (k < end && !token_is(t, k, "struct") && !token_is(t, k, "class") &&
           !token_is(t, k, "union") && !token_is(t, k, "enum"))
        k = t->match[k] > (int)k ? (size_t)t->match[k] : k + 1;
    while (k < end && (t->at[k].kind == TOKEN_WORD || token_is(t, k, ":") || token_is(t, k, "::")))
        k++;
    return k < end && token_is(t, k, "{") ? (size_t)t->match[k] + 1 : start;
}
