/* Which compiler builds which kind of runner, with which flags, and what its environment needs. */
#define _GNU_SOURCE
#include "harness/build/internal.h"
#include "common/command.h"
#include "common/defence.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS_FLAGS                                                                              \
    "-fsanitize=thread", "-fno-omit-frame-pointer", "-O1", "-fno-inline", "-fno-toplevel-reorder"
/* Undefined behaviour ends the program as an overrun does: the parent reads the first report. */

/* The sanitizer waits a second at a process's end for threads that live on; a case has that end. */
#define TSAN_OPTIONS "TSAN_OPTIONS=exitcode=66 halt_on_error=1 atexit_sleep_ms=50"

/* Clang links what gcc made with its own OpenMP library, which answers gcc's calls, and Archer,
 * which tells the thread sanitizer about OpenMP's barriers and locks: what the environment says for
 * both. False where clang or one of them is missing. */
static bool find_archer(const char **clang, const char *words[2])
{
    static char archer[PATH_MAX + 64], options[PATH_MAX + 160];
    char folder[PATH_MAX], library[PATH_MAX + 32];
    *clang = command_find("clang");
    if (!*clang || !realpath(*clang, folder))
        return false;
    for (int up = 0; up < 2; up++) { /* from .../bin/clang to ... */
        char *slash = strrchr(folder, '/');
        if (slash)
            *slash = '\0';
    }
    snprintf(library, sizeof library, "%s/lib/libomp.so", folder);
    snprintf(archer, sizeof archer, "OMP_TOOL_LIBRARIES=%s/lib/libarcher.so", folder);
    if (access(library, R_OK) != 0 || access(strchr(archer, '=') + 1, R_OK) != 0)
        return false;
    snprintf(options, sizeof options,
             TSAN_OPTIONS " ignore_noninstrumented_modules=1 "
                          "external_symbolizer_path=%s/bin/llvm-symbolizer",
             folder);
    words[0] = archer;
    words[1] = options;
    return true;
}

static bool with_openmp(const struct build_spec *spec)
{
    return spec->flags && strstr(spec->flags, "-fopenmp");
}

/* What the sanitizers' runners need in their environment, in that of the plain one too: nobody
 * reads there which of them he is in. */
static void sanitizers_words(const struct build_spec *spec, struct build_tools *t)
{
    const char *clang;
    int n = with_openmp(spec) && find_archer(&clang, t->env) ? 2 : 0;
    t->env[n] = n ? "KMP_BLOCKTIME=1" : TSAN_OPTIONS; /* 1 ms of spinning: exchange/start.c */
    n++;
    t->env[n++] = "ASAN_OPTIONS=" BUILD_ASAN_OPTIONS "detect_leaks=1";
    t->env[n++] = BUILD_UBSAN_OPTIONS;
}

static void tools_for_threads(const struct build_spec *spec, struct build_tools *t)
{
    /* Functions keep their names; gcc keeps a static variable that is only written, and tells of
     * each one on the stack whose address is taken, not of those alone that it sees given away. */
    static const char *const gcc_flags[] = {"-fno-tree-pta", THREADS_FLAGS, NULL};
    static const char *const link[] = {"-fsanitize=thread", NULL};
    static const char *const link_openmp[] = {"-fsanitize=thread", "-fopenmp", NULL};
    const char *words[2];
    static const char *const parts[] = {"build/lib/follow.o", "build/lib/told.o",
                                        "build/lib/openmp.o", "build/lib/gomp.o", NULL};
    t->runner = "runner-threads";
    t->parts = parts;
    t->flags = gcc_flags + 1;
    if (DEFENCE(neighbours))
        t->flags = gcc_flags;
    t->link = link;
    t->limit_memory = false;
    if (!with_openmp(spec))
        return;
    t->link = link_openmp;
    if (!find_archer(&t->linker, words))
        t->missing = "threads unchecked: no clang with Archer here";
}

/* The timed code but for the calls: gcc puts them in behind its optimisations. */
static void tools_for_stores(struct build_tools *t)
{
    static const char *const flags[] = {"-fsanitize=thread", NULL};
    static const char *const parts[] = {"build/lib/orders.o",    "build/lib/tasks.o",
                                        "build/lib/waits.o",     "build/lib/accesses.o",
                                        "build/lib/stores.o",    "build/lib/phases.o",
                                        "build/lib/lock_sets.o", "build/lib/locks.o",
                                        "build/lib/pieces.o",    NULL};
    t->runner = "runner-stores";
    t->parts = parts + 3; /* who waits for whom is told by the first three */
    if (DEFENCE(orders))
        t->parts = parts;
    t->flags = flags;
}

static void tools_for_address(struct build_tools *t)
{
    static const char *const flags[] = {
        BUILD_ADDRESS_FLAGS, "-U_FORTIFY_SOURCE", "-fno-omit-frame-pointer", "-O1", "-g1", NULL};
    static const char *const link[] = {BUILD_ADDRESS_FLAGS, NULL};
    t->runner = "runner-address";
    t->flags = flags;
    t->link = link;
    t->limit_memory = false;
}

static void add_words(const struct build_spec *spec, struct build_tools *t)
{
    bool all = spec->kind == BUILD_THREADS || spec->kind == BUILD_ADDRESS;
    if (DEFENCE(same_words))
        all = true;
    if (all)
        sanitizers_words(spec, t);
}

/* nvcc's words for cuDNN. What it is linked with finds it, and what it opens, where they lie: an
 * old RPATH counts for what a library opens, a RUNPATH does not. */
static void use_cudnn(struct build_tools *t)
{
    static char headers[PATH_MAX + 8], folder[PATH_MAX + 8], name[100], path[PATH_MAX + 32];
    static const char *const flags[] = {headers, NULL};
    static const char *const link[] = {folder, name, "-Xlinker=--disable-new-dtags", path, NULL};
    snprintf(headers, sizeof headers, "-I%s", t->cudnn->include);
    snprintf(folder, sizeof folder, "-L%s", t->cudnn->lib);
    snprintf(name, sizeof name, "-l:%s", t->cudnn->library);
    snprintf(path, sizeof path, "-Xlinker=-rpath=%s", t->cudnn->lib);
    t->flags = flags;
    t->link = link;
}

/* nvcc comes without cuDNN, and at times without cuBLAS. Why the task's libraries can't be had
 * here, or NULL; with t->cudnn where it links that. */
static const char *missing_library(const struct build_spec *spec, struct build_tools *t)
{
    static const char *const folders[] = {"/usr/include", "/usr/local/include",
                                          "/usr/local/cuda/include",
                                          "/usr/include/x86_64-linux-gnu"};
    static struct hpc_error why;
    const char *libraries = spec->libraries ? spec->libraries : "", *nvcc = device_nvcc();
    if (nvcc && strstr(libraries, "-lcudnn")) {
        t->cudnn = cudnn_here(spec->root, &why);
        if (!t->cudnn)
            return why.text;
        use_cudnn(t);
    }
    if (!nvcc || !strstr(libraries, "-lcublas"))
        return NULL;
    char *path =
        hpc_printf("%.*s../include/cublas_v2.h", (int)(strrchr(nvcc, '/') + 1 - nvcc), nvcc);
    bool found = access(path, R_OK) == 0;
    free(path);
    for (size_t k = 0; !found && k < sizeof folders / sizeof *folders; k++) {
        path = hpc_printf("%s/cublas_v2.h", folders[k]);
        found = access(path, R_OK) == 0;
        free(path);
    }
    return found ? NULL : "no cuBLAS for nvcc here (cublas_v2.h)";
}

enum build_kind build_plain(enum hpc_place device)
{
    return device == DEVICE_CUDA ? BUILD_CUDA : BUILD_PLAIN;
}

enum hpc_place build_device(const char *source, enum build_kind kind)
{
    return !device_source(source)                            ? DEVICE_HOST
           : kind == BUILD_CUDA || kind == BUILD_CUDA_OBJECT ? DEVICE_CUDA
                                                             : DEVICE_CPU;
}

/* For the CPU device in `mode`. */
static void tools_for_device(const struct build_spec *spec, const char *mode, struct build_tools *t)
{
    static const char *const run[] = {"build/lib/runner.o",
                                      "build/lib/device-run.o",
                                      "build/device/run.a",
                                      "build/device/rewrite",
                                      "build/device/flags-run",
                                      "build/device/libraries.a",
                                      NULL};
    static const char *const traffic[] = {"build/lib/runner.o",
                                          "build/lib/device-check.o",
                                          "build/device/traffic.a",
                                          "build/device/rewrite",
                                          "build/device/flags-traffic",
                                          "build/device/libraries-check.a",
                                          NULL};
    bool checked = strcmp(mode, "traffic") == 0;
    t->compiler = command_find("g++");
    t->mode = mode;
    t->parts = checked ? traffic : run;
    if (checked)
        t->runner = "runner-check";
    else if (spec->kind != BUILD_OBJECT && !missing_library(spec, t))
        t->nvcc = device_nvcc(); /* what only g++ takes is no CUDA; our own are known to be */
}

static void tools_for_cuda(const struct build_spec *spec, struct build_tools *t)
{
    static const char *const parts[] = {"build/lib/runner.o", "build/lib/device-cuda.o", NULL};
    if (spec->kind == BUILD_CHECK)
        tools_for_device(spec, "traffic", t);
    else if (build_device(spec->source, spec->kind) == DEVICE_CPU)
        tools_for_device(spec, "run", t);
    else {
        t->compiler = t->nvcc = device_nvcc();
        t->limit_memory = false; /* nvcc's own processes reserve much */
        t->parts = parts;
        t->missing = t->compiler ? missing_library(spec, t) : "no nvcc here";
    }
    if (spec->kind == BUILD_ADDRESS || spec->kind == BUILD_THREADS || spec->kind == BUILD_STORES)
        t->missing = "sanitizers are for .c files; a .cu has the device checker";
}

const char *const build_lines_only[] = {"-fno-var-tracking", "-fno-var-tracking-assignments", NULL};

/* The folder above bin/ of a compiler that is not below /usr. */
static const char *foreign_prefix(const char *compiler)
{
    static char prefix[PATH_MAX];
    if (!compiler || !realpath(compiler, prefix) || strncmp(prefix, "/usr/", 5) == 0)
        return NULL;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(prefix, '/');
        if (slash)
            *slash = '\0';
    }
    return prefix[0] ? prefix : NULL;
}

void build_tools_for(const struct build_spec *spec, struct build_tools *tools)
{
    static const char *const none[] = {NULL}, *const unoptimised[] = {"-O0", "-g3", NULL};
    const char *suffix = strrchr(spec->source, '.');
    *tools = (struct build_tools){
        .flags = none, .link = none, .parts = none, .runner = "runner", .limit_memory = true};
    bool cxx = suffix && (strcmp(suffix, ".cc") == 0 || strcmp(suffix, ".cpp") == 0);
    const char *name = cxx ? "g++" : "gcc";
    tools->compiler = command_find(name);
    if (spec->kind == BUILD_THREADS)
        tools_for_threads(spec, tools);
    else if (spec->kind == BUILD_ADDRESS)
        tools_for_address(tools);
    else if (spec->kind == BUILD_STORES)
        tools_for_stores(tools);
    if (device_source(spec->source))
        tools_for_cuda(spec, tools);
    if (spec->kind == BUILD_DEBUG) {
        tools->runner = "runner-debug";
        tools->nvcc = NULL;
        if (!device_source(spec->source))
            tools->flags = unoptimised;
    }
    if (mpi_wanted(spec))
        mpi_tools(spec, tools);
    else if (!device_source(spec->source))
        add_words(spec, tools);
    tools->prefix = foreign_prefix(tools->nvcc     ? tools->nvcc
                                   : tools->linker ? tools->linker
                                                   : tools->compiler);
}

void tools_read_only(const struct build_tools *tools, struct build_result *result)
{
    int n = 0;
    if (tools->mode || !tools->nvcc)
        return;
    if (tools->prefix)
        result->read_only[n++] = tools->prefix;
    if (tools->cudnn)
        result->read_only[n++] = tools->cudnn->package;
}

bool tools_made(const struct build_tools *tools, const char *root, struct outcome *outcome)
{
    static const char *const none[] = {NULL};
    const char *part = "build/lib", *const *next = tools->parts ? tools->parts : none;
    for (; part; part = *next++) {
        char *path = hpc_printf("%s/%s", root, part);
        const bool made = access(path, R_OK) == 0;
        free(path);
        if (!made)
            break;
    }
    if (part)
        outcome_set(outcome, VERDICT_ENVIRONMENT, "%s is not there: type `make`", part);
    return !part;
}
