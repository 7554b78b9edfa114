/* What a runner of an MPI program is compiled and linked with: Open MPI, where it lies here. */
#define _GNU_SOURCE
#include "harness/build/internal.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

/* The folder above include/ and lib/, as Debian and Ubuntu, or others, have it; or NULL. */
static const char *find(void)
{
    static const char *const places[] = {"/usr/lib/*/openmpi/include/mpi.h",
                                         "/usr/lib64/openmpi/include/mpi.h"};
    static char folder[BUILD_PATH];
    for (size_t i = 0; i < sizeof places / sizeof *places && !folder[0]; i++) {
        glob_t found;
        if (glob(places[i], 0, NULL, &found) == 0) {
            const char *path = found.gl_pathv[0];
            snprintf(folder, sizeof folder, "%.*s", (int)(strlen(path) - strlen("/include/mpi.h")),
                     path);
        }
        globfree(&found);
    }
    return folder[0] && command_find("mpirun") ? folder : NULL;
}

void mpi_tools(const struct build_spec *spec, struct build_tools *tools)
{
    static char headers[BUILD_PATH + 16], library[BUILD_PATH + 16];
    static const char *const link[] = {library, NULL}, *const parts[] = {"build/lib/ranks.o", NULL};
    static const char *const link_address[] = {library, BUILD_ADDRESS_FLAGS, NULL};
    const char *folder = find();
    if (!folder) {
        tools->missing = "no Open MPI here: run ./bootstrap --mpi";
        tools->to_install = true;
        return;
    }
    if (spec->kind == BUILD_THREADS || spec->kind == BUILD_STORES) {
        tools->missing = "no thread sanitizer follows the ranks of an MPI program";
        return;
    }
    snprintf(headers, sizeof headers, "-I%s/include", folder);
    snprintf(library, sizeof library, "-L%s/lib", folder);
    tools->headers = headers;
    tools->link = spec->kind == BUILD_ADDRESS ? link_address : link;
    tools->env[0] =
        "ASAN_OPTIONS=" BUILD_ASAN_OPTIONS "detect_leaks=0"; /* a rank can't be traced */
    tools->env[1] = BUILD_UBSAN_OPTIONS;
    tools->parts = parts;
}
