/* One variant from its source to a runner: staged, compiled and linked in the build jail, its
 * object checked between the two. */
#define _GNU_SOURCE
#include "harness/build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/build_internal.h"
#include "harness/exchange.h"

#define LOG_BYTES (256 * 1024)

/* One build under way. */
struct building {
    const struct build_spec *spec;
    const struct build_tools *tools;
    struct build_result *result;
    char stage[BUILD_PATH];
    FILE *log; /* in the stage */
};

/* Words of a command line. */
struct words {
    const char *word[200];
    int n;
};

static void add(struct words *w, const char *word)
{
    HPC_ASSERT(w->n < 199);
    w->word[w->n++] = word;
    w->word[w->n] = NULL;
}

static void add_all(struct words *w, const char *const *list)
{
    for (; *list; list++)
        add(w, *list);
}

/* Add the words of a text, which is cut into them. */
static void add_text(struct words *w, char *text)
{
    char *rest = NULL;
    for (char *p = strtok_r(text, " \t", &rest); p; p = strtok_r(NULL, " \t", &rest))
        add(w, p);
}

static bool fail(struct building *b, enum verdict verdict, const char *reason)
{
    b->result->verdict = verdict;
    snprintf(b->result->reason, sizeof b->result->reason, "%.399s", reason);
    return false;
}

/* What the log says about a tool that failed. */
static bool fail_by_log(struct building *b, const struct jail_end *end, const char *log)
{
    struct build_result *r = b->result;
    bool late = end->wall_limit || end->cpu_limit || strstr(log, "CPU time limit exceeded");
    if (late)
        return fail(b, VERDICT_TIMEOUT, "the compiler did not end within its time limit");
    r->verdict = VERDICT_BUILD;
    first_error(log, r->reason, sizeof r->reason);
    if (!r->reason[0])
        snprintf(r->reason, sizeof r->reason, "the compiler ended: %s", end->why);
    return false;
}

/* Run a tool in the jail, in the stage. */
static bool run_tool(struct building *b, const struct words *argv)
{
    char library[BUILD_PATH];
    char *temporary = hpc_printf("TMPDIR=%s", b->stage);
    const char *env[] = {"PATH=/usr/bin:/bin", "LANG=C", "HOME=/tmp", temporary, NULL};
    snprintf(library, sizeof library, "%s/build/lib", b->spec->root);
    struct jail_spec jail = {
        .argv = argv->word,
        .env = env,
        .read_only = {library, b->tools->prefix},
        .writable = b->stage,
        .folder = b->stage,
        .fds = {-1, -1},
        .profile = JAIL_BUILD,
        .limits = {.cpu_seconds = 60,
                   .wall_seconds = 60,
                   .memory_bytes = b->tools->limit_memory ? (size_t)2 << 30 : 0,
                   .file_bytes = 64 << 20,
                   .output_bytes = LOG_BYTES,
                   .processes = 64},
    };
    struct hpc_error err;
    struct jail_end end;
    struct jail *process = jail_start(&jail, &err);
    free(temporary);
    if (!process)
        return fail(b, VERDICT_ENVIRONMENT, err.text);
    char *text = hpc_malloc(LOG_BYTES + 1);
    jail_wait(process, &end, text, LOG_BYTES + 1);
    for (int i = 0; i < argv->n; i++)
        fprintf(b->log, "%s%c", argv->word[i], i + 1 < argv->n ? ' ' : '\n');
    fputs(text, b->log);
    bool good = end.exited && end.exit_status == 0;
    if (!good)
        fail_by_log(b, &end, text);
    free(text);
    return good;
}

static bool compile(struct building *b)
{
    const struct build_spec *spec = b->spec;
    const char *suffix = strrchr(spec->source, '.');
    bool c = suffix && strcmp(suffix, ".c") == 0;
    struct words w = {.n = 0};
    char *flags = hpc_strdup(spec->flags ? spec->flags : "");
    char *map = hpc_printf("-fdebug-prefix-map=%s=.", b->stage);
    add(&w, b->tools->compiler);
    add(&w, c ? "-std=gnu11" : "-std=c++17");
    add(&w, "-g");
    add(&w, "-Wall");
    add_text(&w, flags);
    add_all(&w, b->tools->flags);
    add(&w, map);
    add(&w, "-I.");
    add(&w, "-c");
    add(&w, spec->source);
    add(&w, "-o");
    add(&w, "whole.o");
    bool good = run_tool(b, &w);
    free(map);
    free(flags);
    return good;
}

/* Leave hpc_variant (under its new name, if it gets one) as the object's only global symbol. */
static bool localise(struct building *b)
{
    const struct build_spec *spec = b->spec;
    struct words w = {.n = 0};
    const char *objcopy = build_find_tool("objcopy");
    if (!objcopy)
        return fail(b, VERDICT_ENVIRONMENT, "no objcopy here; install binutils");
    bool renamed = spec->kind == BUILD_OBJECT && spec->rename;
    char *redefine = hpc_printf("--redefine-sym=hpc_variant=%s", renamed ? spec->rename : "");
    char *keep = hpc_printf("--keep-global-symbol=%s", renamed ? spec->rename : "hpc_variant");
    add(&w, objcopy);
    if (renamed)
        add(&w, redefine);
    add(&w, keep);
    add(&w, "whole.o");
    add(&w, "object.o");
    bool good = run_tool(b, &w);
    free(redefine);
    free(keep);
    return good;
}

static bool link_runner(struct building *b)
{
    static const char wrap[] = "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,"
                               "--wrap=aligned_alloc,--wrap=posix_memalign";
    const struct build_spec *spec = b->spec;
    struct words w = {.n = 0};
    char *libraries = hpc_strdup(spec->libraries ? spec->libraries : "");
    char *runner = hpc_printf("%s/build/lib/%s.o", spec->root, b->tools->runner);
    bool good = access(runner, R_OK) == 0;
    if (good) {
        add(&w, b->tools->compiler);
        add_all(&w, b->tools->link);
        add(&w, wrap);
        add(&w, "-o");
        add(&w, b->tools->runner);
        add(&w, runner);
        add(&w, "object.o");
        add_text(&w, libraries);
        good = run_tool(b, &w);
    } else {
        fail(b, VERDICT_ENVIRONMENT, "build/lib has no runner to link with; type `make`");
    }
    free(runner);
    free(libraries);
    return good;
}

/* Rename a file of the stage into the output folder. */
static bool publish(struct building *b, const char *name, const char *as)
{
    char *from = hpc_printf("%s/%s", b->stage, name);
    char *to = hpc_printf("%s/%s/%s", b->spec->root, b->spec->folder, as);
    bool good = rename(from, to) == 0;
    if (!good) {
        snprintf(b->result->reason, sizeof b->result->reason, "%.300s: %s", to, strerror(errno));
        b->result->verdict = VERDICT_ENVIRONMENT;
    }
    free(from);
    free(to);
    return good;
}

static bool build_in_stage(struct building *b)
{
    char path[BUILD_PATH + 16];
    snprintf(path, sizeof path, "%s/whole.o", b->stage);
    bool plain = b->spec->kind == BUILD_PLAIN || b->spec->kind == BUILD_OBJECT;
    struct build_result *r = b->result;
    if (!compile(b) || !object_allowed(path, plain ? b->spec->symbols : NULL, &r->verdict,
                                       r->reason, sizeof r->reason))
        return false;
    if (!localise(b) || (b->spec->kind != BUILD_OBJECT && !link_runner(b)))
        return false;
    return (!plain || publish(b, "object.o", "object.o")) &&
           (b->spec->kind == BUILD_OBJECT || publish(b, b->tools->runner, b->tools->runner));
}

/* Build from scratch. What was built before goes first: a source that fails leaves no runner. */
static void rebuild(const struct build_spec *spec, const struct build_tools *tools,
                    const char *stamp, uint64_t hash, struct build_result *result)
{
    struct building b = {.spec = spec, .tools = tools, .result = result};
    unlink(stamp);
    unlink(result->output);
    result->built = true;
    result->verdict = VERDICT_ENVIRONMENT;
    bool good = stage_make(spec, b.stage, sizeof b.stage, result->reason, sizeof result->reason);
    char *log = hpc_printf("%s/log", b.stage),
         *folder = hpc_printf("%s/%s", spec->root, spec->folder);
    if (good && make_folders(folder) && (b.log = fopen(log, "we")) != NULL) {
        good = build_in_stage(&b);
        good = fclose(b.log) == 0 && good;
        const char *suffix = strchr(tools->runner, '-');
        char *name = hpc_printf("log%s", suffix ? suffix : "");
        struct build_result ignored = *result;
        b.result = &ignored;
        publish(&b, "log", name);
        free(name);
        FILE *f = good ? fopen(stamp, "we") : NULL;
        if (f)
            fprintf(f, "%016llx\n", (unsigned long long)hash);
        if (f && fclose(f) == 0)
            result->verdict = VERDICT_PASS;
    } else if (good) {
        snprintf(result->reason, sizeof result->reason, "%.300s: %s", folder, strerror(errno));
    }
    free(log);
    free(folder);
    stage_remove(b.stage);
}

static bool fresh(const char *stamp, const char *output, uint64_t hash)
{
    unsigned long long found = 0;
    FILE *f = fopen(stamp, "re");
    bool good = f && fscanf(f, "%llx", &found) == 1 && found == hash && access(output, R_OK) == 0;
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
    const char *name = spec->kind == BUILD_OBJECT ? "object.o" : tools.runner;
    snprintf(result->output, sizeof result->output, "%s/%s/%s", spec->root, spec->folder, name);
    memcpy(result->env, tools.env, sizeof result->env);
    if (tools.missing || !tools.compiler) {
        result->verdict = tools.missing ? VERDICT_PENDING : VERDICT_ENVIRONMENT;
        snprintf(result->reason, sizeof result->reason, "%s",
                 tools.missing ? tools.missing : "no compiler here; type ./bootstrap");
        return;
    }
    if (!build_hash(spec, &tools, &hash, result->reason, sizeof result->reason)) {
        result->verdict = VERDICT_BUILD;
        return;
    }
    char *stamp = hpc_printf("%s/%s/.%s.stamp", spec->root, spec->folder, name);
    if (fresh(stamp, result->output, hash)) {
        result->verdict = VERDICT_PASS;
    } else {
        stage_sweep(spec->root);
        rebuild(spec, &tools, stamp, hash, result);
    }
    free(stamp);
}

void build_runner_needs(const struct build_result *result, struct exchange_spec *spec)
{
    spec->extra_env = result->env[0] ? result->env : NULL;
}
