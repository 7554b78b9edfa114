/* Text that grows, what will be written before and after a token, and the tokens with these edits,
 * each on the line where it stood. */
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

/* Between tokens is white space where the source has some, since `< <` is no shift. */
void buffer_tokens(struct buffer *b, const struct tokens *t, size_t from, size_t to,
                   const char *const *skip)
{
    size_t last = from;
    for (size_t i = from; i < to; i++) {
        bool skipped = t->at[i].kind == TOKEN_DIRECTIVE;
        for (const char *const *s = skip; s && *s && !skipped; s++)
            skipped = token_is(t, i, *s);
        if (skipped)
            continue;
        const bool beside = i == from || (last + 1 == i && t->at[i].space == 0 &&
                                          t->at[i].line == t->at[last].line);
        buffer_add(b, "%s%.*s", beside ? "" : " ", t->at[i].length, t->at[i].text);
        last = i;
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

struct writer {
    const struct rewriter *r;
    FILE *out;
    int line, file;
    bool line_begins; /* nothing stands on this line yet */
};

/* Go to the line of a token: by newlines where it is near, else by a line marker. */
static void go_to(struct writer *w, const struct token *k)
{
    int ahead = k->line - w->line;
    if (k->file != w->file || ahead < 0 || ahead > 8) {
        const struct source_file *f = &w->r->t.files[k->file];
        fprintf(w->out, "%s# %d \"%s\"%s\n", w->line_begins ? "" : "\n", k->line > 0 ? k->line : 1,
                f->name, f->system ? " 3" : "");
        w->line_begins = true;
    } else {
        for (; ahead > 0; ahead--) {
            fputc('\n', w->out);
            w->line_begins = true;
        }
    }
    w->line = k->line;
    w->file = k->file;
}

static void put_text(struct writer *w, const char *text)
{
    if (text) {
        fputs(text, w->out);
        w->line_begins = false;
    }
}

static void put_token(struct writer *w, const struct token *k)
{
    go_to(w, k);
    if (k->kind == TOKEN_DIRECTIVE && !w->line_begins) {
        fputc('\n', w->out);
        w->line++;
        go_to(w, k);
    }
    if (k->space > 0)
        fprintf(w->out, "%*s", k->space, "");
    fwrite(k->text, 1, (size_t)k->length, w->out);
    w->line_begins = false;
    for (const char *p = k->text; k->kind == TOKEN_STRING && p < k->text + k->length; p++)
        w->line += *p == '\n'; /* a raw string */
    if (k->kind == TOKEN_DIRECTIVE) {
        fputc('\n', w->out);
        w->line++;
        w->line_begins = true;
    }
}

static void put_range(struct writer *w, size_t from, size_t to, bool at_launch);

/* The configuration goes before the kernel: (::hpc_dev::configure(g, b), k(x)) */
static void put_launch(struct writer *w, const struct launch *l)
{
    go_to(w, &w->r->t.at[l->kernel]);
    put_text(w, " (::hpc_dev::configure(");
    put_range(w, l->config, l->config_end, false);
    put_text(w, "), ");
    put_range(w, l->kernel, l->config - 3, true);
}

static void put_range(struct writer *w, size_t from, size_t to, bool at_launch)
{
    for (size_t i = from; i < to; i++) {
        const struct edit *e = &w->r->edits[i];
        if (e->launch && !(at_launch && i == from)) {
            const struct launch *l = &w->r->launches[e->launch - 1];
            put_launch(w, l);
            i = l->call - 1;
            continue;
        }
        if (e->before || !e->drop)
            go_to(w, &w->r->t.at[i]);
        put_text(w, e->before);
        if (!e->drop)
            put_token(w, &w->r->t.at[i]);
        put_text(w, e->after);
    }
}

void emit(const struct rewriter *r, FILE *out)
{
    struct writer w = {.r = r, .out = out, .line = -100, .file = -1, .line_begins = true};
    put_range(&w, 0, r->t.count, false);
    fputc('\n', out);
}

void buffer_add_bounds(struct buffer *b, const struct tokens *t, size_t name)
{
    size_t k = declaration_start(t, name);
    while (k < name && !token_is(t, k, "hpc_launch_bounds"))
        k++;
    const size_t from = k + 2, close = k < name ? (size_t)t->match[k + 1] : from;
    const size_t to = declarator_end(t, from, close);
    buffer_add(b, "static_cast<unsigned>(");
    buffer_tokens(b, t, from, to, NULL);
    buffer_add(b, to > from ? ")" : "0)");
}

void buffer_add_references(struct buffer *b, const struct tokens *t, size_t open)
{
    bool value = false;
    for (size_t i = open + 1, end = (size_t)t->match[open]; i < end; i++) {
        value = (value || token_is(t, i, "=")) && !token_is(t, i, ",");
        size_t name = i + 1;
        while (token_is(t, name, ".") || token_is(t, name, "..."))
            name++;
        const bool pack = name > i + 1;
        if (!value && token_is(t, i, "&") && t->at[name].kind == TOKEN_WORD &&
            (token_is(t, name + 1, ",") || token_is(t, name + 1, ")") ||
             token_is(t, name + 1, "=")))
            buffer_add(b, ", &%.*s%s", t->at[name].length, t->at[name].text, pack ? "..." : "");
        if (token_is(t, i, "(") && !token_is(t, i + 1, "&")) /* a function's */
            i = (size_t)t->match[i];
    }
}
