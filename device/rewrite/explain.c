/* `rewrite --explain`: what a program needs of CUDA, and what of it is there. `rewrite --missing`:
 * the compiler's words, with those of headers that the CPU device does not have in its own, and a
 * line of its own before those of names. */
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

/* Names as CUDA's are, and those of its namespace, which most programs call cg. */
static bool is_cudas(const struct tokens *t, size_t i)
{
    const struct token *k = &t->at[i];
    if (i > 1 && token_is(t, i - 1, "::") &&
        (token_is(t, i - 2, "cooperative_groups") || token_is(t, i - 2, "cg")))
        return true;
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
        if (!what && !(is_cudas(t, i) && bsearch(&k, known, n_known, sizeof *known, compare)))
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
    if (ok)
        *missing += explain_launches(text, length, out);
    return ok;
}

/* The line without the colours of a terminal. */
static void strip_colours(char *to, const char *line)
{
    for (; *line; line++)
        if (*line != '\033') {
            *to++ = *line;
        } else {
            while (line[1] && !isalpha((unsigned char)*line))
                line++;
        }
    *to = '\0';
}

/* The word in quotes at p, and where they end; 0: there is none. Of "struct cudaArray" the last. */
static int quoted(const char *p, const char **word, const char **end)
{
    static const char open[] = "\u2018", close[] = "\u2019";
    const bool wide = strncmp(p, open, strlen(open)) == 0;
    if (!wide && *p != '\'')
        return 0;
    const char *first = p + (wide ? strlen(open) : 1);
    const char *last = wide ? strstr(first, close) : strchr(first, '\'');
    if (!last)
        return 0;
    *end = last + (wide ? strlen(close) : 1);
    for (*word = last;
         *word > first && (isalnum((unsigned char)(*word)[-1]) || (*word)[-1] == '_');)
        --*word;
    return (int)(last - *word);
}

static bool is_name_of_cuda(const char *name, int length)
{
    static const char *const begins[] = {"cuda",   "cublas", "cudnn", "CUDA", "CUBLAS", "CUDNN",
                                         "atomic", "make_",  "tex",   "surf", "half",   "nv_"};
    if (length > 2 && strncmp(name, "__", 2) == 0)
        return islower((unsigned char)name[2]);
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        const int n = (int)strlen(begins[i]);
        if (length > n && strncmp(name, begins[i], (size_t)n) == 0 &&
            !islower((unsigned char)name[n]))
            return true;
    }
    return length > 2 && ((strncmp(name, "cu", 2) == 0 && isupper((unsigned char)name[2])) ||
                          (strncmp(name, "CU", 2) == 0 && islower((unsigned char)name[2])));
}

/* What stands behind `text` where `at` begins with it, else NULL. */
static const char *behind(const char *at, const char *text)
{
    const size_t n = strlen(text);
    return strncmp(at, text, n) == 0 ? at + n : NULL;
}

static int undeclared_by_gcc(const char *error, const char **name)
{
    const char *end, *member;
    const int length = quoted(error, name, &end);
    if (!length || !is_name_of_cuda(*name, length))
        return 0;
    if ((member = behind(end, " has no member named ")))
        return quoted(member, name, &end);
    return behind(end, " was not declared") || behind(end, " has not been declared") ||
                   behind(end, " does not name a type")
               ? length
               : 0;
}

static int undeclared_by_clang(const char *error, const char **name)
{
    const char *end, *word, *type;
    int length;
    if ((word = behind(error, "no member named "))) {
        length = quoted(word, name, &end);
        const char *in = length ? behind(end, " in ") : NULL;
        const int of = in ? quoted(in, &type, &end) : 0;
        return of && is_name_of_cuda(type, of) ? length : 0;
    }
    if (!(word = behind(error, "use of undeclared identifier ")) &&
        !(word = behind(error, "unknown type name ")))
        return 0;
    length = quoted(word, name, &end);
    return length && is_name_of_cuda(*name, length) ? length : 0;
}

/* FILE:LINE:COLUMN: error: of a name of CUDA's that nobody has declared: said before what the
 * compiler makes of it, once a name. */
static void tell_undeclared(const char *said, FILE *out)
{
    enum { MOST = 64 };
    static char told[MOST][64];
    static int n_told;
    char line[4096];
    const char *name;
    strip_colours(line, said);
    char *at = strstr(line, ": error: ");
    if (!at)
        return;
    int length = undeclared_by_gcc(at + 9, &name);
    if (!length)
        length = undeclared_by_clang(at + 9, &name);
    if (!length || length >= (int)sizeof told[0] || n_told == MOST)
        return;
    for (int i = 0; i < n_told; i++)
        if ((int)strlen(told[i]) == length && memcmp(told[i], name, (size_t)length) == 0)
            return;
    memcpy(told[n_told], name, (size_t)length);
    n_told++;
    while (at > line && isdigit((unsigned char)at[-1]))
        at--;
    if (at > line && at[-1] == ':')
        fprintf(out,
                "%.*s: error: not supported: a name that the CPU device does not have of CUDA "
                "(%.*s)\n",
                (int)(at - 1 - line), line, length, name);
}

/* A header of ours that refuses what a template was made for: said at the program's own line, which
 * g++ names before. `here` keeps it. */
static void tell_refused(const char *said, struct place *here, FILE *out)
{
    static const char from[] = "required from here", failed[] = "static assertion failed: ";
    char line[4096];
    strip_colours(line, said);
    const char *what = strstr(line, failed), *colon = strchr(line, ':');
    if (strstr(line, from) && colon)
        place_set(here, "", atoi(colon + 1), "%.*s", (int)(colon - line), line);
    if (what && strncmp(what + strlen(failed), "not supported: ", 15) == 0 && here->line > 0)
        fprintf(out, "%s:%d: error: %s", here->text, here->line, what + strlen(failed));
}

void translate_missing(FILE *in, FILE *out)
{
    static const char fatal[] = ": fatal error: ";
    char line[4096];
    bool translated = false;
    struct place here = {.line = 0};
    while (fgets(line, sizeof line, in)) {
        tell_refused(line, &here, out);
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
            tell_undeclared(line, out);
            fputs(line, out);
        }
    }
}
