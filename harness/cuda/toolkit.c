/* The headers of an installed toolkit, which are not ours: what of a program they would make
 * compile does not run here. */
#include "harness/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A folder of an installed toolkit's headers, by what is in it. */
static bool is_toolkit(const char *folder)
{
    static const char *const headers[] = {"crt/host_config.h", "thrust/version.h",
                                          "cub/version.cuh"};
    bool found = false;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char *path = hpc_printf("%s/%s", folder, headers[i]);
        found |= access(path, R_OK) == 0;
        free(path);
    }
    return found;
}

bool cuda_foreign_folder(struct cuda_job *job, const char *option)
{
    const bool foreign = strncmp(option, "-I", 2) == 0 && is_toolkit(option + 2);
    if (foreign)
        command_add(&job->passed_over, option);
    return foreign;
}

void cuda_forget_toolkits(void)
{
    static const char *const names[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *p = getenv(names[i]);
        char *kept = hpc_strdup("");
        while (p && *p) {
            const size_t n = strcspn(p, ":");
            char *folder = hpc_printf("%.*s", (int)n, p);
            if (!is_toolkit(folder)) {
                char *longer = hpc_printf("%s%s%s", kept, *kept ? ":" : "", folder);
                free(kept);
                kept = longer;
            }
            free(folder);
            p += n + (p[n] == ':');
        }
        if (p)
            setenv(names[i], kept, 1);
        free(kept);
    }
}
