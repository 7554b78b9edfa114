/* Bubblewrap: where it is, and its command line. */
#define _GNU_SOURCE
#include "harness/jail/internal.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INSIDE "/run/jail-inside" /* where jail-inside is in the namespace */

/* Libraries, each where the loader looks for it: the links /lib and /lib64 are there already, so
 * that the folder is named without them. */
static void add_libraries(struct command_line *words, const char *list)
{
    char path[PATH_MAX], folder[PATH_MAX];
    while ((list = jail_next_path(list, path)) != NULL) {
        char *name = strrchr(path, '/');
        *name = '\0';
        if (!realpath(path[0] ? path : "/", folder))
            continue;
        *name = '/';
        command_add(words, "--ro-bind");
        command_add(words, path);
        command_add_printf(words, "%s%s", folder, name);
    }
}

/* The system's folders, as they are here: on most systems /lib and its like are links to /usr. With
 * a list of libraries just these, and the links. */
static void add_system(struct command_line *words, const char *libraries)
{
    static const char *const folders[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
    static const char *const all[] = {
        "--ro-bind",
        "/usr",
        "/usr",
        "--ro-bind-try", /* where Debian's links for libraries and compilers lead */
        "/etc/alternatives",
        "/etc/alternatives",
        NULL};
    static const char *const base[] = {"--ro-bind-try",
                                       "/etc/ld.so.cache",
                                       "/etc/ld.so.cache",
                                       "--proc",
                                       "/proc",
                                       "--dev",
                                       "/dev",
                                       NULL};
    if (!libraries)
        command_add_list(words, all);
    command_add_list(words, base);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        struct stat st;
        char target[PATH_MAX];
        ssize_t n = readlink(folders[i], target, sizeof target - 1);
        if (n > 0) {
            target[n] = '\0';
            command_add(words, "--symlink");
            command_add(words, target);
            command_add(words, folders[i]);
        } else if (!libraries && stat(folders[i], &st) == 0) {
            command_add(words, "--ro-bind");
            command_add(words, folders[i]);
            command_add(words, folders[i]);
        }
    }
    add_libraries(words, libraries);
}

static void add_temporary(struct command_line *words, const char *folder, int level, size_t bytes)
{
    if (level >= 1 && bytes) {
        command_add(words, "--size");
        command_add_printf(words, "%zu", bytes);
    }
    command_add(words, "--tmpfs");
    command_add(words, folder);
}

/* Folders of the namespace's own, in memory. A variant makes no file there: each, an empty one too,
 * takes a kilobyte of the kernel's that no limit counts, and the kernel goes on removing them when
 * the jail has ended. Who needs some has two of these folders, whose files are counted (end.c). */
static void shut_folders(struct command_line *words, bool makes_files)
{
    static const char *const folders[] = {"/tmp", "/dev/shm", "/dev", "/"};
    for (size_t i = makes_files ? 2 : 0; i < sizeof folders / sizeof *folders; i++) {
        command_add(words, "--remount-ro");
        command_add(words, folders[i]);
    }
}

static void add_bind(struct command_line *words, const char *how, const char *path)
{
    command_add(words, how);
    command_add(words, path);
    command_add(words, path);
}

static void add_gpu(struct command_line *words)
{
    const char *nodes[32];
    int n = jail_gpu_nodes(nodes, 32);
    for (int i = 0; i < n; i++)
        add_bind(words, "--dev-bind", nodes[i]);
    add_bind(words, "--ro-bind", "/sys");
}

/* What hwloc, and so an mpirun, wants to know of the machine. */
static void add_topology(struct command_line *words)
{
    add_bind(words, "--ro-bind-try", "/sys/devices/system/cpu");
    add_bind(words, "--ro-bind-try", "/sys/devices/system/node");
}

void bubblewrap_words(const struct bubblewrap *b, const struct jail_spec *spec, int confine_fd,
                      struct command_line *words)
{
    static const char *const always[] = {"--unshare-user",
                                         "--unshare-all",
                                         "--hostname",
                                         "jail", /* what mpirun prints has a name in it */
                                         "--die-with-parent",
                                         "--new-session",
                                         "--cap-drop",
                                         "ALL",
                                         NULL};
    const struct jail_limits *l = &spec->limits;
    const size_t temporary = l->temporary_bytes ? l->temporary_bytes : l->file_bytes;
    command_add(words, b->path);
    command_add_list(words, always);
    if (b->level >= 2)
        command_add(words, "--disable-userns");
    if (b->libraries[0]) {
        command_add(words, "--unsetenv");
        command_add(words, "LD_LIBRARY_PATH");
    }
    add_system(words, spec->libraries);
    add_temporary(words, "/tmp", b->level, temporary);
    add_temporary(words, "/dev/shm", b->level, temporary);
    for (int i = 0; i < JAIL_MAX_BINDS && spec->read_only[i]; i++)
        add_bind(words, "--ro-bind", spec->read_only[i]);
    if (spec->writable)
        add_bind(words, "--bind", spec->writable);
    if (spec->gpu)
        add_gpu(words);
    if (spec->profile == JAIL_MPI)
        add_topology(words);
    command_add(words, "--ro-bind");
    command_add(words, b->inside);
    command_add(words, INSIDE);
    shut_folders(words, jail_makes_files(spec));
    command_add(words, "--");
    command_add(words, INSIDE);
    command_add_printf(words, "%d", confine_fd);
}

bool jail_find_above(const char *name, char *path, size_t size, char *folder, size_t folder_size)
{
    char here[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", here, sizeof here - 1);
    here[n > 0 ? n : 0] = '\0';
    for (char *slash; (slash = strrchr(here, '/')) != NULL;) {
        *slash = '\0';
        snprintf(folder, folder_size, "%.*s", (int)folder_size - 1, here);
        if ((size_t)snprintf(path, size, "%s/%s", here, name) < size && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

static bool find_in_path(const char *name, char *found, size_t size)
{
    const char *path = getenv("PATH");
    char *copy = hpc_strdup(path ? path : "/usr/bin:/bin"), *rest = NULL;
    bool is = false;
    for (char *p = strtok_r(copy, ":", &rest); p && !is; p = strtok_r(NULL, ":", &rest)) {
        snprintf(found, size, "%s/%s", p, name);
        is = p[0] == '/' && access(found, X_OK) == 0;
    }
    free(copy);
    return is;
}

/* Whether it is the script that ./bootstrap puts before a bwrap which it has unpacked: a start with
 * half a dozen processes of its own, for those who call bwrap by its name. */
static bool is_script_of_bootstrap(const char *path)
{
    static const char end[] = "/.deps/bin/bwrap";
    size_t length = strlen(path);
    return length >= sizeof end - 1 && strcmp(path + length - (sizeof end - 1), end) == 0;
}

bool bubblewrap_find(struct bubblewrap *b)
{
#ifdef __aarch64__
    static const char machine[] = "aarch64";
#else
    static const char machine[] = "x86_64";
#endif
    char folder[1900], unpacked[sizeof b->path];
    b->libraries[0] = '\0';
    if (!jail_find_above("lib/jail-inside", b->inside, sizeof b->inside, folder, sizeof folder))
        return false;
    bool in_path = find_in_path("bwrap", b->path, sizeof b->path);
    if (in_path && !is_script_of_bootstrap(b->path))
        return true;
    /* as ./bootstrap unpacks it without root */
    if (!jail_find_above(".deps/usr/bin/bwrap", unpacked, sizeof unpacked, folder, sizeof folder))
        return in_path;
    strcpy(b->path, unpacked);
    snprintf(b->libraries, sizeof b->libraries,
             "%s/.deps/lib/%s-linux-gnu:%s/.deps/usr/lib/%s-linux-gnu", folder, machine, folder,
             machine);
    return true;
}
