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

/* With \ for /, as Windows takes it. */
static bool begins_with(const char *name, const char *with)
{
    while (*with && (*name == *with || (*name == '\\' && *with == '/')))
        name++, with++;
    return !*with;
}

const char *unsupported_header(const char *name)
{
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (begins_with(name, headers[i].name))
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
           !token_is(t, i - 2, "nvcuda") && !token_is(t, i - 2, "cooperative_groups") &&
           !token_is(t, i - 2, "cg"); /* as everybody calls it */
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

static size_t without_end(const char *text, size_t n)
{
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == ';'))
        n--;
    return n;
}

/* The words of the strings from token *k on, which is moved behind them, but for the spaces around
 * them, their braces and the last ;. False where they are too many. */
static bool ptx_text(const struct tokens *t, size_t *k, char *text, size_t size)
{
    size_t n = 0, most = 0;
    for (; t->at[*k].kind == TOKEN_STRING; ++*k) {
        const struct token *s = &t->at[*k];
        most += (size_t)s->length;
        for (int c = 1; c < s->length - 1 && most < size; c++) {
            char letter = s->text[c];
            if (letter == '\t' || (letter == '\\' && ++c))
                letter = ' '; /* \n, \t */
            if (letter != ' ' || (n > 0 && text[n - 1] != ' '))
                text[n++] = letter;
        }
    }
    n = without_end(text, n);
    if (n > 0 && *text == '{' && text[n - 1] == '}')
        n = without_end(text, n - 1);
    text[n] = '\0';
    const size_t skip = strspn(text, "{ ");
    memmove(text, text + skip, n - skip + 1);
    return most < size;
}

/* What it is that is not there: the instruction's name, or a register's behind mov. */
static bool ptx_error(struct rewriter *r, size_t i, const char *text)
{
    const char *name = text;
    const char *from = strncmp(name, "mov.", 4) == 0 ? strchr(name, ',') : NULL;
    if (from && !strchr(from, ';')) {
        from += strspn(from, ", ");
        name = *from == '%' && from[1] == '%' ? from + 1 : from;
    }
    return token_error(&r->t, i, r->error,
                       "not supported: inline PTX (%.*s), expected plain CUDA C++",
                       (int)strcspn(name, " ;,"), name);
}

/* The operands of the asm at i, from token k on, become variables before the code. False: they
 * have names, which nvcc refuses, or are tied to each other. */
static bool take_operands(struct rewriter *r, size_t i, size_t k, size_t end, const char *code)
{
    const struct tokens *t = &r->t;
    size_t last = i;
    int part = 0, n = 0;
    for (size_t d = i; d <= end; d++)
        r->edits[d].drop = true;
    edit_before(r, i, " do { ");
    for (; k < end; k++) {
        part += token_is(t, k, "::") ? 2 : token_is(t, k, ":");
        if (token_is(t, k, "[") ||
            (t->at[k].kind == TOKEN_STRING && strchr("0123", t->at[k].text[1])))
            return false;
        if (t->at[k].kind != TOKEN_STRING || !token_is(t, k + 1, "("))
            continue;
        struct buffer b = {0};
        buffer_add(&b, "[[maybe_unused]] %s hpc_ptx_%d = ", part == 1 ? "auto &" : "const auto",
                   n++);
        edit_before(r, ++k, b.text);
        free(b.text);
        for (last = (size_t)t->match[k]; k < last; k++)
            r->edits[k].drop = false;
        r->edits[last].drop = false;
        edit_after(r, last, "; ");
    }
    edit_after(r, last, code);
    edit_after(r, last, "; } while (0)");
    return true;
}

/* PTX is for GPUs; an empty string is a barrier for the compiler, here as there. */
bool rewrite_asm(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    char text[PTX_LONGEST];
    size_t k = i + 1;
    while (token_is(t, k, "volatile") || token_is(t, k, "__volatile__") || token_is(t, k, "goto"))
        k++;
    const size_t open = k++;
    if (!r->device_end || !token_is(t, open, "(") || t->at[k].length <= 2)
        return true;
    const size_t end = (size_t)t->match[open];
    if (!ptx_text(t, &k, text, sizeof text))
        return ptx_error(r, i, text);
    const char *value = ptx_moved(text), *instruction = ptx_alone(text);
    const size_t operand = k + 2; /* : "=r" ( */
    if (value && token_is(t, k, ":") && token_is(t, operand, "(")) {
        const size_t last = (size_t)t->match[operand];
        for (size_t d = i; d <= end; d++)
            r->edits[d].drop = d < operand || d > last;
        edit_after(r, last, " = ");
        edit_after(r, last, value);
    } else if (instruction) {
        for (size_t d = i; d <= end; d++)
            r->edits[d].drop = true;
        edit_before(r, i, instruction);
    } else {
        struct buffer b = {0};
        const char *missing = ptx_code(&b, text);
        const bool ok = !missing && take_operands(r, i, k, end, b.text);
        const bool asks = ok && strstr(b.text, "__activemask");
        free(b.text);
        if (!ok)
            return ptx_error(r, i, missing ? missing : text);
        if (!asks)
            return true;
    }
    waiting_word(r, i); /* threads of loops are not asked which they are */
    return true;
}
