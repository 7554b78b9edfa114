/* What a runner is linked with.
 *
 * Fences, which the thread sanitizer does not follow: a variant that has one is linked so that each
 * of its atomic operations has the strongest order (runner/follow.c).
 *
 * What it needs of the system: the files that the dynamic loader names, without running a line of
 * it. Its jail shows these, and no other library. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "harness/build/internal.h"

#ifdef __aarch64__
#define LOADER "/lib/ld-linux-aarch64.so.1"
#else
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#endif

#define FOLLOWED "runner_fences_followed" /* a symbol of a runner that is linked so */

/* What compilers make of a fence: of C's, and clang of OpenMP's. */
static const char *const fences[] = {"__tsan_atomic_thread_fence", "__kmpc_flush"};

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
    bool any = false;
    for (size_t i = 0; i < sizeof fences / sizeof *fences; i++)
        any |= object_leaves(object, fences[i]);
    for (size_t k = 0; any && k < sizeof kinds / sizeof *kinds; k++)
        command_add_printf(w,
                           "-Wl,--wrap=__tsan_atomic8_%s,--wrap=__tsan_atomic16_%s,"
                           "--wrap=__tsan_atomic32_%s,--wrap=__tsan_atomic64_%s",
                           kinds[k], kinds[k], kinds[k], kinds[k]);
    if (any)
        command_add(w, "-Wl,--defsym=" FOLLOWED "=0");
}

void building_parts(const struct building *b, struct command_line *w)
{
    char *object = hpc_printf("%s/object.o", b->stage);
    for (const char *const *p = b->tools->parts; *p; p++)
        command_add_printf(w, "%s/%s", b->spec->root, *p);
    if (b->spec->kind == BUILD_THREADS)
        add_wraps(object, w);
    if (b->spec->kind == BUILD_THREADS && b->tools->own_headers) /* runner/openmp.c */
        command_add(w, "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset");
    command_add(w, "object.o");
    command_add_text(w, b->spec->libraries ? b->spec->libraries : "");
    free(object);
}

bool building_fenced(const char *runner)
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

/* Sanitizers start programs of their own; a GPU's driver, the CPU device's libraries and MPI's open
 * others by name. */
bool building_closed(const struct build_spec *spec)
{
    const enum build_kind kind = spec->kind;
    const bool plain = kind == BUILD_PLAIN ||
                       (kind == BUILD_CUDA && build_device(spec->source, kind) == DEVICE_HOST);
    return plain && !mpi_wanted(spec) && !(spec->libraries && strstr(spec->libraries, "-lcu"));
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

bool building_libraries(struct building *b)
{
    struct command_line w = {.n = 0};
    command_add(&w, LOADER);
    command_add(&w, "--list");
    command_add_printf(&w, "./%s", b->tools->runner);
    if (!building_run(b, &w))
        return false;
    char *path = hpc_printf("%s/%s%s", b->stage, b->tools->runner, BUILD_LIBRARIES);
    FILE *file = fopen(path, "wxe");
    free(path);
    if (!file)
        return building_fail(b, VERDICT_ENVIRONMENT, "no list of a runner's libraries");
    write_paths(b->said, file);
    return fclose(file) == 0 || building_fail(b, VERDICT_ENVIRONMENT, "no room for a list");
}
