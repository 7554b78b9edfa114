/* Folders and files of a build: the stage that a compilation sees, and the hash that says whether
 * its outputs are fresh. */
#define _GNU_SOURCE
#include "common/command.h"
#include "common/defence.h"
#include "harness/build/internal.h"
#include "common/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SOURCE (4 << 20)

/* A regular file's text, owned by the caller; NULL with errno where it is something else. */
static char *read_file(const char *path, size_t *length)
{
    int nofollow = DEFENCE(nofollow) ? O_NOFOLLOW : 0;
    int fd = open(path, O_RDONLY | nofollow | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    char *text = NULL;
    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MAX_SOURCE) {
        text = hpc_malloc((size_t)st.st_size + 1);
        ssize_t n = read(fd, text, (size_t)st.st_size);
        *length = n > 0 ? (size_t)n : 0;
        text[*length] = '\0';
    } else {
        errno = EINVAL;
    }
    close(fd);
    return text;
}

static int is_header(const struct dirent *e)
{
    size_t n = strlen(e->d_name);
    return n > 2 && strcmp(e->d_name + n - 2, ".h") == 0;
}

/* Call `visit` with the path below root of every file that a compilation may see: the source, the
 * runner's interface, the headers of the operation's folder, and, for the catalogue's own
 * variants, the headers beside them. False as soon as a visit fails. */
static bool each_file(const struct build_spec *spec, bool (*visit)(void *, const char *),
                      void *data)
{
    char *folders[2] = {hpc_strdup(spec->op_folder), hpc_printf("%s/variants", spec->op_folder)};
    size_t prefix = strlen(folders[1]);
    bool ours = strncmp(spec->source, folders[1], prefix) == 0 && spec->source[prefix] == '/';
    bool good = visit(data, spec->source) && visit(data, "common/abi.h");
    for (int f = 0; good && f < (ours ? 2 : 1); f++) {
        struct dirent **entries;
        char *folder = hpc_printf("%s/%s", spec->root, folders[f]);
        int n = scandir(folder, &entries, is_header, alphasort);
        free(folder);
        for (int i = 0; i < n; i++) {
            char *path = hpc_printf("%s/%s", folders[f], entries[i]->d_name);
            good = good && visit(data, path);
            free(path);
            free(entries[i]);
        }
        if (n >= 0)
            free(entries);
    }
    free(folders[0]);
    free(folders[1]);
    return good;
}

struct copying {
    const char *root, *stage;
    char *reason;
    size_t reason_size;
};

static bool copy_one(void *data, const char *below)
{
    struct copying *c = data;
    char from[BUILD_PATH + 300], to[2 * BUILD_PATH];
    size_t length;
    snprintf(from, sizeof from, "%s/%s", c->root, below);
    snprintf(to, sizeof to, "%s/%s", c->stage, below);
    char *text = read_file(from, &length);
    char *slash = strrchr(to, '/');
    *slash = '\0';
    bool good = text && folder_make(to, NULL);
    *slash = '/';
    FILE *f = good ? fopen(to, "wxe") : NULL;
    good = f && fwrite(text, 1, length, f) == length;
    if (f && fclose(f) != 0)
        good = false;
    if (!good)
        snprintf(c->reason, c->reason_size, "%s: %s", below, strerror(errno));
    free(text);
    return good;
}

bool stage_make(const struct build_spec *spec, char *stage, size_t size, char *reason,
                size_t reason_size)
{
    char parent[BUILD_PATH];
    snprintf(parent, sizeof parent, "%s/build/tmp", spec->root);
    char *name = scratch_name(spec->root, "build-XXXXXX");
    snprintf(stage, size, "%s", name);
    free(name);
    if (!folder_make(parent, NULL) || !mkdtemp(stage)) {
        snprintf(reason, reason_size, "%s: %s", parent, strerror(errno));
        stage[0] = '\0';
        return false;
    }
    struct copying c = {spec->root, stage, reason, reason_size};
    return each_file(spec, copy_one, &c);
}

/* FNV-1a, 64 bits; the ending zero is hashed too. */
static void hash_bytes(uint64_t *hash, const void *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        *hash = (*hash ^ ((const unsigned char *)p)[i]) * 0x100000001b3u;
}

static void hash_text(uint64_t *hash, const char *text)
{
    hash_bytes(hash, text ? text : "\1", (text ? strlen(text) : 1) + 1);
}

/* What stands for a program or an object without reading it. */
static void hash_stat(uint64_t *hash, const char *path)
{
    struct stat st;
    hash_text(hash, path);
    if (path && stat(path, &st) == 0) {
        int64_t what[4] = {(int64_t)st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
                           (int64_t)st.st_ino};
        hash_bytes(hash, what, sizeof what);
    }
}

/* -march=native means another processor elsewhere: its first lines in /proc/cpuinfo. */
static void hash_processor(uint64_t *hash)
{
    FILE *f = fopen("/proc/cpuinfo", "re");
    char line[8192];
    while (f && fgets(line, sizeof line, f) && line[0] != '\n')
        if (strncmp(line, "model name", 10) == 0 || strncmp(line, "flags", 5) == 0 ||
            strncmp(line, "Features", 8) == 0)
            hash_text(hash, line);
    if (f)
        fclose(f);
}

struct hashing {
    const char *root;
    uint64_t *hash;
    char *reason;
    size_t reason_size;
};

static bool hash_one(void *data, const char *below)
{
    struct hashing *h = data;
    char path[BUILD_PATH + 300];
    size_t length = 0;
    snprintf(path, sizeof path, "%s/%s", h->root, below);
    char *text = read_file(path, &length);
    if (!text) {
        snprintf(h->reason, h->reason_size, "%s: %s", below,
                 errno == ENOENT ? "not there" : "not a regular file of at most 4 MiB");
        return false;
    }
    hash_text(h->hash, below);
    hash_bytes(h->hash, text, length);
    free(text);
    return true;
}

bool build_hash(const struct build_spec *spec, const struct build_tools *tools, uint64_t *hash,
                char *reason, size_t reason_size)
{
    char runner[BUILD_PATH];
    struct hashing h = {spec->root, hash, reason, reason_size};
    *hash = 0xcbf29ce484222325u;
    snprintf(runner, sizeof runner, "%s/build/lib/%s.o", spec->root, tools->runner);
    hash_stat(hash, tools->compiler);
    if (spec->kind != BUILD_OBJECT && spec->kind != BUILD_CUDA_OBJECT)
        hash_stat(hash, runner);
    hash_stat(hash, tools->nvcc);
    if (tools->cudnn) {
        snprintf(runner, sizeof runner, "%s/%s", tools->cudnn->lib, tools->cudnn->library);
        hash_stat(hash, runner);
    }
    for (const char *const *p = tools->parts; *p; p++) {
        snprintf(runner, sizeof runner, "%s/%s", spec->root, *p);
        hash_stat(hash, runner);
    }
    hash_text(hash, spec->flags);
    hash_text(hash, spec->libraries);
    hash_text(hash, spec->symbols);
    hash_text(hash, spec->instructions);
    hash_text(hash, spec->rename);
    for (const char *const *f = tools->flags; *f; f++)
        hash_text(hash, *f);
    hash_processor(hash);
    return each_file(spec, hash_one, &h);
}
