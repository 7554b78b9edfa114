/* A student's macros in headers: one that is defined before an #include could make of a header's
 * line whatever it likes, which building_watched would take for the system's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/defence.h"
#include "common/error.h"
#include "common/text.h"
#include "harness/build/internal.h"

/* ---- the source's macros -----------------------------------------------------------------------
 */

/* A text without its spliced lines, which may part a word; the caller's. */
static char *spliced(const char *text)
{
    char *to = hpc_malloc(strlen(text) + 1), *end = to;
    for (const char *p = text; *p;) {
        const size_t blanks = p[0] == '\\' ? strspn(p + 1, " \t\r\v\f") : 0;
        if (p[0] == '\\' && p[1 + blanks] == '\n')
            p += 2 + blanks;
        else
            *end++ = *p++;
    }
    *end = '\0';
    return to;
}

static size_t word_length(const char *p)
{
    size_t n = 0;
    while (in_c_word(p[n]))
        n++;
    return n;
}

/* Behind the # of a directive at p, or NULL. */
static const char *behind_hash(const char *p)
{
    static const char *const hashes[] = {"#", "%:", "\?\?="};
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        if (strncmp(p, hashes[i], strlen(hashes[i])) == 0)
            return behind_blanks(p + strlen(hashes[i]));
    return NULL;
}

/* Behind what can't be the begin of a directive or a word at p: a comment to the line's end, a
 * constant, one character. */
static const char *behind_other(const char *p, const char *text)
{
    if (p[0] == '/' && p[1] == '/')
        return p + strcspn(p, "\n");
    if (*p == '"' || (*p == '\'' && (p == text || !in_c_word(p[-1]))))
        return behind_string(p);
    return p + 1;
}

/* The macros that a text without splices defines before its last #include, behind a blank each. */
static void list_macros(const char *text, struct text *macros)
{
    struct text since = {0};
    bool first = true; /* of its line, so far */
    for (const char *p = text; *p;) {
        const char *next = behind_blanks(p), *hash = first ? behind_hash(next) : NULL;
        const size_t n = hash ? word_length(hash) : word_length(next);
        const char *name = hash ? behind_blanks(hash + n) : NULL;
        if (hash && n == 6 && strncmp(hash, "define", n) == 0)
            text_add(&since, " %.*s", (int)word_length(name), name);
        if (hash && (strncmp(hash, "include", 7) == 0 || strncmp(hash, "import", 6) == 0)) {
            text_add(macros, "%s", text_string(&since));
            text_free(&since);
        }
        p = hash ? name : n > 0 ? next + n : *next ? behind_other(next, text) : next;
        first = p > text && p[-1] == '\n';
    }
    text_free(&since);
}

/* ---- the headers' lines ------------------------------------------------------------------------
 */

/* Without "PART/..", as a header names one beside its folder; what leads out above stays. */
static void shorten(char *path)
{
    for (char *up = strstr(path, "/../"); up; up = strstr(up, "/../")) {
        char *part = up;
        while (part > path && part[-1] != '/')
            part--;
        const bool named = part < up && strncmp(part, "../", 3) != 0 && strncmp(part, "./", 2) != 0;
        if (!named)
            return;
        memmove(part, up + 4, strlen(up + 4) + 1);
        up = part > path ? part - 1 : path;
    }
}

bool trusted_file(const struct build_spec *spec, const char *name, size_t n)
{
    char file[1000], folder[400];
    if (n >= sizeof file)
        return false;
    snprintf(file, sizeof file, "%.*s", (int)n, name);
    shorten(file);
    const char *p = strncmp(file, "./", 2) == 0 ? file + 2 : file;
    snprintf(folder, sizeof folder, "%s/device/", spec->root);
    if (strstr(p, "..") || strcmp(p, spec->source) == 0)
        return false;
    if (*p == '<' || strncmp(p, "/usr/", 5) == 0 || strncmp(p, folder, strlen(folder)) == 0 ||
        strncmp(p, "common/", 7) == 0)
        return true;
    snprintf(folder, sizeof folder, "%s/", spec->op_folder);
    return strncmp(p, folder, strlen(folder)) == 0 && strcmp(p, spec->source) != 0;
}

/* Whether a line is a marker of the preprocessor's, and if so whose lines follow. */
static bool is_marker(const struct build_spec *spec, const char *p, bool *trusted)
{
    const char *end = p + strcspn(p, "\n"), *name = memchr(p, '"', (size_t)(end - p));
    if (strncmp(p, "# ", 2) != 0 || !isdigit((unsigned char)p[2]) || !name)
        return false;
    const size_t n = strcspn(name + 1, "\"\n");
    *trusted = trusted_file(spec, name + 1, n);
    return true;
}

/* The first word of a header's text, up to the next marker, that is one of the macros: its length,
 * or 0; *end behind what was read. What a header defines or forgets itself is none. */
static size_t find_word(const struct build_spec *spec, const char *text, const char *macros,
                        const char **end)
{
    bool first = true, trusted;
    const char *p = text;
    while (*p && !(first && is_marker(spec, p, &trusted))) {
        const char *next = behind_blanks(p), *hash = first ? behind_hash(next) : NULL;
        size_t n = hash ? word_length(hash) : word_length(next);
        const bool names = hash && listed(hash, n, "define undef");
        if (!hash && n > 0 && listed(next, n, macros)) {
            *end = next;
            return n;
        }
        const char *name = hash ? behind_blanks(hash + n) : NULL;
        p = names   ? name + word_length(name)
            : hash  ? hash + n
            : n > 0 ? next + n
            : *next ? behind_other(next, text)
                    : next;
        first = p > text && p[-1] == '\n';
    }
    *end = p;
    return 0;
}

static char *read_text(struct building *b, const char *name)
{
    size_t length;
    return read_stage(b, name, &length);
}

/* What the command line includes comes before the source's first line, and has none of its macros.
 */
static bool look_at_headers(struct building *b, const void *macros)
{
    char *text = read_text(b, DIRECTIVES_TEXT);
    if (!text)
        return false;
    const char *command_line = strstr(text, "\"<command-line>\"");
    bool trusted = true, begun = false;
    for (const char *p = command_line ? command_line : text; *p;) {
        const char *end = p + strcspn(p, "\n");
        const bool marker = is_marker(b->spec, p, &trusted);
        begun = begun || !trusted;
        const size_t n = marker || !trusted || !begun ? 0 : find_word(b->spec, p, macros, &end);
        if (n > 0) {
            char reason[300];
            snprintf(reason, sizeof reason,
                     "defines %.*s before it includes a header that has the word, which no task "
                     "allows: define it behind",
                     (int)n, end);
            free(text);
            return building_fail(b, VERDICT_REJECTED, reason);
        }
        p = *end == '\n' ? end + 1 : end;
    }
    free(text);
    return true;
}

bool building_pure_headers(struct building *b, bool (*directives)(struct building *b))
{
    char *source = read_text(b, b->spec->source), *text = source ? spliced(source) : NULL;
    struct text macros = {0};
    bool good = text != NULL;
    if (good)
        list_macros(text, &macros);
    if (DEFENCE(pure_headers) && good && macros.length > 0)
        good = directives(b) && building_look(b, look_at_headers, macros.s);
    text_free(&macros);
    free(text);
    free(source);
    return good;
}
