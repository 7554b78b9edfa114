#define _GNU_SOURCE
#include "common/root.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/error.h"

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_root(const char *folder)
{
    char *labs = hpc_printf("%s/labs", folder);
    char *page = hpc_printf("%s/docs/commands.md", folder);
    bool yes = is_folder(labs) || access(page, R_OK) == 0;
    free(labs);
    free(page);
    return yes;
}

/* Cut components off `path` until a root is left. */
static bool climb(char *path)
{
    for (;;) {
        if (*path && is_root(path))
            return true;
        char *slash = strrchr(path, '/');
        if (!slash)
            return false;
        *slash = '\0';
    }
}

static bool find(char path[PATH_MAX])
{
    const char *set = getenv("HPC_ROOT");
    if (set && is_folder(set))
        return realpath(set, path) != NULL;
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (n > 0) {
        path[n] = '\0';
        if (climb(path))
            return true;
    }
    return getcwd(path, PATH_MAX) && climb(path);
}

const char *hpc_root(void)
{
    static char root[PATH_MAX];
    static enum { UNKNOWN, FOUND, NONE } state = UNKNOWN;
    if (state == UNKNOWN)
        state = find(root) ? FOUND : NONE;
    return state == FOUND ? root : NULL;
}

char *hpc_root_path(const char *name)
{
    const char *root = hpc_root();
    return root ? hpc_printf("%s/%s", root, name) : hpc_strdup(name);
}
