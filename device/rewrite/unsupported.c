/* What a program needs that the CPU device does not have, told by name and line instead of by what
 * the compiler makes of it; with and without an installed toolkit the same. */
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/rewrite.h"

struct row {
    const char *name, *what;
};
static const struct row words[] = {
#define WORD(word, what) {word, what},
#define HEADER(name, what)
#include "device/rewrite/unsupported.def"
#undef WORD
#undef HEADER
};
static const struct row headers[] = {
#define WORD(word, what)
#define HEADER(name, what) {name, what},
#include "device/rewrite/unsupported.def"
#undef WORD
#undef HEADER
};

static const struct row registers[] = {
#define REGISTER(name, value) {name, value},
#define INSTRUCTION(words, value)
#include "device/rewrite/ptx.def"
#undef REGISTER
#undef INSTRUCTION
};
static const struct row instructions[] = {
#define REGISTER(name, value)
#define INSTRUCTION(words, value) {words, value},
#include "device/rewrite/ptx.def"
#undef REGISTER
#undef INSTRUCTION
};

const char *unsupported_header(const char *name)
{
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (strncmp(name, headers[i].name, strlen(headers[i].name)) == 0)
            return headers[i].what;
    return NULL;
}

/* Whether the word at i is that of a row, and what has to follow does. */
static bool is_row(const struct tokens *t, size_t i, const char *name)
{
    const struct token *k = &t->at[i];
    const size_t n = strcspn(name, "*:<("), length = (size_t)k->length;
    if (memcmp(k->text, name, n < length ? n : length) != 0 || length < n)
        return false;
    if (name[n] == '*') /* a handle's type says nothing, as in cudaGraph_t */
        return length < 2 || memcmp(k->text + length - 2, "_t", 2) != 0;
    return length == n && (name[n] == '\0' || token_is(t, i + 1, name + n) ||
                           (name[n] == '(' && token_is(t, i + 1, "<")));
}

/* A member, or a name of another namespace, is the program's own; so is what it declares. */
static bool is_own(const struct tokens *t, size_t i)
{
    if (i == 0)
        return false;
    if (token_is(t, i - 1, ".") || token_is(t, i - 1, "->") || token_is(t, i - 1, "namespace"))
        return true;
    return token_is(t, i - 1, "::") && i > 1 && t->at[i - 2].kind == TOKEN_WORD &&
           !token_is(t, i - 2, "nvcuda");
}

const char *unsupported_word(const struct tokens *t, size_t i)
{
    if (t->at[i].kind != TOKEN_WORD || t->files[t->at[i].file].system || is_own(t, i))
        return NULL;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (*words[k].name == *t->at[i].text && is_row(t, i, words[k].name))
            return words[k].what;
    return NULL;
}

/* The part of a header's path behind the folder that was searched: "thrust/sort.h". */
static const char *searched_name(const char *path)
{
    for (const char *p = path; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (unsupported_header(p))
            return p;
    }
    return NULL;
}

const char *unsupported_file(const struct tokens *t, int file)
{
    const struct source_file *f = &t->files[file];
    if (f->from < 0 || t->files[f->from].system || strstr(f->name, "/device/include/"))
        return NULL;
    return f->system ? searched_name(f->name) : NULL;
}

bool find_unsupported(const struct tokens *t, struct place *error)
{
    for (int f = 0; f < t->n_files; f++) {
        const char *name = unsupported_file(t, f);
        if (name) {
            place_set(error, t->files[t->files[f].from].name, t->files[f].from_line,
                      "not supported: %s (<%s>)", unsupported_header(name), name);
            return true;
        }
    }
    for (size_t i = 0; i < t->count; i++) {
        const char *what = unsupported_word(t, i);
        if (what) {
            token_error(t, i, error, "not supported: %s (%.*s)", what, t->at[i].length,
                        t->at[i].text);
            return true;
        }
    }
    return false;
}

/* ---- inline PTX ------------------------------------------------------------------------------ */

/* The words of the strings from token *k on, which is moved behind them: of one instruction, each
 * but for the spaces around it and its ;. */
static void ptx_text(const struct tokens *t, size_t *k, char *text, size_t size)
{
    size_t n = 0;
    for (; t->at[*k].kind == TOKEN_STRING; ++*k) {
        const struct token *s = &t->at[*k];
        for (int c = 1; c < s->length - 1 && n + 2 < size; c++) {
            char letter = s->text[c];
            if (letter == '\\' && ++c)
                letter = ' '; /* \n, \t */
            if (letter != ' ' || (n > 0 && text[n - 1] != ' '))
                text[n++] = letter;
        }
    }
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == ';'))
        n--;
    text[n] = '\0';
}

static const char *value_of(const struct row *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].what;
    return NULL;
}

/* "mov.u32 %0, %%laneid": the register's value, or NULL. */
static const char *moved(const char *text)
{
    const char *from = strchr(text, ',');
    if (strncmp(text, "mov.", 4) != 0 || !from || strncmp(text + 7, " %0", 3) != 0 ||
        strspn(text + 10, " ") != (size_t)(from - text - 10))
        return NULL;
    from += 1 + strspn(from + 1, " ");
    if (*from != '%')
        return NULL;
    from += 1 + (from[1] == '%');
    return value_of(registers, sizeof registers / sizeof *registers, from);
}

/* What it is that is not there: the instruction's name, or a register's behind mov. */
static bool ptx_error(struct rewriter *r, size_t i, const char *text)
{
    const char *name = text + strspn(text, "{ ");
    const char *from = strncmp(name, "mov.", 4) == 0 ? strchr(name, ',') : NULL;
    if (from && !strchr(from, ';')) {
        from += strspn(from, ", ");
        name = *from == '%' && from[1] == '%' ? from + 1 : from;
    }
    return token_error(&r->t, i, r->error,
                       "not supported: inline PTX (%.*s), expected plain CUDA C++",
                       (int)strcspn(name, " ;,"), name);
}

/* PTX is for GPUs; an empty string is a barrier for the compiler, here as there. */
bool rewrite_asm(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    char text[200];
    size_t k = i + 1;
    while (token_is(t, k, "volatile") || token_is(t, k, "__volatile__") || token_is(t, k, "goto"))
        k++;
    const size_t open = k++;
    if (!r->device_end || !token_is(t, open, "(") || t->at[k].length <= 2)
        return true;
    const size_t end = (size_t)t->match[open];
    ptx_text(t, &k, text, sizeof text);
    const char *value = moved(text);
    const size_t operand = k + 2; /* : "=r" ( */
    if (value && token_is(t, k, ":") && token_is(t, operand, "(")) {
        const size_t last = (size_t)t->match[operand];
        for (size_t d = i; d <= end; d++)
            r->edits[d].drop = d < operand || d > last;
        edit_after(r, last, " = ");
        edit_after(r, last, value);
    } else {
        value = value_of(instructions, sizeof instructions / sizeof *instructions, text);
        if (!value)
            return ptx_error(r, i, text);
        for (size_t d = i; d <= end; d++)
            r->edits[d].drop = true;
        edit_before(r, i, value);
    }
    waiting_word(r, i); /* threads of loops are not asked which they are */
    return true;
}
