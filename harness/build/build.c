/* One variant from its source to a runner: staged, compiled and linked in the build jail, its
 * object checked between the two. */
#define _GNU_SOURCE
#include "harness/build/build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/scratch.h"
#include "common/defence.h"
#include "harness/build/internal.h"

#ifdef __aarch64__
#define LOADER "/lib/ld-linux-aarch64.so.1"
#else
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#endif

static bool is_object(enum build_kind kind)
{
    return kind == BUILD_OBJECT || kind == BUILD_CUDA_OBJECT;
}

/* Leave hpc_variant (under its new name, if it gets one) as the object's only global symbol. */
static bool localise(struct building *b)
{
    const struct build_spec *spec = b->spec;
    struct command_line w = {.n = 0};
    const char *objcopy = command_find("objcopy");
    if (!objcopy)
        return building_fail(b, VERDICT_ENVIRONMENT, "no objcopy here; install binutils");
    bool renamed = is_object(spec->kind) && spec->rename;
    command_add(&w, objcopy);
    if (renamed)
        command_add_printf(&w, "--redefine-sym=hpc_variant=%s", spec->rename);
    if (b->tools->mode) /* of a function that C++'s library has, too, each keeps its own copy */
        command_add(&w, "--remove-section=.group");
    if (DEFENCE(localise))
        command_add_printf(&w, "--keep-global-symbol=%s", renamed ? spec->rename : "hpc_variant");
    if (DEFENCE(by_number) && spec->kind == BUILD_THREADS) /* runner/follow.c */
        command_add(&w, "--redefine-sym=syscall=runner_syscall");
    if (DEFENCE(by_name) && spec->kind == BUILD_THREADS) /* runner/told.c */
        command_add_printf(&w, "--redefine-syms=%s/build/lib/told.names", spec->root);
    command_add(&w, "whole.o");
    command_add(&w, "object.o");
    return building_run(b, &w);
}

/* After a link that failed: where not even an empty program links, the sanitizer's library is not
 * here (some systems have it in a package of its own), and the student's source is not at fault.
 * Always false. */
static bool sanitizer_lacks(struct building *b)
{
    char *path = hpc_printf("%s/probe.c", b->stage);
    FILE *f = is_sanitized(b->spec->kind) ? fopen(path, "wxe") : NULL;
    free(path);
    if (!f)
        return false;
    fputs("int main(void) { return 0; }\n", f);
    fclose(f);
    struct build_result was = *b->result;
    struct command_line w = {.n = 0};
    command_add(&w, b->tools->linker ? b->tools->linker : b->tools->compiler);
    command_add_list(&w, b->tools->link);
    command_add(&w, "probe.c");
    if (!building_run(b, &w) && b->result->outcome.verdict == VERDICT_BUILD) {
        outcome_set(&b->result->outcome, VERDICT_PENDING,
                    "the compiler's sanitizer is not installed: %s", b->result->outcome.reason);
    } else {
        *b->result = was;
    }
    return false;
}

/* Whether a runner's jail shows no other libraries than those it is linked with. Sanitizers start
 * programs of their own; a GPU's driver, the CPU device's libraries and MPI's open others by name.
 */
static bool is_closed(const struct build_spec *spec)
{
    const enum build_kind kind = spec->kind;
    const bool plain = kind == BUILD_PLAIN ||
                       (kind == BUILD_CUDA && build_device(spec->source, kind) == DEVICE_HOST);
    return plain && !mpi_wanted(spec) && !(spec->libraries && strstr(spec->libraries, "-lcu"));
}

static bool link_runner(struct building *b)
{
    static const char wrap[] = "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,"
                               "--wrap=aligned_alloc,--wrap=posix_memalign";
    const struct build_spec *spec = b->spec;
    struct command_line w = {.n = 0};
    const bool debug = spec->kind == BUILD_DEBUG;
    char *runner = hpc_printf("%s/build/lib/%s.o", spec->root, debug ? "runner" : b->tools->runner);
    bool good = access(runner, R_OK) == 0;
    if (good) {
        command_add(&w, b->tools->linker ? b->tools->linker : b->tools->compiler);
        command_add_list(&w, b->tools->link);
        command_add(&w, wrap);
        if (is_closed(spec)) /* pthread_exit() opens it by name */
            command_add(&w, "-Wl,--push-state,--no-as-needed,-lgcc_s,--pop-state");
        command_add(&w, "-o");
        command_add(&w, BUILD_LINKED);
        command_add(&w, runner);
        c_parts(b, &w);
        good = building_run(b, &w) || sanitizer_lacks(b);
    } else {
        building_fail(b, VERDICT_ENVIRONMENT, "build/lib has no runner to link with; type `make`");
    }
    free(runner);
    return good;
}

/* The paths in "\tlibm.so.6 => /lib/libm.so.6 (0x..)", one a line. */
static void write_paths(const char *said, FILE *file)
{
    for (const char *line = said; *line;) {
        size_t length = strcspn(line, "\n");
        const char *path = memchr(line, '/', length);
        if (path)
            fprintf(file, "%.*s\n", (int)strcspn(path, " \n"), path);
        line += length + (line[length] == '\n');
    }
}

/* The files that the dynamic loader names, without running a line of the runner, into a list beside
 * it in the stage. */
static bool list_libraries(struct building *b)
{
    struct command_line w = {.n = 0};
    command_add(&w, LOADER);
    command_add(&w, "--list");
    command_add(&w, "./" BUILD_LINKED);
    if (!building_run(b, &w))
        return false;
    char *path = hpc_printf("%s/" BUILD_LINKED BUILD_LIBRARIES, b->stage);
    FILE *file = fopen(path, "wxe");
    free(path);
    if (!file)
        return building_fail(b, VERDICT_ENVIRONMENT, "no list of a runner's libraries");
    write_paths(b->said, file);
    return fclose(file) == 0 || building_fail(b, VERDICT_ENVIRONMENT, "no room for a list");
}

/* Rename a file of the stage into the output folder. */
static bool publish(struct building *b, const char *name, const char *as)
{
    char *from = hpc_printf("%s/%s", b->stage, name);
    char *to = hpc_printf("%s/%s/%s", b->spec->root, b->spec->folder, as);
    bool good = scratch_plain(from) && rename(from, to) == 0;
    if (!good)
        outcome_set(&b->result->outcome, VERDICT_ENVIRONMENT, "%.300s: %s", to, strerror(errno));
    free(from);
    free(to);
    return good;
}

static bool build_in_stage(struct building *b)
{
    const bool plain = !is_sanitized(b->spec->kind), object = is_object(b->spec->kind),
               cuda = device_source(b->spec->source);
    if (!(cuda ? cuda_compile(b) : c_compile(b)) || !building_look(b, building_object, NULL) ||
        !localise(b) || !(object || (cuda ? cuda_link(b) : link_runner(b))))
        return false;
    char *libraries = hpc_printf("%s" BUILD_LIBRARIES, b->tools->runner);
    const bool listed = object || !is_closed(b->spec) ||
                        (list_libraries(b) && publish(b, BUILD_LINKED BUILD_LIBRARIES, libraries));
    free(libraries);
    const bool timed = plain && b->spec->kind != BUILD_DEBUG;
    return listed && (!timed || publish(b, "object.o", "object.o")) &&
           (object || publish(b, BUILD_LINKED, b->tools->runner));
}

static bool write_stamp(const char *stamp, uint64_t hash)
{
    FILE *f = fopen(stamp, "we");
    if (f)
        fprintf(f, "%016llx\n", (unsigned long long)hash);
    return f && fclose(f) == 0;
}

/* The machine's fault: it is told by the reason that is there, or by where and why. */
static void cannot(struct build_result *result, const char *where)
{
    const char *said = result->outcome.reason;
    outcome_set(&result->outcome, VERDICT_ENVIRONMENT, "%.300s%s%s", *said ? said : where,
                *said ? "" : ": ", *said ? "" : strerror(errno));
}

static void build_anew(const struct build_spec *spec, const struct build_tools *tools,
                       const char *stamp, uint64_t hash, struct build_result *result)
{
    struct building b = {.spec = spec, .tools = tools, .result = result};
    const bool staged = stage_make(spec, b.stage, sizeof b.stage, result->outcome.reason,
                                   sizeof result->outcome.reason);
    char *log = hpc_printf("%s/log", b.stage),
         *folder = hpc_printf("%s/%s", spec->root, spec->folder);
    if (staged && folder_make(folder, NULL) && (b.log = fopen(log, "wxe")) != NULL) {
        const bool built = build_in_stage(&b), kept = fclose(b.log) == 0;
        const char *suffix = strchr(tools->runner, '-');
        char *name = hpc_printf("log%s", suffix ? suffix : "");
        struct build_result ignored = *result;
        b.result = &ignored;
        publish(&b, "log", name);
        free(name);
        if (built && kept && write_stamp(stamp, hash))
            result->outcome.verdict = VERDICT_PASS;
        else if (built)
            cannot(result, folder);
    } else {
        cannot(result, folder);
    }
    free(log);
    free(folder);
    free(b.said);
    folder_remove(b.stage);
}

/* Build, or take what is kept of another build. What was built before goes first: a source that
 * fails leaves no runner. */
static void rebuild(const struct build_spec *spec, const struct build_tools *tools,
                    const char *stamp, uint64_t hash, struct build_result *result)
{
    char *libraries = hpc_printf("%s" BUILD_LIBRARIES, result->output);
    char *folder = hpc_printf("%s/%s", spec->root, spec->folder);
    const char *name = strrchr(result->output, '/') + 1;
    unlink(stamp);
    unlink(result->output);
    unlink(libraries);
    result->built = true;
    result->outcome.verdict = VERDICT_BUILD; /* of a step that fails without a word, too */
    if (kept_take(tools, hash, name, folder) && write_stamp(stamp, hash)) {
        result->outcome.verdict = VERDICT_PASS;
    } else {
        build_anew(spec, tools, stamp, hash, result);
        if (result->outcome.verdict == VERDICT_PASS)
            kept_add(tools, hash, name, folder);
    }
    free(libraries);
    free(folder);
}

static bool fresh(const char *stamp, const char *output, bool closed, uint64_t hash)
{
    unsigned long long found = 0;
    char *libraries = hpc_printf("%s" BUILD_LIBRARIES, output);
    FILE *f = fopen(stamp, "re");
    bool good = f && fscanf(f, "%llx", &found) == 1 && found == hash && access(output, R_OK) == 0 &&
                (!closed || access(libraries, R_OK) == 0);
    free(libraries);
    if (f)
        fclose(f);
    return good;
}

void build_variant(const struct build_spec *spec, struct build_result *result)
{
    struct build_tools tools;
    uint64_t hash;
    memset(result, 0, sizeof *result);
    build_tools_for(spec, &tools);
    const char *name = is_object(spec->kind) ? "object.o" : tools.runner;
    snprintf(result->output, sizeof result->output, "%s/%s/%s", spec->root, spec->folder, name);
    memcpy(result->env, tools.env, sizeof result->env);
    tools_read_only(&tools, result);
    result->device = build_device(spec->source, spec->kind);
    result->sanitized = is_sanitized(spec->kind);
    if (tools.missing || !tools.compiler) {
        const bool waits = tools.missing && !tools.to_install;
        outcome_set(&result->outcome, waits ? VERDICT_PENDING : VERDICT_ENVIRONMENT, "%s",
                    tools.missing ? tools.missing : "no compiler here; type ./bootstrap");
        return;
    }
    if (!tools_made(&tools, spec->root, &result->outcome))
        return;
    if (!build_hash(spec, &tools, &hash, &result->outcome))
        return;
    char *stamp = hpc_printf("%s/%s/.%s.stamp", spec->root, spec->folder, name);
    if (fresh(stamp, result->output, !is_object(spec->kind) && is_closed(spec), hash)) {
        result->outcome.verdict = VERDICT_PASS;
    } else {
        rebuild(spec, &tools, stamp, hash, result);
    }
    result->fences = spec->kind == BUILD_THREADS && c_fenced(result->output);
    free(stamp);
}

bool build_silent(const struct build_result *built)
{
    const char *end = strrchr(built->output, '/');
    char *log = hpc_printf("%.*s/log", end ? (int)(end - built->output) : 0, built->output);
    size_t length;
    char *text = stage_read(log, &length);
    const bool silent = !text || !strstr(text, ": warning: ");
    free(text);
    free(log);
    return silent;
}
