/* `rewrite --explain`: what a program needs of CUDA, and what of it is there. `rewrite --missing`:
 * the preprocessor's words, with those of headers that the CPU device does not have in its own. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/rewrite.h"

static bool begins(const struct token *k, const char *text)
{
    const size_t n = strlen(text);
    return (size_t)k->length > n && memcmp(k->text, text, n) == 0;
}

/* Names as CUDA's are. */
static bool is_cudas(const struct token *k)
{
    return begins(k, "cuda") || begins(k, "cublas") || begins(k, "cudnn") || begins(k, "__") ||
           begins(k, "atomic") || begins(k, "this_") || begins(k, "tiled_") ||
           begins(k, "coalesced_") || begins(k, "make_");
}

static int compare(const void *a, const void *b)
{
    const struct token *const *x = a, *const *y = b;
    int n = (*x)->length < (*y)->length ? (*x)->length : (*y)->length;
    int order = memcmp((*x)->text, (*y)->text, (size_t)n);
    return order ? order : (*x)->length - (*y)->length;
}

/* The words of our own headers, sorted. */
static const struct token **ours(const struct tokens *t, size_t *count)
{
    const struct token **known = malloc((t->count + 1) * sizeof *known);
    if (!known)
        abort();
    *count = 0;
    for (size_t i = 0; i < t->count; i++)
        if (t->at[i].kind == TOKEN_WORD && strstr(t->files[t->at[i].file].name, "/device/include/"))
            known[(*count)++] = &t->at[i];
    qsort(known, *count, sizeof *known, compare);
    return known;
}

static bool told_before(const struct tokens *t, size_t i, const size_t *told, int n)
{
    const struct token *a = &t->at[i], *b;
    for (int k = 0; k < n; k++)
        if (b = &t->at[told[k]], compare(&a, &b) == 0)
            return true;
    return false;
}

static void tell(const struct tokens *t, size_t i, const char *what, FILE *out)
{
    const struct token *k = &t->at[i];
    fprintf(out, "%s  %s:%d: ", what ? "not supported" : "there        ", t->files[k->file].name,
            k->line);
    if (what)
        fprintf(out, "%s (%.*s)\n", what, k->length, k->text);
    else
        fprintf(out, "%.*s\n", k->length, k->text);
}

/* Each name once, where it stands first. */
static int tell_words(const struct tokens *t, FILE *out)
{
    enum { MOST = 400 };
    size_t told[MOST], n_known;
    const struct token **known = ours(t, &n_known);
    int n = 0, missing = 0;
    for (size_t i = 0; i < t->count && n < MOST; i++) {
        const struct token *k = &t->at[i];
        if (k->kind != TOKEN_WORD || t->files[k->file].system)
            continue;
        const char *what = unsupported_word(t, i);
        if (!what && !(is_cudas(k) && bsearch(&k, known, n_known, sizeof *known, compare)))
            continue;
        if (told_before(t, i, told, n))
            continue;
        told[n++] = i;
        missing += what != NULL;
        tell(t, i, what, out);
    }
    free(known);
    return missing;
}

bool explain(const char *text, size_t length, FILE *out, int *missing, struct place *error)
{
    struct tokens t;
    bool ok = tokens_read(&t, text, length, error);
    *missing = 0;
    for (int f = 0; ok && f < t.n_files; f++) {
        const char *name = unsupported_file(&t, f);
        if (name) {
            fprintf(out, "not supported  %s:%d: %s (<%s>)\n", t.files[t.files[f].from].name,
                    t.files[f].from_line, unsupported_header(name), name);
            ++*missing;
        }
    }
    if (ok)
        *missing += tell_words(&t, out);
    tokens_free(&t);
    return ok;
}

void translate_missing(FILE *in, FILE *out)
{
    static const char fatal[] = ": fatal error: ";
    char line[4096];
    bool translated = false;
    while (fgets(line, sizeof line, in)) {
        char *at = strstr(line, fatal), *name = at ? at + strlen(fatal) : NULL;
        const char *what = name ? unsupported_header(name + (*name == '\'')) : NULL;
        char *column = at;
        if (what) { /* FILE:LINE:COLUMN: fatal error: NAME: No such file or directory */
            while (column > line && isdigit((unsigned char)column[-1]))
                column--;
            if (column > line)
                column[-1] = '\0';
            name += *name == '\'';
            name[strcspn(name, ":'")] = '\0';
            fprintf(out, "%s: error: not supported: %s (<%s>)\n", line, what, name);
            translated = true;
        } else if (!translated || !(line[0] == ' ' || strstr(line, "compilation terminated"))) {
            fputs(line, out);
        }
    }
}
