/* What a process may see and use, written down for it before it starts. */
#define _GNU_SOURCE
#include "common/defence.h"
#include "harness/jail/internal.h"
#include "harness/machine/pin.h"

#include <assert.h>
#include <dirent.h>
#include <glob.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MEMORY_FILE_BYTES 4096

int jail_gpu_nodes(const char *nodes[], int most)
{
    static glob_t found; /* looked for once */
    static bool known;
    if (!known)
        glob("/dev/nvidia*", 0, NULL, &found);
    known = true;
    int n = 0;
    for (size_t i = 0; i < found.gl_pathc && n < most; i++)
        nodes[n++] = found.gl_pathv[i];
    return n;
}

const char *jail_next_path(const char *list, char path[PATH_MAX])
{
    while (list && *list) {
        const size_t length = strcspn(list, "\n");
        const bool fits = length > 0 && length < PATH_MAX;
        snprintf(path, PATH_MAX, "%.*s", fits ? (int)length : 0, list);
        list += length + (list[length] == '\n');
        if (fits)
            return list;
    }
    return NULL;
}

static void allow(struct confine *c, enum confine_access access, const char *path)
{
    HPC_ASSERT(c->n_paths < CONFINE_MAX_PATHS && strlen(path) < CONFINE_PATH);
    struct confine_path *p = &c->path[c->n_paths++];
    p->access = access;
    strcpy(p->name, path);
}

static void allow_all(struct confine *c, enum confine_access access, const char *const *paths)
{
    for (; *paths; paths++)
        allow(c, access, *paths);
}

static void plan_paths(const struct jail_spec *spec, const struct jail_way *way, struct confine *c)
{
    static const char *const folders[] = {
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/alternatives", NULL};
    static const char *const system[] = {"/etc/ld.so.cache",
                                         "/proc/self",
                                         "/proc/cpuinfo",
                                         "/proc/meminfo",
                                         "/sys/devices/system/cpu",
                                         "/sys/devices/system/node",
                                         NULL};
    static const char *const devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                          "/dev/random", "/dev/urandom", NULL};
    static const char *const temporary[] = {"/tmp", "/dev/shm", NULL}; /* the namespace's own */
    char path[PATH_MAX];
    if (!spec->libraries)
        allow_all(c, CONFINE_READ, folders);
    for (const char *list = spec->libraries; (list = jail_next_path(list, path)) != NULL;)
        allow(c, CONFINE_READ, path);
    allow_all(c, CONFINE_READ, system);
    allow_all(c, CONFINE_DEVICE, devices);
    for (int i = 0; i < JAIL_MAX_BINDS && spec->read_only[i]; i++)
        allow(c, CONFINE_READ, spec->read_only[i]);
    if (spec->writable)
        allow(c, CONFINE_WRITE, spec->writable);
    if (way->tier == JAIL_BUBBLEWRAP) {
        allow_all(c, CONFINE_OWN_TMP, temporary);
        allow(c, CONFINE_READ, "/proc"); /* of these processes alone */
    }
    if (spec->gpu) {
        const char *nodes[32];
        int n = jail_gpu_nodes(nodes, 32);
        for (int i = 0; i < n; i++)
            allow(c, CONFINE_DEVICE, nodes[i]);
        allow(c, CONFINE_READ, "/sys");
        allow(c, CONFINE_READ, "/proc"); /* the driver's version stands there */
        /* CUDA names its threads there, and does not start where it can't */
        allow(c, CONFINE_OWN, "/proc/self/task");
    }
}

/* Threads of all processes of this user, which a limit on them counts in. */
static uint64_t threads_of_user(uid_t user)
{
    DIR *folder = opendir("/proc");
    uint64_t sum = 0;
    for (struct dirent *e; folder && (e = readdir(folder)) != NULL;) {
        char path[300];
        struct stat st;
        snprintf(path, sizeof path, "/proc/%s/task", e->d_name);
        /* a folder has a link from each folder in it, and two of its own */
        if (atoi(e->d_name) > 0 && stat(path, &st) == 0 && st.st_uid == user)
            sum += st.st_nlink > 2 ? st.st_nlink - 2 : 1;
    }
    if (folder)
        closedir(folder);
    return sum;
}

static void plan_processors(int processors, struct confine *c)
{
    static_assert(sizeof(cpu_set_t) == sizeof c->processors, "as many as the kernel's");
    pin_mask(0, c->processors, sizeof c->processors);
    if (DEFENCE(affinity))
        pin_mask(processors, c->processors, sizeof c->processors);
}

bool jail_makes_files(const struct jail_spec *spec)
{
    bool variant = spec->profile == JAIL_RUN || spec->profile == JAIL_SANITIZED;
    if (DEFENCE(no_files))
        return spec->gpu || spec->writable || !variant;
    return true;
}

/* A file's size. Who may make none can have some in memory alone (memfd_create), which is on no
 * account once nobody maps its pages: OpenMP's library has one, of a kilobyte. Where no wall keeps
 * a process from files it makes some all the same, as clang's thread sanitizer does in /tmp. */
static uint64_t plan_file_bytes(const struct jail_spec *spec, const struct jail_way *way)
{
    const size_t bytes = spec->limits.file_bytes;
    const bool walls =
        way->tier == JAIL_BUBBLEWRAP || (way->tier != JAIL_LIMITS && way->landlock > 0);
    return !walls || jail_makes_files(spec) || bytes < MEMORY_FILE_BYTES ? bytes
                                                                         : MEMORY_FILE_BYTES;
}

void jail_plan(const struct jail_spec *spec, const struct jail_way *way, uid_t user,
               struct confine *c)
{
    const struct jail_limits *l = &spec->limits;
    memset(c, 0, sizeof *c);
    if (DEFENCE(deadline))
        c->cpu_seconds = (uint64_t)l->cpu_seconds;
    if (DEFENCE(memory))
        c->memory_bytes = l->memory_bytes;
    if (DEFENCE(files))
        c->file_bytes = plan_file_bytes(spec, way);
    if (DEFENCE(processes))
        c->processes = (uint64_t)l->processes;
    if (c->processes && !user && way->tier != JAIL_BUBBLEWRAP)
        c->processes += threads_of_user(getuid());
    /* Threads that it starts inherit them, and the filter lets none be changed. */
    plan_processors(l->processors, c);
    c->user = way->tier == JAIL_BUBBLEWRAP ? 0 : user; /* which bubblewrap is given already */
    c->parent = way->tier == JAIL_BUBBLEWRAP ? 0 : getpid();
    /* a sanitizer wants fixed places, which random ones may have taken */
    c->fixed_addresses = spec->profile == JAIL_SANITIZED;
    if (DEFENCE(capabilities))
        c->drop_capabilities = !user && way->tier != JAIL_BUBBLEWRAP && getuid() == 0;
    c->alone = way->filter && spec->profile == JAIL_RUN;
    c->landlock = way->landlock > 0 && way->tier != JAIL_LIMITS;
    c->network = spec->profile == JAIL_MPI;
    if (spec->folder) {
        HPC_ASSERT(strlen(spec->folder) < sizeof c->folder);
        strcpy(c->folder, spec->folder);
    }
    plan_paths(spec, way, c);
}
