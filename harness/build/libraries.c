/* What a runner needs of the system, found when it is linked: the files that the dynamic loader
 * names, without running a line of it. Its jail shows these, and no other library. */
#define _GNU_SOURCE
#include "harness/build/internal.h"

#include <stdlib.h>
#include <string.h>

#ifdef __aarch64__
#define LOADER "/lib/ld-linux-aarch64.so.1"
#else
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#endif

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
