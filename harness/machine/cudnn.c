#define _GNU_SOURCE
#include "harness/machine/cudnn.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/machine/device.h"

#define HEADERS   "%s/{include,include/*-linux-gnu,targets/*-linux/include}/cudnn.h"
#define LIBRARIES "%s/{lib64,lib,lib/*-linux-gnu,targets/*-linux/lib}/libcudnn.so{,.[0-9]*}"

/* Into `path`, of CUDNN_FOLDER, the folder of the first file that matches, its links followed, and
 * into `name` what it is called there. */
static bool first_match(const char *pattern, const char *folder, char *path, char *name,
                        size_t size)
{
    char *full = hpc_printf(pattern, folder), real[PATH_MAX];
    glob_t found;
    bool good = glob(full, GLOB_BRACE, NULL, &found) == 0;
    if (good) {
        good = realpath(found.gl_pathv[0], real) && strlen(real) < CUDNN_FOLDER;
        globfree(&found);
    }
    if (good) {
        char *slash = strrchr(real, '/');
        snprintf(name, size, "%s", slash + 1);
        *slash = '\0';
        strcpy(path, real);
    }
    free(full);
    return good;
}

static bool look(const char *folder, const char *where, struct cudnn_place *place)
{
    char header[80];
    if (!folder || !*folder ||
        !first_match(HEADERS, folder, place->include, header, sizeof header) ||
        !first_match(LIBRARIES, folder, place->lib, place->library, sizeof place->library))
        return false;
    snprintf(place->where, sizeof place->where, "%s", where);
    strcpy(place->package, place->lib);
    char *wheel = strstr(place->package, "/nvidia/cudnn/lib");
    if (wheel && wheel[strlen("/nvidia/cudnn/lib")] == '\0')
        wheel[strlen("/nvidia")] = '\0';
    return true;
}

/* The folder of Python's package nvidia.cudnn, of an environment that is active, too. */
static bool look_in_python(const char *python, struct cudnn_place *place)
{
    char folder[PATH_MAX];
    if (!python)
        return false;
    char *command = hpc_printf("cd / && timeout -k 1 20 '%s' -c 'import nvidia.cudnn as m; "
                               "print(list(m.__path__)[0])' 2>/dev/null",
                               python);
    FILE *f = popen(command, "re");
    bool good = f && fgets(folder, sizeof folder, f);
    if (f && pclose(f) != 0)
        good = false;
    free(command);
    if (good)
        folder[strcspn(folder, "\n")] = '\0';
    return good && look(folder, "Python's package", place);
}

bool cudnn_find(const struct cudnn_search *search, struct cudnn_place *place, struct hpc_error *err)
{
    if (search->given && *search->given)
        return look(search->given, "CUDNN_PATH", place) ||
               hpc_fail_env(err,
                            "CUDNN_PATH=%.200s: no cuDNN there, expected a folder with "
                            "include/cudnn.h and lib/libcudnn.so*",
                            search->given);
    if (look(search->toolkit, "beside nvcc", place))
        return true;
    for (const char *const *p = search->system; *p; p++)
        if (look(*p, "of the system", place))
            return true;
    return look(search->unpacked, "in .deps", place) || look_in_python(search->python, place) ||
           hpc_fail_env(err, "no cuDNN for nvcc here: pip install nvidia-cudnn-cu13 in an active "
                             "Python environment, or set CUDNN_PATH");
}

const struct cudnn_place *cudnn_here(const char *root, struct hpc_error *err)
{
    static struct cudnn_place place; /* looked for once */
    static struct hpc_error why;
    static bool looked, found;
    if (!looked) {
        char toolkit[PATH_MAX], *unpacked = hpc_printf("%s/.deps/usr", root);
        bool nvcc = device_nvcc() && realpath(device_nvcc(), toolkit);
        char *bin = nvcc ? strstr(toolkit, "/bin/nvcc") : NULL;
        if (bin)
            *bin = '\0';
        const struct cudnn_search search = {
            .given = getenv("CUDNN_PATH"),
            .toolkit = bin ? toolkit : NULL,
            .system = {"/usr", "/usr/local", "/usr/local/cuda"},
            .unpacked = unpacked,
            .python = "python3",
        };
        found = cudnn_find(&search, &place, &why);
        free(unpacked);
    }
    looked = true;
    if (!found)
        *err = why;
    return found ? &place : NULL;
}
