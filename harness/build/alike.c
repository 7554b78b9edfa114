/* A student's source as clang is to see it: with gcc's macros, so that no `#if` takes another way
 * in the build that a thread sanitizer watches than in the one that is timed.
 *
 * Clang's own headers need clang's macros. So around each #include these are put back, and behind
 * it they are gcc's again: two files of the stage, made of what both compilers define, and a copy
 * of the source that includes them. What a compiler decides without macros is not made alike. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/text.h"
#include "harness/build/internal.h"

#define AS_GCC   "hpc-as-gcc.h"
#define AS_CLANG "hpc-as-clang.h"

/* Macros that stay as they are: of atomics, whose names stdatomic.h uses later; and of what the
 * processor has, where only gcc knows it: clang could not compile what needs it. */
static const char kept[] = "__CLANG_ATOMIC_*";
static const char processors[] =
    "__SSE* __AVX* __AMX* __FMA* __F16C__ __GFNI__ __VAES__ __VPCLMUL* __SHA* __SM3__ __SM4__ "
    "__ARM_FEATURE_*";

/* What only clang has, and no list of macros shows. */
static const char *const only_clangs[] = {"__has_extension", "__has_warning", "__is_identifier",
                                          "__has_declspec_attribute", "__has_constexpr_builtin"};

/* A source that can tell that it is watched could behave. Of a student's in C each build but
 * clang's compiles the same text; clang reads its own headers, and calls itself by no name. */
const char *const building_unseen[] = {"-U__SANITIZE_ADDRESS__",
                                       "-U__SANITIZE_THREAD__",
                                       "-U__clang__",
                                       "-U__clang_major__",
                                       "-U__clang_minor__",
                                       "-U__clang_patchlevel__",
                                       "-U__clang_version__",
                                       "-U__llvm__",
                                       "-Wno-builtin-macro-redefined",
                                       "-D__has_feature(x)=0",
                                       NULL};

/* ---- the macros ----------------------------------------------------------------------------- */

/* The definition "NAME.. BODY" of a macro in a list of "#define NAME.. BODY", or NULL. */
static const char *find(const char *list, const char *name, size_t n)
{
    for (const char *p = list; (p = strstr(p, "#define ")) != NULL;) {
        p += strlen("#define ");
        if (strncmp(p, name, n) == 0 && !isalnum((unsigned char)p[n]) && p[n] != '_')
            return p;
    }
    return NULL;
}

static bool same(const char *a, const char *b)
{
    const size_t n = strcspn(a, "\n");
    return b && n == strcspn(b, "\n") && strncmp(a, b, n) == 0;
}

/* A line or two for each macro of `theirs` that is another one, or none, in `ours`. */
static void add_macros(struct text *to, const char *theirs, const char *ours, bool gccs)
{
    for (const char *p = theirs; (p = strstr(p, "#define ")) != NULL;) {
        p += strlen("#define ");
        const size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789_");
        const char *other = find(ours, p, n);
        if (same(p, other) || listed(p, n, kept) || (gccs && !other && listed(p, n, processors)))
            continue;
        text_add(to, "#undef %.*s\n#define %.*s\n", (int)n, p, (int)strcspn(p, "\n"), p);
    }
    for (const char *p = ours; (p = strstr(p, "#define ")) != NULL;) {
        p += strlen("#define ");
        const size_t n = strcspn(p, "( \n");
        if (!find(theirs, p, n) && !listed(p, n, kept))
            text_add(to, "#undef %.*s\n", (int)n, p);
    }
}

/* The text of a file of the stage, the caller's; NULL where it can't be read. */
static char *stage_text(const struct building *b, const char *name)
{
    size_t length;
    char *path = hpc_printf("%s/%s", b->stage, name), *text = stage_read(path, &length);
    free(path);
    return text;
}

/* What a compiler of this build defines before it has read anything, into a file of the stage. */
static char *list_macros(struct building *b, bool gcc, const char *name)
{
    struct command_line w = {.n = 0};
    command_add(&w, gcc ? command_find("gcc") : b->tools->compiler);
    command_add(&w, "-std=gnu11");
    command_add_text(&w, b->spec->flags ? b->spec->flags : "");
    if (!gcc) {
        command_add_list(&w, b->tools->flags);
        command_add_list(&w, building_unseen);
    }
    command_add(&w, "-dM");
    command_add(&w, "-E");
    command_add(&w, "-xc");
    command_add(&w, "/dev/null");
    command_add(&w, "-o");
    command_add(&w, name);
    return building_run(b, &w) ? stage_text(b, name) : NULL;
}

static bool write_macros(struct building *b)
{
    char *gcc = list_macros(b, true, "gcc.macros"),
         *clang = gcc ? list_macros(b, false, "clang.macros") : NULL;
    bool good = gcc && clang;
    struct text as_gcc = {0}, as_clang = {0};
    if (good) {
        add_macros(&as_gcc, gcc, clang, true);
        add_macros(&as_clang, clang, gcc, false);
        for (size_t i = 0; i < sizeof only_clangs / sizeof *only_clangs; i++) {
            text_add(&as_gcc, "#undef %s\n", only_clangs[i]);
            text_add(&as_clang, "#undef %s\n#define %s(x) 0\n", only_clangs[i], only_clangs[i]);
        }
        good = write_stage(b, AS_GCC, text_string(&as_gcc)) &&
               write_stage(b, AS_CLANG, text_string(&as_clang));
    }
    text_free(&as_gcc);
    text_free(&as_clang);
    free(gcc);
    free(clang);
    return good;
}

/* ---- the source ----------------------------------------------------------------------------- */

/* Behind the directive at p: behind the end of its last line. */
static const char *behind_directive(const char *p)
{
    bool comment = false; /* to the line's end */
    while (*p && *p != '\n') {
        if (p[0] == '/' && p[1] == '*' && !comment) {
            const char *end = strstr(p + 2, "*/");
            p = end ? end + 2 : p + strlen(p);
        } else if (p[0] == '\\' && p[1 + strspn(p + 1, " \t\r")] == '\n') {
            p += 2 + strspn(p + 1, " \t\r");
        } else {
            comment = comment || (p[0] == '/' && p[1] == '/');
            p++;
        }
    }
    return *p ? p + 1 : p;
}

static bool is_include(const char *p)
{
    p += strspn(p, " \t");
    return strncmp(p, "include", 7) == 0 || strncmp(p, "import", 6) == 0;
}

static void copy(const char *text, const char *source, struct text *to)
{
    int line = 1;
    text_add(to, "#include \"" AS_GCC "\"\n# 1 \"%s\"\n", source);
    for (const char *p = text; *p;) {
        const char *hash = p + strspn(p, " \t\f\v");
        const bool include = *hash == '#' && is_include(hash + 1);
        const char *end = include ? behind_directive(hash) : p + strcspn(p, "\n");
        end += !include && *end == '\n';
        if (include)
            text_add(to, "#include \"" AS_CLANG "\"\n# %d \"%s\"\n", line, source);
        text_add(to, "%.*s", (int)(end - p), p);
        for (; p < end; p++)
            line += *p == '\n';
        if (include)
            text_add(to, "%s#include \"" AS_GCC "\"\n# %d \"%s\"\n", p[-1] == '\n' ? "" : "\n",
                     line, source);
    }
}

bool building_alike(struct building *b, const char *to)
{
    if (!write_macros(b))
        return false;
    char *text = stage_text(b, b->spec->source);
    struct text copied = {0};
    if (text)
        copy(text, b->spec->source, &copied);
    const bool good = text ? write_stage(b, to, text_string(&copied))
                           : building_fail(b, VERDICT_ENVIRONMENT, "the source can't be read");
    text_free(&copied);
    free(text);
    return good;
}
