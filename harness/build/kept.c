/* Outputs kept by their hash in the folder that HPC_BUILD_CACHE names: the project's tests work in
 * many copies of it, and compile a source once. Whoever can write there decides what runs, and the
 * hash tells apart what differs by chance, not what was made to be alike: no grading that counts
 * uses it. */
#define _GNU_SOURCE
#include "common/command.h"
#include "harness/build/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Room for the paths of one hash; NULL where nothing is kept. Owned by the caller. */
static char *kept_folder(uint64_t hash)
{
    const char *folder = getenv("HPC_BUILD_CACHE");
    return folder && *folder ? hpc_printf("%s/%016llx", folder, (unsigned long long)hash) : NULL;
}

/* Link a build's own output from a folder to another, and what belongs to it. */
static bool link_outputs(const struct build_tools *tools, const char *output, const char *from,
                         const char *to)
{
    const char *suffix = strchr(tools->runner, '-');
    char *names[] = {hpc_strdup(output), hpc_printf("log%s", suffix ? suffix : ""),
                     hpc_printf("%s" BUILD_LIBRARIES, output),
                     hpc_strdup(suffix ? "" : "object.o")};
    bool good = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *old = hpc_printf("%s/%s", from, names[i]), *new = hpc_printf("%s/%s", to, names[i]);
        if (*names[i] && (i == 0 || access(old, R_OK) == 0)) {
            unlink(new);
            good = good && link(old, new) == 0;
        }
        free(old);
        free(new);
        free(names[i]);
    }
    return good;
}

bool kept_take(const struct build_tools *tools, uint64_t hash, const char *output,
               const char *folder)
{
    char *kept = kept_folder(hash);
    bool good = kept && access(kept, R_OK) == 0 && folder_make(folder, NULL) &&
                link_outputs(tools, output, kept, folder);
    free(kept);
    return good;
}

void kept_add(const struct build_tools *tools, uint64_t hash, const char *output,
              const char *folder)
{
    char *kept = kept_folder(hash), *new = kept ? hpc_printf("%s.%d", kept, (int)getpid()) : NULL;
    if (new &&folder_make(new, NULL) &&
        !(link_outputs(tools, output, folder, new) && rename(new, kept) == 0))
        folder_remove(new); /* another was first, or it is another file system */
    free(kept);
    free(new);
}
