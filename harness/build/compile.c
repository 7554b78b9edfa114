/* A C source to an object: the plain compiler's text of it, which is looked at, and from there what
 * the kind's own compiler makes; and what its runner is linked with. */
#define _GNU_SOURCE
#include "common/defence.h"
#include "common/error.h"
#include "common/scratch.h"
#include "common/text.h"
#include "harness/build/internal.h"
#include "harness/build/intrinsics.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of the stage: what shows which functions a thread sanitizer looks at. */
#define ENTRIES "entries"

/* From the source to whole.o by the kind's flags; or by plain ones to its text, whole.i, or to that
 * with macros as they are; or from there to whole.o; or from there with variables between
 * (calls.c). */
enum step { WHOLE, TEXT, DIRECTIVES, FROM_TEXT, FROM_SEEN };

static bool run_compiler_to(struct building *b, enum step step, const char *const *more,
                            const char *to)
{
    const struct build_spec *spec = b->spec;
    const char *suffix = strrchr(spec->source, '.');
    const bool c = suffix && strcmp(suffix, ".c") == 0;
    const bool plain = step == TEXT || step == DIRECTIVES;
    struct command_line w = {.n = 0};
    command_add(&w, plain ? command_find(c ? "gcc" : "g++") : b->tools->compiler);
    command_add(&w, c ? "-std=gnu11" : "-std=c++17");
    command_add(&w, "-g");
    command_add_list(&w, build_lines_only);
    command_add_text(&w, "-Wall -Werror=return-type");
    /* A loop's place in lines of the cache is worth up to 1.6 times: linking must not choose it. */
    command_add(&w, "-falign-functions=64");
    command_add_text(&w, spec->flags ? spec->flags : "");
    if (b->tools->headers)
        command_add(&w, b->tools->headers);
    if (plain) /* some compilers define it; what its headers make of memcpy() no sanitizer sees */
        command_add(&w, "-U_FORTIFY_SOURCE");
    if (!plain)
        command_add_list(&w, b->tools->flags);
    command_add_printf(&w, "-fdebug-prefix-map=%s=.", b->stage);
    command_add(&w, "-I.");
    command_add_list(&w, more);
    if (step == FROM_TEXT || step == FROM_SEEN)
        command_add(&w, c ? "-xcpp-output" : "-xc++-cpp-output");
    command_add(&w, step == FROM_TEXT ? "whole.i" : step == FROM_SEEN ? SEEN_TEXT : spec->source);
    command_add(&w, "-o");
    command_add(&w, to);
    return building_run(b, &w);
}

static bool run_compiler(struct building *b, enum step step)
{
    static const char *const text[] = {"-E", NULL}, *const object[] = {"-c", NULL};
    const bool is_text = step == TEXT;
    return run_compiler_to(b, step, is_text ? text : object, is_text ? "whole.i" : "whole.o");
}

static bool follow_directives(struct building *b)
{
    static const char *const only[] = {"-E", "-fdirectives-only", NULL};
    return run_compiler_to(b, DIRECTIVES, only, DIRECTIVES_TEXT);
}

/* Where it would copy in place it calls the library, which the sanitizer sees. */
static const char *const with_calls[] = {"-c",
                                         "-fno-builtin-memcpy",
                                         "-fno-builtin-memmove",
                                         "-fno-builtin-memset",
                                         "-fno-builtin-memcmp",
                                         "-fno-tree-loop-distribute-patterns",
                                         "-fno-tree-vectorize",
                                         "-fdump-tree-optimized-raw-lineno-uid=" CALLS_DUMP,
                                         NULL};

static bool compile_seen(struct building *b)
{
    return run_compiler_to(b, FROM_SEEN, with_calls, "whole.o");
}

/* By gcc's thread sanitizer, which is to see what calls load and store too. */
static bool compile_calls(struct building *b, enum step step)
{
    return run_compiler_to(b, step, with_calls, "whole.o") && building_calls(b, compile_seen);
}

static bool refuse_unseen(struct building *b, const struct unseen_instruction *unseen)
{
    char reason[300];
    snprintf(reason, sizeof reason,
             "%.80s: the thread sanitizer does not see what %s loads or stores; use plain loads "
             "and stores",
             b->spec->source, unseen->name);
    hpc_harmless(reason);
    return building_fail(b, VERDICT_REJECTED, reason);
}

/* Instructions that the text calls by name are told of. */
static bool tell(struct building *b, const void *none)
{
    (void)none;
    size_t length;
    struct text told = {0};
    struct unseen_instruction unseen = {.address = b->spec->kind == BUILD_ADDRESS};
    char *text = read_stage(b, "whole.i", &length), *path = hpc_printf("%s/whole.i", b->stage);
    const bool good =
        text && (intrinsics_tell(b->spec, text, &told, &unseen) || refuse_unseen(b, &unseen)) &&
        (unlink(path) == 0 || building_fail(b, VERDICT_ENVIRONMENT, "no whole.i")) &&
        write_stage(b, "whole.i", text_string(&told));
    text_free(&told);
    free(path);
    free(text);
    return good;
}

/* Sanitizers that look at accesses. */
static bool is_told(enum build_kind kind)
{
    return kind == BUILD_THREADS || kind == BUILD_ADDRESS;
}

/* To whole.o, and of a thread sanitizer's compiler also to what shows the functions it looks at. */
static bool compile_last(struct building *b, enum step step)
{
    /* gcc gives an entry to each function with a call; the coverage's call is in every one */
    static const char *const covered[] = {"-c", "-g0", "-fsanitize-coverage=trace-pc",
                                          "-fno-reorder-blocks-and-partition", NULL};
    bool good;
    if (DEFENCE(told) && step == FROM_TEXT && is_told(b->spec->kind) &&
        !building_look(b, tell, NULL))
        return false;
    if (DEFENCE(calls) && b->spec->kind == BUILD_THREADS)
        good = compile_calls(b, step);
    else
        good = run_compiler(b, step);
    if (!good)
        return false;
    if (DEFENCE(entries) && b->spec->kind == BUILD_THREADS)
        return run_compiler_to(b, step, covered, ENTRIES) && building_entries(b, ENTRIES);
    return true;
}

/* A student's source becomes the text that every build of it compiles; what the plain compiler and
 * the sanitizer's make of it is the same program then. */
bool c_compile(struct building *b)
{
    if (!b->spec->symbols)
        return run_compiler(b, WHOLE);
    if (!building_plain_text(b) || !building_pure_headers(b, follow_directives) ||
        !run_compiler(b, TEXT) || !building_watched(b, "whole.i"))
        return false;
    if (DEFENCE(unseen))
        return compile_last(b, FROM_TEXT);
    return compile_last(b, WHOLE);
}

static char *own_lines(const struct build_spec *spec, const char *text)
{
    struct text own = {0};
    bool trusted = false;
    for (long line = 1, at = 1; *text;) {
        const size_t length = strcspn(text, "\n");
        const char *name = memchr(text, '"', length);
        if (text[0] == '#' && text[1] == ' ' && isdigit((unsigned char)text[2]) && name) {
            const char *close = memrchr(text, '"', length);
            trusted = trusted_file(spec, name + 1, (size_t)(close - name - 1));
            at = strtol(text + 2, NULL, 10);
        } else {
            for (; !trusted && length && line < at; line++)
                text_add(&own, "\n");
            if (!trusted && length)
                text_add(&own, "%.*s", (int)length, text);
            at++;
        }
        text += length + (text[length] == '\n');
    }
    text_add(&own, "\n");
    return text_take(&own);
}

char *build_text(const struct build_spec *spec)
{
    struct build_tools tools;
    struct build_result result = {.built = true};
    struct building b = {.spec = spec, .tools = &tools, .result = &result};
    size_t length;
    build_tools_for(spec, &tools);
    const bool staged = !tools.missing && tools.compiler &&
                        tools_made(&tools, spec->root, &result.outcome) &&
                        stage_make(spec, b.stage, sizeof b.stage, result.outcome.reason,
                                   sizeof result.outcome.reason);
    b.log = staged ? fopen("/dev/null", "we") : NULL;
    const bool good = b.log && building_plain_text(&b) &&
                      (device_source(spec->source) ? cuda_text(&b) : run_compiler(&b, TEXT));
    char *text = good ? read_stage(&b, "whole.i", &length) : NULL;
    char *own = text ? own_lines(spec, text) : NULL;
    if (b.log)
        fclose(b.log);
    if (staged)
        folder_remove(b.stage);
    free(b.said);
    free(text);
    return own;
}

/* ---- linking ---------------------------------------------------------------------------------
 * Fences, which the thread sanitizer does not follow: a variant that has one is linked so that each
 * of its atomic operations has the strongest order (runner/follow.c). */

#define FOLLOWED "runner_fences_followed" /* a symbol of a runner that is linked so */

/* What gcc makes of a fence, of C's and OpenMP's. */
#define FENCE "__tsan_atomic_thread_fence"

static const char *const kinds[] = {"load",
                                    "store",
                                    "exchange",
                                    "fetch_add",
                                    "fetch_sub",
                                    "fetch_and",
                                    "fetch_or",
                                    "fetch_xor",
                                    "fetch_nand",
                                    "compare_exchange_strong",
                                    "compare_exchange_weak",
                                    "compare_exchange_val"};

static void add_wraps(const char *object, struct command_line *w)
{
    const bool any = object_leaves(object, FENCE);
    for (size_t k = 0; any && k < sizeof kinds / sizeof *kinds; k++)
        command_add_printf(w,
                           "-Wl,--wrap=__tsan_atomic8_%s,--wrap=__tsan_atomic16_%s,"
                           "--wrap=__tsan_atomic32_%s,--wrap=__tsan_atomic64_%s",
                           kinds[k], kinds[k], kinds[k], kinds[k]);
    if (any)
        command_add(w, "-Wl,--defsym=" FOLLOWED "=0");
}

void c_parts(const struct building *b, struct command_line *w)
{
    char *object = hpc_printf("%s/object.o", b->stage);
    for (const char *const *p = b->tools->parts; *p; p++)
        command_add_printf(w, "%s/%s", b->spec->root, *p);
    if (b->spec->kind == BUILD_THREADS)
        add_wraps(object, w);
    if (b->spec->kind == BUILD_THREADS && b->tools->linker) /* runner/openmp.c */
        command_add(w, "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset");
    if (DEFENCE(archers_lock) && b->spec->kind == BUILD_THREADS && b->tools->linker)
        command_add(w, "-Wl,--defsym=pthread_mutex_lock=archer_mutex_lock,"
                       "--defsym=pthread_mutex_unlock=archer_mutex_unlock");
    command_add(w, "object.o");
    command_add_text(w, b->spec->libraries ? b->spec->libraries : "");
    free(object);
}

bool c_fenced(const char *runner)
{
    FILE *f = fopen(runner, "re");
    struct stat st;
    bool found = false;
    void *bytes = f && fstat(fileno(f), &st) == 0 && st.st_size > 0
                      ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fileno(f), 0)
                      : MAP_FAILED;
    if (bytes != MAP_FAILED) {
        found = memmem(bytes, (size_t)st.st_size, FOLLOWED, sizeof FOLLOWED) != NULL;
        munmap(bytes, (size_t)st.st_size);
    }
    if (f)
        fclose(f);
    return found;
}
