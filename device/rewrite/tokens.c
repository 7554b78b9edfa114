#include "device/rewrite/tokens.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct tokens *t;
    const char *p, *end;
    const char *line_start; /* or the end of the last token on this line: where white space began */
    size_t capacity;
    int line, file;
    struct place *error;
};

static void *must(void *p)
{
    if (!p) {
        fprintf(stderr, "rewrite: out of memory\n");
        exit(3);
    }
    return p;
}

static bool fail(struct reader *r, int line, const char *text)
{
    snprintf(r->error->file, sizeof r->error->file, "%s", r->t->files[r->file].name);
    r->error->line = line;
    snprintf(r->error->text, sizeof r->error->text, "%s", text);
    return false;
}

static void token_add(struct reader *r, enum token_kind kind, const char *text, int line)
{
    struct tokens *t = r->t;
    if (t->count + 2 > r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 4096;
        t->at = must(realloc(t->at, r->capacity * sizeof *t->at));
    }
    ptrdiff_t space = text - r->line_start;
    t->at[t->count++] = (struct token){.kind = kind,
                                       .text = text,
                                       .length = (int)(r->p - text),
                                       .space = space > 0 && space < 200 ? (int)space : 0,
                                       .line = line,
                                       .file = r->file};
    r->line_start = r->p;
}

static bool is_word(int c)
{
    return isalnum(c) || c == '_' || c == '$' || c >= 0x80;
}

static int file_index(struct tokens *t, const char *name, size_t length, bool system)
{
    for (int i = t->n_files - 1; i >= 0; i--)
        if (t->files[i].system == system && strlen(t->files[i].name) == length &&
            memcmp(t->files[i].name, name, length) == 0)
            return i;
    t->files = must(realloc(t->files, (size_t)(t->n_files + 1) * sizeof *t->files));
    t->files[t->n_files] =
        (struct source_file){.name = must(strndup(name, length)), .system = system, .from = -1};
    return t->n_files++;
}

/* A line that begins with #: a line marker moves the place, another directive becomes a token. */
static void read_directive(struct reader *r)
{
    const char *start = r->p, *stop = memchr(r->p, '\n', (size_t)(r->end - r->p));
    if (!stop)
        stop = r->end;
    const char *p = start + 1;
    while (p < stop && (*p == ' ' || *p == '\t'))
        p++;
    if (stop - p > 5 && memcmp(p, "line ", 5) == 0)
        p += 5;
    r->p = stop;
    if (p == stop || !isdigit((unsigned char)*p)) {
        token_add(r, TOKEN_DIRECTIVE, start, r->line);
        return;
    }
    char *after;
    long line = strtol(p, &after, 10);
    const char *quote = after < stop ? memchr(after, '"', (size_t)(stop - after)) : NULL;
    const char *close = stop;
    while (quote && close > quote + 1 && close[-1] != '"')
        close--;
    if (quote && close > quote + 1) {
        const int from = r->file, known = r->t->n_files;
        r->file = file_index(r->t, quote + 1, (size_t)(close - quote - 2),
                             memchr(close, '3', (size_t)(stop - close)) != NULL);
        if (r->file == known && memchr(close, '1', (size_t)(stop - close))) {
            r->t->files[known].from = from;
            r->t->files[known].from_line = r->line;
        }
    }
    r->line = line > 0 && line < INT_MAX / 2 ? (int)line - 1 : 0; /* the newline counts one */
}

static int count_lines(const char *from, const char *to)
{
    int n = 0;
    for (; from < to; from++)
        n += *from == '\n';
    return n;
}

/* R"delimiter( .. )delimiter", from the quote. */
static bool read_raw_string(struct reader *r, const char *start)
{
    const char *open = r->p + 1;
    const char *paren = open;
    while (paren < r->end && paren - open <= 16 && *paren != '(' && *paren != '\n')
        paren++;
    if (paren >= r->end || *paren != '(')
        return fail(r, r->line, "a raw string without its opening parenthesis");
    size_t n = (size_t)(paren - open);
    for (const char *p = paren + 1; p + n + 1 < r->end; p++)
        if (*p == ')' && memcmp(p + 1, open, n) == 0 && p[n + 1] == '"') {
            int line = r->line;
            r->line += count_lines(start, p);
            r->p = p + n + 2;
            token_add(r, TOKEN_STRING, start, line);
            return true;
        }
    return fail(r, r->line, "a raw string that does not end");
}

static bool read_string(struct reader *r, const char *start)
{
    char quote = *r->p++;
    while (r->p < r->end && *r->p != quote && *r->p != '\n')
        r->p += *r->p == '\\' && r->p + 1 < r->end ? 2 : 1;
    if (r->p >= r->end || *r->p != quote)
        return fail(r, r->line,
                    quote == '"' ? "a string that does not end on its line"
                                 : "a character that does not end on its line");
    r->p++;
    while (r->p < r->end && is_word((unsigned char)*r->p)) /* a suffix: "us"s */
        r->p++;
    token_add(r, TOKEN_STRING, start, r->line);
    return true;
}

static bool prefix_of_string(const char *text, ptrdiff_t length, bool *raw)
{
    static const char *const prefixes[] = {"L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if ((ptrdiff_t)strlen(prefixes[i]) == length && memcmp(prefixes[i], text, length) == 0) {
            *raw = i >= 4;
            return true;
        }
    return false;
}

static bool read_word(struct reader *r)
{
    const char *start = r->p;
    bool raw = false;
    while (r->p < r->end && is_word((unsigned char)*r->p))
        r->p++;
    if (r->p < r->end && (*r->p == '"' || *r->p == '\'') &&
        prefix_of_string(start, r->p - start, &raw))
        return raw && *r->p == '"' ? read_raw_string(r, start) : read_string(r, start);
    token_add(r, TOKEN_WORD, start, r->line);
    return true;
}

static void read_number(struct reader *r)
{
    const char *start = r->p++;
    while (r->p < r->end) {
        char c = *r->p, before = r->p[-1];
        bool exponent = (c == '+' || c == '-') && strchr("eEpP", before);
        bool separator = c == '\'' && r->p + 1 < r->end && isalnum((unsigned char)r->p[1]);
        if (!is_word((unsigned char)c) && c != '.' && !exponent && !separator)
            break;
        r->p++;
    }
    token_add(r, TOKEN_NUMBER, start, r->line);
}

static bool read_token(struct reader *r)
{
    unsigned char c = (unsigned char)*r->p;
    bool more = r->p + 1 < r->end;
    if (is_word(c) && !isdigit(c))
        return read_word(r);
    if (isdigit(c) || (c == '.' && more && isdigit((unsigned char)r->p[1]))) {
        read_number(r);
        return true;
    }
    if (c == '"' || c == '\'')
        return read_string(r, r->p);
    const char *start = r->p;
    r->p += more && ((c == ':' && r->p[1] == ':') || (c == '-' && r->p[1] == '>')) ? 2 : 1;
    token_add(r, TOKEN_PUNCT, start, r->line);
    return true;
}

bool tokens_read(struct tokens *t, const char *text, size_t length, struct place *error)
{
    struct reader r = {
        .t = t, .p = text, .end = text + length, .line_start = text, .line = 1, .error = error};
    *t = (struct tokens){0};
    r.file = file_index(t, "<stdin>", 7, false);
    bool fresh = true, ok = length < INT_MAX / 2;
    if (!ok)
        return fail(&r, 1, "over a GiB of preprocessed text");
    while (r.p < r.end && ok) {
        char c = *r.p;
        if (c == '\n') {
            r.line++;
            r.line_start = ++r.p;
            fresh = true;
        } else if (isspace((unsigned char)c) || c == '\0') {
            r.p++;
        } else if (c == '\\' && r.p + 1 < r.end && r.p[1] == '\n') {
            r.p++;
        } else if (c == '#' && fresh) {
            read_directive(&r);
        } else {
            fresh = false;
            ok = read_token(&r);
        }
    }
    r.p = r.end;
    token_add(&r, TOKEN_END, r.end, r.line);
    t->count--;
    return ok && tokens_match(t, error);
}

bool is_prefix(const struct tokens *t, size_t i)
{
    const struct token *before = &t->at[i - 1];
    return before->kind == TOKEN_PUNCT ? !token_is(t, i - 1, ")") && !token_is(t, i - 1, "]")
                                       : before->kind == TOKEN_WORD && token_is(t, i - 1, "return");
}

bool is_joined(const struct tokens *t, size_t i, const char *text)
{
    return token_is(t, i, text) && t->at[i].space == 0;
}
