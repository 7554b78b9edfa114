/* CUDA sources: for the CPU device (preprocessed, rewritten, compiled: docs/interfaces.md), and by
 * nvcc. */
#define _GNU_SOURCE
#include "common/defence.h"
#include "harness/build/internal.h"
#include "harness/build/register.h"
#include "harness/build/ptx.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PTX (64L << 20)

/* nvcc, as contract and targets have it. */
static const char *const nvcc_flags[] = {
    "-std=c++17",       "-O3", "-default-stream=per-thread", "-lineinfo", "-Xcompiler=-g",
    "-Xcompiler=-Wall", NULL};

/* Text of a file of the stage, which the caller frees; NULL with errno. */
static char *read_ptx(const char *path)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    char *text = NULL;
    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MAX_PTX) {
        text = hpc_malloc((size_t)st.st_size + 1);
        size_t n = 0;
        for (ssize_t got = 1; got > 0; n += got > 0 ? (size_t)got : 0)
            got = read(fd, text + n, (size_t)st.st_size - n);
        text[n] = '\0';
    } else {
        errno = EFBIG;
    }
    close(fd);
    return text;
}

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
        char *path = hpc_printf("%s/%s", b->stage, entries[i]->d_name), reason[400];
        char *text = good ? read_ptx(path) : NULL;
        if (good && !text)
            good = building_fail(b, VERDICT_ENVIRONMENT, strerror(errno));
        else if (good && !ptx_allowed(text, spec->source, permitted, reason, sizeof reason))
            good = building_fail(b, VERDICT_BUILD, reason);
        free(text);
        free(path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    free(permitted);
    return good;
}

/* Whether the object registers what nvcc made, and nothing else. */
static bool look_at_registration(struct building *b, const char *object)
{
    struct dirent **entries;
    char reason[300];
    int n = scandir(b->stage, &entries, is_fatbin, alphasort);
    bool good = n == 1;
    if (good) {
        char *path = hpc_printf("%s/%s", b->stage, object),
             *fatbin = hpc_printf("%s/%s", b->stage, entries[0]->d_name);
        good = registration_allowed(path, fatbin, reason, sizeof reason) ||
               building_fail(b, VERDICT_REJECTED, reason);
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

/* `source` to the object `to`, with the variant's own flags; of a student's, its PTX too. */
static bool nvcc_compile(struct building *b, const char *nvcc, const char *to)
{
    const bool look = b->spec->symbols && DEFENCE(ptx),
               registers = b->spec->symbols && DEFENCE(registration);
    struct words w = {.n = 0};
    char *flags = hpc_strdup(b->spec->flags ? b->spec->flags : "");
    words_add(&w, nvcc);
    words_all(&w, nvcc_flags);
    words_add(&w, device_architecture());
    words_text(&w, flags);
    if (look || registers)
        words_add(&w, "-keep");
    words_add(&w, "-I.");
    words_all(&w, b->tools->flags);
    words_add(&w, "-c");
    words_add(&w, b->spec->source);
    words_add(&w, "-o");
    words_add(&w, to);
    bool good = building_run(b, &w) && (!look || look_at_ptx(b)) &&
                (!registers || look_at_registration(b, to));
    free(flags);
    return good;
}

/* The flags of a step in build/device/flags-MODE ("STEP FLAG", one a line; ROOT stands for the
 * project's folder) to w. The text that they lie in is the caller's to free; NULL: there are none.
 */
static char *device_flags(const struct building *b, const char *step, struct words *w)
{
    char *path = hpc_printf("%s/build/device/flags-%s", b->spec->root, b->tools->mode);
    FILE *f = fopen(path, "re");
    char *text = NULL, line[4096];
    size_t n = strlen(step);
    free(path);
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, step, n) != 0 || line[n] != ' ')
            continue;
        char *flag = line + n + 1, *root = strstr(flag, "ROOT/");
        char *more = hpc_printf("%s %.*s%s%s", text ? text : "", (int)(root ? root - flag : 0),
                                flag, root ? b->spec->root : "", root ? root + 4 : flag);
        free(text);
        text = more;
    }
    if (f)
        fclose(f);
    if (text)
        words_text(w, text);
    return text;
}

/* The program and its arguments, with what it prints in a file of the stage. */
static bool run_into(struct building *b, const char *program, const char *in, const char *out)
{
    struct words w = {.n = 0};
    words_add(&w, "/bin/sh");
    words_add(&w, "-c");
    words_add(&w, "exec \"$1\" \"$2\" >\"$3\"");
    words_add(&w, "sh");
    words_add(&w, program);
    words_add(&w, in);
    words_add(&w, out);
    return building_run(b, &w);
}

/* The variant's own flags; without those that change what the checker sees. */
static void add_own(const struct building *b, char *own, struct words *w)
{
    bool check = b->spec->kind == BUILD_CHECK;
    char *rest = NULL;
    for (char *p = strtok_r(own, " \t", &rest); p; p = strtok_r(NULL, " \t", &rest))
        if (!check || (strncmp(p, "-O", 2) != 0 && strncmp(p, "-march", 6) != 0))
            words_add(w, p);
}

/* g++ in the stage: preprocessing a source, or compiling what was rewritten. */
static bool device_gxx(struct building *b, bool preprocess, const char *in, const char *out)
{
    struct words w = {.n = 0};
    char *own = hpc_strdup(b->spec->flags ? b->spec->flags : "");
    char *map = hpc_printf("-fdebug-prefix-map=%s=.", b->stage);
    words_add(&w, b->tools->compiler);
    words_add(&w, preprocess ? "-E" : "-c");
    char *cc = device_flags(b, "cc", &w), *cpp = preprocess ? device_flags(b, "cpp", &w) : NULL;
    if (preprocess) /* a source that can tell that it is watched could behave */
        words_add(&w, "-U__SANITIZE_THREAD__");
    add_own(b, own, &w);
    words_add(&w, map);
    words_add(&w, preprocess ? "-xc++" : "-xc++-cpp-output");
    words_add(&w, "-I.");
    words_add(&w, in);
    words_add(&w, "-o");
    words_add(&w, out);
    bool good = building_run(b, &w);
    free(cc);
    free(cpp);
    free(map);
    free(own);
    return good;
}

static bool device_compile(struct building *b)
{
    char *rewrite = hpc_printf("%s/build/device/rewrite", b->spec->root);
    bool good = device_gxx(b, true, b->spec->source, "whole.ii") &&
                (!DEFENCE(blindfolds) || building_watched(b, "whole.ii")) &&
                run_into(b, rewrite, "whole.ii", "rewritten.ii") &&
                device_gxx(b, false, "rewritten.ii", "whole.o") &&
                (!b->tools->nvcc || nvcc_compile(b, b->tools->nvcc, "nvcc.o"));
    free(rewrite);
    return good;
}

bool cuda_compile(struct building *b)
{
    return b->tools->mode ? device_compile(b) : nvcc_compile(b, b->tools->compiler, "whole.o");
}

/* Libraries of CUDA's are answered by the CPU device itself; nvcc gets cuDNN by its path. */
static void add_libraries(struct words *w, char *libraries, bool device)
{
    const char *without = device ? "-lcu" : "-lcudnn";
    char *rest = NULL;
    for (char *p = strtok_r(libraries, " \t", &rest); p; p = strtok_r(NULL, " \t", &rest))
        if (strncmp(p, without, strlen(without)) != 0)
            words_add(w, p);
}

bool cuda_link(struct building *b)
{
    bool device = b->tools->mode != NULL;
    struct words w = {.n = 0};
    char *libraries = hpc_strdup(b->spec->libraries ? b->spec->libraries : ""), *paths[4], *flags;
    int n = 0;
    words_add(&w, b->tools->compiler);
    words_add(&w, device ? "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,"
                           "--wrap=posix_memalign"
                         : "-Xlinker=--wrap=malloc,--wrap=calloc,--wrap=realloc,"
                           "--wrap=aligned_alloc,--wrap=posix_memalign");
    words_add(&w, "-o");
    words_add(&w, b->tools->runner);
    words_add(&w, "object.o");
    for (const char *const *p = b->tools->parts; *p; p++) {
        const char *suffix = strrchr(*p, '.');
        if (suffix && strcmp(suffix, ".o") == 0) { /* archives are among the device's flags */
            HPC_ASSERT(n < 4);
            paths[n] = hpc_printf("%s/%s", b->spec->root, *p);
            words_add(&w, paths[n++]);
        }
    }
    flags = device ? device_flags(b, "ld", &w) : NULL;
    add_libraries(&w, libraries, device);
    if (!device)
        words_all(&w, b->tools->link);
    bool good = building_run(b, &w);
    while (n > 0)
        free(paths[--n]);
    free(flags);
    free(libraries);
    return good;
}
