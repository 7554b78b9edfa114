/* Preprocessed texts without what disguises them yet: digraphs, words that change nothing, empty
 * statements, and letters of names that sim_c takes for something else. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "common/text.h"
#include "harness/similar/similar.h"

/* How long the name or number is that begins here, of letters that compilers take for some. */
static size_t word_length(const char *p)
{
    size_t n = 0;
    for (;;)
        if (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '$' || (p[n] & 0x80))
            n++;
        else if (p[n] == '\\' && (p[n + 1] == 'u' || p[n + 1] == 'U'))
            n += 2;
        else
            return n;
}

/* How long the comment, the string or the character is that begins here; 0: none does. */
static size_t quoted(const char *p)
{
    if (p[0] == '/' && p[1] == '*') {
        const char *close = strstr(p + 2, "*/");
        return close ? (size_t)(close + 2 - p) : strlen(p);
    }
    if (p[0] == '/' && p[1] == '/')
        return strcspn(p, "\n");
    if (*p != '"' && *p != '\'')
        return 0;
    const char *q = p + 1;
    while (*q && *q != *p && *q != '\n')
        q += 1 + (*q == '\\' && q[1]);
    return (size_t)(q - p) + (*q == *p);
}

static bool is_noise(const char *p, size_t n)
{
    static const char *const words[] = {
        "const",   "volatile",   "register",     "inline",        "restrict",     "__inline__",
        "__const", "__restrict", "__restrict__", "__extension__", "__volatile__", "__inline"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && !memcmp(words[i], p, n))
            return true;
    return false;
}

/* How long an attribute is with its brackets; 0: none begins here, or it does not end. */
static size_t attribute(const char *p, size_t word)
{
    int open = 0;
    const bool named = (word == 13 && !memcmp(p, "__attribute__", 13)) ||
                       (word == 11 && !memcmp(p, "__attribute", 11));
    const char *q = p + word;
    q += strspn(q, " \t");
    if (!named || *q != '(')
        return 0;
    for (; *q && *q != '\n'; q++) {
        open += (*q == '(') - (*q == ')');
        if (open == 0)
            return (size_t)(q + 1 - p);
    }
    return 0;
}

static void add_word(struct text *out, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        text_add(out, "%c", isalnum((unsigned char)p[i]) || p[i] == '_' ? p[i] : 'x');
}

static char digraph(const char *p)
{
    static const char *const known[] = {"<%{", "%>}", "<:[", ":>]", "%:#"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (p[0] == known[i][0] && p[1] == known[i][1])
            return known[i][2];
    return 0;
}

char *similar_plain(const char *text)
{
    struct text out = {0};
    char before = ';'; /* the last character that is no blank: another ';' there says nothing */
    for (const char *p = text; *p;) {
        size_t n = quoted(p), skipped = 0;
        const size_t word = n ? 0 : word_length(p);
        const char other = n || word ? 0 : digraph(p);
        if (word)
            skipped = is_noise(p, word) ? word : attribute(p, word);
        else if (*p == ';' && strchr(";{}", before))
            skipped = 1;
        if (skipped) {
            p += skipped;
            continue;
        }
        n = n ? n : word ? word : other ? 2 : 1;
        if (word)
            add_word(&out, p, n);
        else
            text_add(&out, "%.*s", other ? 1 : (int)n, other ? &other : p);
        if (!isspace((unsigned char)*p))
            before = other ? other : *p;
        p += n;
    }
    return text_take(&out);
}
