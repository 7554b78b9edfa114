#include "harness/build/ptx.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/text.h"
#include "harness/build/internal.h"

const char ptx_words[] = "half, tensor, approx or cache";

/* An instruction is of the first kind of which it has an opcode and a modifier; NULL: any. */
static const struct kind {
    const char *word, *what, *opcodes, *modifiers;
} kinds[] = {
    {"tensor", "a product on tensor cores", "mma wmma wgmma tcgen05", NULL},
    {"half", "less precision than float's", NULL,
     "f16* bf16* tf32* e2m* e3m* e4m* e5m* ue4m* ue8m* s2f6*"},
    {"approx", "an approximation", "sin cos tanh sqrt", "approx"},
    {"approx", "an approximation", "div", "full"},
    {"cache", "a place in the L2 cache that outlasts the call", "createpolicy", NULL},
    {"cache", "a place in the L2 cache that outlasts the call", NULL,
     "L2::evict_last L2::cache_hint"},
};
#define N_KINDS (sizeof kinds / sizeof *kinds)

bool ptx_word(const char *word)
{
    for (size_t i = 0; i < N_KINDS; i++)
        if (strcmp(kinds[i].word, word) == 0)
            return true;
    return false;
}

/* A walk through the text. */
struct walk {
    const char *p, *source, *permitted;
    int file;              /* number of `source` among the text's files, or -1 */
    int line;              /* of it, of what stands at p; 0: not known */
    char kernel[80];       /* "" outside of them */
    char name[80];         /* of the instruction or directive: "cvt.rn.f16.f32", ".reg.b32" */
    const struct kind *is; /* what it is, NULL: allowed */
};

/* Blanks in place of comments and of what strings hold, which end with their line at the latest. */
static char *without_comments(const char *text)
{
    char *copy = hpc_strdup(text), *p = copy;
    while (*p) {
        size_t n = 1;
        if (p[0] == '/' && p[1] == '/') {
            n = strcspn(p, "\n");
        } else if (p[0] == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");
            n = end ? (size_t)(end + 2 - p) : strlen(p);
        } else if (p[0] == '"') {
            n = 1 + strcspn(p + 1, "\"\n");
            n += p[n] == '"';
        } else {
            p++;
            continue;
        }
        for (; n > 0; n--, p++)
            if (*p != '\n')
                *p = ' ';
    }
    return copy;
}

/* N of the line `.file N ".../SOURCE"`, or -1. */
static int source_number(const char *text, const char *source)
{
    for (const char *p = text; (p = strstr(p, ".file")) != NULL; p += 5) {
        const char *quote = p + strcspn(p, "\"\n"), *end = quote;
        if (*quote == '"')
            end = quote + 1 + strcspn(quote + 1, "\"\n");
        size_t length = strlen(source);
        if ((size_t)(end - quote) > length && strncmp(end - length, source, length) == 0)
            return atoi(p + 5);
    }
    return -1;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void skip_blanks(struct walk *w)
{
    w->p += strspn(w->p, " \t\r\n");
}

/* `.loc FILE LINE COLUMN[, function_name NAME, inlined_at FILE LINE COLUMN]`, after its word. */
static void read_location(struct walk *w)
{
    int length = (int)strcspn(w->p, "\n"), file, line;
    char *row = hpc_printf("%.*s", length < 1000 ? length : 1000, w->p);
    const char *outer = strstr(row, "inlined_at");
    if ((sscanf(row, "%d %d", &file, &line) == 2 && file == w->file) ||
        (outer && sscanf(outer, "inlined_at %d %d", &file, &line) == 2 && file == w->file))
        w->line = line;
    free(row);
}

/* The name of a kernel, of which C++ makes _Z, its length, itself and its parameters. */
static void read_kernel(struct walk *w)
{
    char *name;
    skip_blanks(w);
    long length = strncmp(w->p, "_Z", 2) == 0 ? strtol(w->p + 2, &name, 10) : 0;
    int whole = 0;
    while (in_word(w->p[whole]))
        whole++;
    if (length > 0 && length <= w->p + whole - name)
        snprintf(w->kernel, sizeof w->kernel, "%.*s", (int)length, name);
    else
        snprintf(w->kernel, sizeof w->kernel, "%.*s", whole, w->p);
    w->line = 0;
}

/* A word to the name; where it is an opcode's modifier, what kind that makes it. */
static void add_word(struct walk *w, const char *opcode, size_t opcode_length, const char *word,
                     size_t length)
{
    text_fit(w->name, sizeof w->name, "%s%s%.*s", w->name, word == opcode ? "" : ".", (int)length,
             word);
    for (size_t i = 0; i < N_KINDS; i++) {
        const struct kind *k = &kinds[i];
        if (listed(k->word, strlen(k->word), w->permitted) ||
            (k->opcodes && !listed(opcode, opcode_length, k->opcodes)) ||
            (k->modifiers && (word == opcode || !listed(word, length, k->modifiers))))
            continue;
        w->is = w->is ? w->is : k; /* the first is told */
    }
}

/* OPCODE.MODIFIER.. or .DIRECTIVE.., with blanks before points and after; false: none begins at
 * p, and one word or character is behind. */
static bool read_name(struct walk *w)
{
    const char *opcode = w->p, *p = w->p;
    size_t n = 0;
    while (in_word(p[n]))
        n++;
    w->p = p + n;
    skip_blanks(w);
    if (*w->p != '.' || (n > 0 && isdigit((unsigned char)*p))) {
        w->p = n > 0 ? p + n : p + 1;
        return false;
    }
    w->name[0] = '\0';
    w->is = NULL;
    if (n > 0)
        add_word(w, opcode, n, opcode, n);
    while (*w->p == '.') {
        w->p++;
        skip_blanks(w);
        size_t length = 0;
        while (in_word(w->p[length]) || w->p[length] == ':')
            length++;
        add_word(w, opcode, n, w->p, length);
        w->p += length;
        skip_blanks(w);
    }
    return true;
}

static bool refuse(const struct walk *w, char *reason, size_t size)
{
    char line[16] = "";
    if (w->line > 0)
        snprintf(line, sizeof line, ":%d", w->line);
    snprintf(reason, size, "%.200s%s: %s%s holds %s: %s, which this task does not allow", w->source,
             line, w->kernel[0] ? "kernel " : "a function", w->kernel, w->name, w->is->what);
    hpc_harmless(reason);
    return false;
}

bool ptx_allowed(const char *text, const char *source, const char *permitted, char *reason,
                 size_t size)
{
    char *clean = without_comments(text);
    struct walk w = {.p = clean,
                     .source = source,
                     .permitted = permitted ? permitted : "",
                     .file = source_number(text, source)};
    bool good = true;
    while (good && *w.p) {
        if (!read_name(&w))
            continue;
        size_t n = strlen(w.name);
        if (w.is) {
            good = refuse(&w, reason, size);
        } else if (strcmp(w.name, ".loc") == 0) {
            read_location(&w);
        } else if (n >= 6 && strcmp(w.name + n - 6, ".entry") == 0) {
            read_kernel(&w);
        } else if (n >= 5 && strcmp(w.name + n - 5, ".func") == 0) {
            w.kernel[0] = '\0';
            w.line = 0;
        }
    }
    free(clean);
    return good;
}
