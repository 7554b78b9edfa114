/* CUDA sources: for the CPU device (preprocessed, rewritten, compiled: docs/device.md), and by
 * nvcc. */
#define _GNU_SOURCE
#include "common/defence.h"
#include "harness/build/internal.h"
#include "harness/build/ptx.h"
#include "harness/build/register.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const nvcc_flags[] = {
    "-std=c++17",       "-O3", "-default-stream=per-thread", "-lineinfo", "-Xcompiler=-g",
    "-Xcompiler=-Wall", NULL};

static bool ends(const char *name, const char *with)
{
    const char *suffix = strrchr(name, '.');
    return suffix && strcmp(suffix, with) == 0;
}

static int is_ptx(const struct dirent *e)
{
    return ends(e->d_name, ".ptx");
}

static int is_fatbin(const struct dirent *e)
{
    return ends(e->d_name, ".fatbin");
}

/* Whether the task lets through all that nvcc made of its kernels: what ptxas was given, which
 * `-keep` leaves in the stage. */
static bool look_at_ptx(struct building *b)
{
    const struct build_spec *spec = b->spec;
    const char *flags = spec->flags ? spec->flags : "";
    bool fast = strstr(flags, "fast_math") || strstr(flags, "-prec-");
    char *permitted =
        hpc_printf("%s%s", spec->instructions ? spec->instructions : "", fast ? " approx" : "");
    struct dirent **entries;
    int n = scandir(b->stage, &entries, is_ptx, alphasort);
    bool good = n > 0 || building_fail(b, VERDICT_ENVIRONMENT, "nvcc -keep left no PTX to look at");
    for (int i = 0; i < n; i++) {
        char reason[400];
        size_t length;
        char *text = good ? read_stage(b, entries[i]->d_name, &length) : NULL;
        good = text && (ptx_allowed(text, spec->source, permitted, reason, sizeof reason) ||
                        building_fail(b, VERDICT_BUILD, reason));
        free(text);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    free(permitted);
    return good;
}

/* Whether the object registers what nvcc made, no more. */
static bool look_at_registration(struct building *b, const char *object)
{
    struct dirent **entries;
    int n = scandir(b->stage, &entries, is_fatbin, alphasort);
    bool good = n == 1;
    if (good) {
        size_t bytes;
        char *path = hpc_printf("%s/%s", b->stage, object),
             *fatbin = read_stage(b, entries[0]->d_name, &bytes);
        good = fatbin &&
               (registration_whole(fatbin, bytes) ||
                building_fail(b, VERDICT_ENVIRONMENT, "nvcc's binary of kernels is cut short")) &&
               registration_allowed(path, fatbin, bytes, &b->result->outcome);
        free(path);
        free(fatbin);
    } else {
        building_fail(b, VERDICT_ENVIRONMENT, "nvcc -keep left no binary of kernels to look at");
    }
    while (n > 0)
        free(entries[--n]);
    if (n == 0)
        free(entries);
    return good;
}

/* A student's object, and what nvcc left beside it. */
static bool look_at_object(struct building *b, const void *object)
{
    if (DEFENCE(ptx) && !look_at_ptx(b))
        return false;
    if (DEFENCE(registration) && !look_at_registration(b, object))
        return false;
    return true;
}

/* `source` to the object `to`, with the variant's own flags; of a student's, its PTX too. */
static bool nvcc_compile(struct building *b, const char *nvcc, const char *to)
{
    const bool students = b->spec->symbols != NULL;
    struct command_line w = {.n = 0};
    command_add(&w, nvcc);
    command_add_list(&w, nvcc_flags);
    if (!strstr(b->spec->flags ? b->spec->flags : "", "-gencode")) /* of another GPU */
        command_add(&w, device_architecture());
    command_add_text(&w, b->spec->flags ? b->spec->flags : "");
    if (students)
        command_add(&w, "-keep");
    command_add(&w, "-I.");
    command_add_list(&w, b->tools->flags);
    command_add(&w, "-c");
    command_add(&w, b->spec->source);
    command_add(&w, "-o");
    command_add(&w, to);
    return building_run(b, &w) && (!students || building_look(b, look_at_object, to));
}

void build_device_flags(const char *root_folder, const char *mode, const char *step,
                        struct command_line *w)
{
    char *path = hpc_printf("%s/build/device/flags-%s", root_folder, mode);
    FILE *f = fopen(path, "re");
    char line[4096];
    size_t n = strlen(step);
    free(path);
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, step, n) != 0 || line[n] != ' ')
            continue;
        char *flag = line + n + 1, *root = strstr(flag, "ROOT/");
        char *more = hpc_printf("%.*s%s%s", (int)(root ? root - flag : 0), flag,
                                root ? root_folder : "", root ? root + 4 : flag);
        command_add_text(w, more);
        free(more);
    }
    if (f)
        fclose(f);
}

/* The program and its arguments, with what it prints in a file of the stage. */
static bool run_into(struct building *b, const char *program, const char *in, const char *out)
{
    struct command_line w = {.n = 0};
    command_add(&w, "/bin/sh");
    command_add(&w, "-c");
    command_add(&w, "exec \"$1\" \"$2\" >\"$3\"");
    command_add(&w, "sh");
    command_add(&w, program);
    command_add(&w, in);
    command_add(&w, out);
    return building_run(b, &w);
}

/* The words of a text but those with a prefix in `without`, NULL-ended. */
static void add_without(struct command_line *w, const char *text, const char *const *without)
{
    struct command_line all = {.n = 0};
    command_add_text(&all, text ? text : "");
    for (int i = 0; i < all.n; i++) {
        bool keep = true;
        for (const char *const *p = without; *p; p++)
            keep &= strncmp(all.word[i], *p, strlen(*p)) != 0;
        if (keep)
            command_add(w, all.word[i]);
    }
    command_line_clear(&all);
}

/* g++ in the stage: preprocessing a source, all of it or its directives alone, or compiling what
 * was rewritten. */
enum device_step { PREPROCESS, DIRECTIVES, COMPILE };

static bool device_gxx(struct building *b, enum device_step step, const char *in, const char *out)
{
    const bool preprocess = step != COMPILE;
    static const char *const none[] = {NULL}, *const unseen[] = {"-O", "-march", NULL},
                             *const variables[] = {"-fvar-tracking", "-fvar-tracking-assignments",
                                                   NULL};
    struct command_line w = {.n = 0};
    command_add(&w, b->tools->compiler);
    command_add(&w, preprocess ? "-E" : "-c");
    build_device_flags(b->spec->root, b->tools->mode, "cc", &w);
    if (b->spec->kind == BUILD_DEBUG) /* in each step: a compiled header is for one choice */
        command_add_list(&w, variables);
    if (!preprocess)
        command_add_text(&w, "-Wall -Wdouble-promotion -Wtype-limits -Wempty-body "
                             "-Wimplicit-fallthrough"); /* for the log: build_warning() */
    if (preprocess) {
        build_device_flags(b->spec->root, b->tools->mode, "cpp", &w);
        /* gcc names a header by its link's target where that is shorter: no file of ours then */
        command_add(&w, "-fno-canonical-system-headers");
        /* a source that can tell that it is watched could behave */
        command_add(&w, "-U__SANITIZE_THREAD__");
    }
    /* without those that change what the checker sees */
    add_without(&w, b->spec->flags, b->spec->kind == BUILD_CHECK ? unseen : none);
    command_add_printf(&w, "-fdebug-prefix-map=%s=.", b->stage);
    if (step == DIRECTIVES)
        command_add(&w, "-fdirectives-only");
    command_add(&w, preprocess ? "-xc++" : "-xc++-cpp-output");
    command_add(&w, "-I.");
    command_add(&w, in);
    command_add(&w, "-o");
    command_add(&w, out);
    return building_run(b, &w);
}

/* Whether the student's lines are the same text in the build that is timed. */
static bool same_text(struct building *b)
{
    struct build_tools timed = *b->tools;
    struct build_spec plain = *b->spec;
    struct building other = *b;
    plain.kind = BUILD_PLAIN;
    other.spec = &plain;
    timed.mode = "run";
    other.tools = &timed;
    bool good = device_gxx(&other, PREPROCESS, b->spec->source, "timed.ii") &&
                building_watched(&other, "timed.ii");
    b->said = other.said;
    return good && (strcmp(other.text, b->text) == 0 ||
                    building_fail(b, VERDICT_REJECTED,
                                  "is another text where the checker looks than where it is "
                                  "timed, which no task allows"));
}

bool cuda_text(struct building *b)
{
    return device_gxx(b, PREPROCESS, b->spec->source, "whole.i");
}

static bool follow_directives(struct building *b)
{
    return device_gxx(b, DIRECTIVES, b->spec->source, DIRECTIVES_TEXT);
}
static bool device_look(struct building *b)
{
    if (!b->spec->symbols) /* ours */
        return device_gxx(b, PREPROCESS, b->spec->source, "whole.ii");
    if (!building_plain_text(b) || !building_pure_headers(b, follow_directives) ||
        !device_gxx(b, PREPROCESS, b->spec->source, "whole.ii") || !building_watched(b, "whole.ii"))
        return false;
    if (DEFENCE(unseen) && b->spec->kind == BUILD_CHECK)
        return same_text(b);
    return true;
}

static bool device_compile(struct building *b)
{
    char *rewrite = hpc_printf("%s/build/device/rewrite", b->spec->root);
    bool good = device_look(b) && run_into(b, rewrite, "whole.ii", "rewritten.ii") &&
                device_gxx(b, COMPILE, "rewritten.ii", "whole.o") &&
                (!b->tools->nvcc || nvcc_compile(b, b->tools->nvcc, "nvcc.o"));
    free(rewrite);
    return good;
}

bool cuda_compile(struct building *b)
{
    return b->tools->mode ? device_compile(b) : nvcc_compile(b, b->tools->compiler, "whole.o");
}

/* What the runner looks at of the host's memory (runner/allocators.h, runner/device.cu). */
static const char wrapped[] =
    "--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=posix_memalign,"
    "--wrap=_Znwm,--wrap=_Znam,--wrap=_ZnwmSt11align_val_t,--wrap=_ZnamSt11align_val_t,"
    "--wrap=_ZnwmRKSt9nothrow_t,--wrap=_ZnamRKSt9nothrow_t,"
    "--wrap=_ZnwmSt11align_val_tRKSt9nothrow_t,--wrap=_ZnamSt11align_val_tRKSt9nothrow_t";

bool cuda_link(struct building *b)
{
    /* CUDA's libraries are answered by the CPU device itself; nvcc gets cuDNN by its path */
    static const char *const answered[] = {"-lcu", NULL}, *const by_path[] = {"-lcudnn", NULL};
    bool device = b->tools->mode != NULL;
    struct command_line w = {.n = 0};
    command_add(&w, b->tools->compiler);
    command_add_printf(&w, "%s%s", device ? "-Wl," : "-Xlinker=", wrapped);
    command_add(&w, "-o");
    command_add(&w, BUILD_LINKED);
    command_add(&w, "object.o");
    for (const char *const *p = b->tools->parts; *p; p++) {
        const char *suffix = strrchr(*p, '.');
        if (suffix && strcmp(suffix, ".o") == 0) /* archives are among the device's flags */
            command_add_printf(&w, "%s/%s", b->spec->root, *p);
    }
    for (int i = 0; device && i < 2; i++)
        build_device_flags(b->spec->root, b->tools->mode, i ? "alone" : "ld", &w);
    add_without(&w, b->spec->libraries, device ? answered : by_path);
    if (!device)
        command_add_list(&w, b->tools->link);
    return building_run(b, &w);
}
