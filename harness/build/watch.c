/* Whether a student's source lets itself be watched: nothing in it may keep a sanitizer or the
 * checker from a part of it, and it has to be the same text in every build.
 *
 * Two looks. At the source as it was handed in, for what would make the second one blind: zero
 * bytes, raw strings (whose lines look like the preprocessor's) and line directives (which could
 * claim that a line is a system header's). Then at the preprocessed text, macros and all: at its
 * lines that are the student's by the preprocessor's own markers, which can be trusted then. Words
 * count wherever they stand, in strings too. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/defence.h"
#include "common/sha256.h"
#include "harness/build/internal.h"

/* ---- the source as it is ----------------------------------------------------------------------
 */

/* What a directive whose # ends before p says of lines, or NULL. */
static const char *line_directive(const char *p)
{
    static const char *const words[] = {"line", "ident", "sccs"};
    p = behind_blanks(p);
    if (isdigit((unsigned char)*p))
        return "a line number";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(p, words[i], strlen(words[i])) == 0 && !in_c_word(p[strlen(words[i])]))
            return words[i];
    return NULL;
}

/* A word of code at p: whether it is the prefix of a raw string. Splices within it count as none: a
 * word in two lines is no word that anybody writes. */
static bool is_raw_string(const char *p, size_t n)
{
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
    for (size_t i = 0; p[n] == '"' && i < sizeof prefixes / sizeof *prefixes; i++)
        if (n == strlen(prefixes[i]) && strncmp(p, prefixes[i], n) == 0)
            return true;
    return false;
}

/* What in a source would blind a look at its preprocessed text, or NULL; its line into *line. */
static const char *blinds(const char *text, int *line)
{
    bool first = true; /* of its line, so far */
    const char *counted = text;
    *line = 1;
    for (const char *p = text; *p;) {
        for (; counted < p; counted++)
            *line += *counted == '\n';
        const size_t n = p == text || !in_c_word(p[-1]) ? strspn(p, "LuU8R") : 0;
        const bool hash = *p == '#' || strncmp(p, "%:", 2) == 0 || strncmp(p, "\?\?=", 3) == 0;
        const char *next = behind_blanks(p);
        if (next > p) {
            p = next;
        } else if (*p == '\n') {
            first = true;
            p++;
        } else if (p[0] == '/' && p[1] == '/') {
            while (*p && (*p != '\n' || p[-1] == '\\'))
                p++;
        } else if (hash && first) {
            p += *p == '#' ? 1 : *p == '%' ? 2 : 3;
            const char *what = line_directive(p);
            if (what)
                return what;
            first = false;
        } else if (n > 0 && is_raw_string(p, n)) {
            return "a raw string";
        } else if (p[0] == '\\' || (p[0] == '?' && strncmp(p, "\?\?/", 3) == 0)) {
            return "a backslash outside of strings and macros";
        } else {
            p = *p == '"' || (*p == '\'' && (p == text || !in_c_word(p[-1]))) ? behind_string(p)
                                                                              : p + 1;
            first = false;
        }
    }
    return NULL;
}

static bool look_at_source(struct building *b)
{
    size_t length;
    int line = 1;
    char *text = read_stage(b, b->spec->source, &length), reason[300];
    if (!text)
        return false;
    const char *what = strlen(text) < length ? "a zero byte" : blinds(text, &line);
    if (strlen(text) < length)
        for (const char *p = text; *p; p++)
            line += *p == '\n';
    if (what) {
        snprintf(reason, sizeof reason,
                 "%s:%d: holds %s, which no task allows: what is compiled could not be looked at",
                 b->spec->source, line, what);
        building_fail(b, VERDICT_REJECTED, reason);
    }
    free(text);
    return !what;
}

bool building_plain_text(struct building *b)
{
    if (DEFENCE(plain_text))
        return look_at_source(b);
    return true;
}

/* ---- the preprocessed text --------------------------------------------------------------------
 */

/* Parts of words that no student's line may have, and words. */
static const char *const blindfolds[] = {"no_sanitize", "no_address_safety_analysis",
                                         "disable_sanitizer_instrumentation", NULL};
static const char assembly[] = "asm __asm __asm__";
static const char devices[] =
    "hpc_dev __tsan_* __ubsan_* __asan_* check_path check_set_path "
    "dev_switch dev_next_thread dev_api_* dev_asked dev_self dev_in_kernel "
    "dev_static";
/* What a compiler makes no call of a sanitizer's for: instructions by name, copies in place. */
static const char unseen[] =
    "_mm_* _mm256_* _mm512_* _m_* __builtin_ia32_* __builtin_mem* __builtin___mem* __builtin_str* "
    "__builtin___str* __builtin_stp* __builtin_bcmp __builtin_bcopy __builtin_bzero "
    "__builtin_apply* __builtin_bit_cast";
/* An address space of which newer compilers tell no sanitizer. */
static const char spaces[] = "__seg_fs __seg_gs";
/* A struct of bytes in the other order, of which no compiler tells one. */
static const char orders[] = "scalar_storage_order __scalar_storage_order__";
/* Clocks that are read by an instruction: no symbol of the object tells of them. */
static const char clocks[] =
    "__rdtsc* _rdtsc* rdtsc rdtscp __rdpmc _rdpmc rdpmc __rdpru* rdpru _tpause tpause _umwait "
    "umwait __builtin_ia32_rdtsc* __builtin_ia32_rdpmc* __builtin_ia32_rdpru* "
    "__builtin_ia32_readtsc __builtin_ia32_tpause __builtin_ia32_umwait "
    "__builtin_readcyclecounter __builtin_readsteadycounter __builtin_arm_rsr* __arm_rsr* "
    "cntvct_el0 cntvctss_el0 cntpct_el0 cntpctss_el0 pmccntr_el0";
/* What the CPU device has one of where a kernel could have none, and the checker passes over. */
static const char threads[] = "thread_local _Thread_local __thread";
/* Memory of a thread's own that holds what nobody set: the checker fills variables alone. */
static const char unset[] = "uninitialized __uninitialized__ alloca __builtin_alloca*";
/* Ways out of a function that call nothing (names.c has those that do). */
static const char leaving[] = "__builtin_setjmp* __builtin_longjmp* __builtin_eh_return "
                              "__builtin_unwind_init";
static const char checkers[] =
    "__tsan_* __asan_* __ubsan_* __lsan_* __sanitizer_* __kmpc_* __ompt_* ompt_* "
    "Annotate* WTFAnnotate* GOMP_*";
static const char renamings[] = "redefine_extname weakref __weakref__";
static const char sections[] = "section __section__ alias __alias__ weakref __weakref__ ifunc "
                               "__ifunc__ symver __symver__";

/* Whether assembly is a compiler's fence alone: `volatile ("" ::: "memory")`, whose text is empty
 * and does nothing that a sanitizer would have to see. */
static bool is_empty_assembly(const char *p)
{
    p += strspn(p, " ");
    const size_t n = strcspn(p, " (");
    if (n > 0 && listed(p, n, "volatile __volatile __volatile__"))
        p += n;
    p += strspn(p, " ");
    if (*p != '(')
        return false;
    p += 1 + strspn(p + 1, " ");
    if (strncmp(p, "\"\"", 2) != 0)
        return false;
    p += 2 + strspn(p + 2, " ");
    return *p == ':' || *p == ')';
}

/* What is wrong with the word at p, n characters long, or NULL. */
static const char *bad_word(const struct build_spec *spec, const char *p, size_t n)
{
    static char word[64];
    snprintf(word, sizeof word, "%.*s", (int)n, p);
    if (DEFENCE(blindfolds))
        for (const char *const *w = blindfolds; *w; w++)
            if (strstr(word, *w))
                return "asks the compiler not to let a sanitizer look";
    if (DEFENCE(blindfolds) && spec->watched && listed(p, n, spaces))
        return "reaches memory by a segment, where a compiler may let no sanitizer look";
    if (DEFENCE(blindfolds) && spec->watched && listed(p, n, orders))
        return "keeps memory in another order of bytes, where no compiler lets a sanitizer look";
    if (DEFENCE(assembly) && spec->watched && listed(p, n, assembly) && !is_empty_assembly(p + n))
        return "has inline assembly, which no sanitizer sees";
    if (DEFENCE(clocks) && listed(p, n, clocks) && !listed(p, n, spec->symbols))
        return "reads a clock by an instruction";
    if (DEFENCE(internals) && device_source(spec->source) && listed(p, n, devices))
        return "names a part of the CPU device";
    if (DEFENCE(host_words) && device_source(spec->source) && listed(p, n, unseen))
        return "has an instruction of this machine's, which the checker does not see";
    if (DEFENCE(host_words) && device_source(spec->source) && listed(p, n, threads))
        return "has a variable of a thread of the host's, which no kernel can use";
    if (DEFENCE(unset_stack) && device_source(spec->source) && listed(p, n, unset))
        return "has memory on the stack that the checker does not fill";
    if (DEFENCE(leaving) && device_source(spec->source) && listed(p, n, leaving))
        return "jumps out of a function, which no kernel can";
    if (DEFENCE(own_checker) && !device_source(spec->source) && listed(p, n, checkers))
        return "names a part of a sanitizer, or of a compiler's OpenMP";
    bool text = false;
    const bool placed = listed(p, n, sections) && takes_string(p + n, &text);
    if (DEFENCE(one_name) && spec->watched &&
        ((placed && listed(p, n, "section __section__")) || listed(p, n, renamings)))
        return "says of a variable what a sanitizer believes, and what need not be so";
    if (DEFENCE(assembly) && text)
        return "puts text into the assembly";
    return NULL;
}

/* One line of the student's: hashed with its end, which may part a word in two; false with the
 * verdict where a word of it may not be. */
static bool look_at_line(struct building *b, struct sha256 *text, const char *p, const char *end)
{
    if (p < end)
        sha256_add(text, p, (size_t)(end - p) + 1);
    while (p < end) {
        size_t n = 0;
        while (p + n < end && in_c_word(p[n]))
            n++;
        const char *why = n ? bad_word(b->spec, p, n) : NULL;
        if (why) {
            char reason[300];
            snprintf(reason, sizeof reason, "%s (%.*s), which this task does not allow", why,
                     (int)(n < 60 ? n : 60), p);
            return building_fail(b, VERDICT_REJECTED, reason);
        }
        p += n ? n : 1;
    }
    return true;
}

/* Whose the lines behind a marker are, and how deep within itself a source is that includes itself.
 */
struct place {
    bool trusted, own;
    int within;
};

static bool is_source(const struct build_spec *spec, const char *name, size_t n)
{
    const char *slash = strrchr(spec->source, '/'), *last = slash ? slash + 1 : spec->source;
    const size_t m = strlen(last);
    return n >= m && strncmp(name + n - m, last, m) == 0 && (n == m || name[n - m - 1] == '/');
}

/* Go to where a marker says. Behind its name stand 1 where a file is entered, 2 where it is
 * returned to, 3 where a system header's lines follow, with 4 one of C's. What is included can say
 * so of itself, by `#pragma GCC system_header`: false with the verdict. */
static bool follow_marker(struct building *b, const char *name, const char *end, struct place *at)
{
    const char *close = memrchr(name, '"', (size_t)(end - name));
    const size_t n = (size_t)(close - name), flags = (size_t)(end - close);
    const bool was = at->own, system = memchr(close, '3', flags) && !memchr(close, '4', flags);
    at->trusted = trusted_file(b->spec, name, n);
    at->own = !at->trusted && is_source(b->spec, name, n);
    at->within += (at->own && memchr(close, '1', flags)) - (was && memchr(close, '2', flags));
    if (DEFENCE(plain_text) && at->own && at->within > 0 && system)
        return building_fail(b, VERDICT_REJECTED,
                             "includes itself as a system's header, at which no checker looks");
    return true;
}

static bool look_at_text(struct building *b, const void *preprocessed)
{
    size_t length;
    bool good = true;
    struct place at = {.trusted = false};
    struct sha256 hash;
    char *text = read_stage(b, preprocessed, &length);
    if (!text)
        return false;
    if (strlen(text) < length)
        good = building_fail(b, VERDICT_REJECTED, "holds a zero byte, which no task allows");
    sha256_start(&hash);
    for (const char *p = text; good && *p;) {
        const char *end = strchrnul(p, '\n'), *name = memchr(p, '"', (size_t)(end - p));
        if (p[0] == '#' && p[1] == ' ' && isdigit((unsigned char)p[2]) && name) {
            good = follow_marker(b, name + 1, end, &at);
        } else if (!at.trusted) {
            good = look_at_line(b, &hash, p, end);
        }
        p = *end ? end + 1 : end;
    }
    free(text);
    sha256_end(&hash, b->text);
    return good;
}

bool building_watched(struct building *b, const char *preprocessed)
{
    return building_look(b, look_at_text, preprocessed);
}
