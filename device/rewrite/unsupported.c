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
