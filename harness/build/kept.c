/* Whether a build can be left out: by the hash of all that its outputs depend on, those that lie
 * there are fresh, or are kept of another build.
 *
 * What lies below the root counts by its name there and its bytes, so that a copy of the project
 * has the same hash. Outputs are kept by it in the folder that HPC_BUILD_CACHE names: the project's
 * tests work in many copies of it, and compile a source once. Whoever can write there decides what
 * runs, and the hash tells apart what differs by chance, not what was made to be alike: no grading
 * that counts uses it. */
#define _GNU_SOURCE
#include "common/command.h"
#include "harness/build/internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* What stands for a program of the system without reading it. */
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

/* A part of ours: its path below the root, and its bytes. */
static void hash_part(uint64_t *hash, const char *root, const char *below)
{
    char *path = hpc_printf("%s/%s", root, below), buffer[65536];
    FILE *f = fopen(path, "re");
    hash_text(hash, below);
    for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        hash_bytes(hash, buffer, n);
    hash_text(hash, f ? "" : NULL);
    if (f)
        fclose(f);
    free(path);
}

static int is_visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

/* All files below a folder of ours, by their names. */
static void hash_folder(uint64_t *hash, const char *root, const char *below)
{
    struct dirent **entries;
    char *folder = hpc_printf("%s/%s", root, below);
    int n = scandir(folder, &entries, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        char *inside = hpc_printf("%s/%s", below, entries[i]->d_name);
        if (entries[i]->d_type == DT_DIR)
            hash_folder(hash, root, inside);
        else
            hash_part(hash, root, inside);
        free(inside);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    free(folder);
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
    const char *root, *source;
    uint64_t *hash;
    struct outcome *outcome;
};

static bool hash_one(void *data, const char *below)
{
    struct hashing *h = data;
    size_t length = 0;
    char *path = hpc_printf("%s/%s", h->root, below), *text = stage_read(path, &length);
    const int error = text ? 0 : errno;
    const char *lack = text ? NULL : stage_lack(path, error);
    free(path);
    if (text && length == 0 && strcmp(below, h->source) == 0)
        lack = "empty";
    if (lack) {
        const char *lab = strncmp(below, "labs/", 5) == 0 && error == ENOENT ? below + 5 : "";
        const int n = (int)strcspn(lab, "/");
        /* A student's own file is his to open; that a disk, memory or descriptors lack is not his.
         */
        const bool ours =
            error == EACCES ? strcmp(below, h->source) != 0
                            : error == EMFILE || error == ENFILE || error == ENOMEM || error == EIO;
        outcome_set(h->outcome, ours ? VERDICT_ENVIRONMENT : VERDICT_BUILD, "%s: %s%s%.*s%s", below,
                    lack, n ? "; make " : "", n, lab, n ? " lays the starter out" : "");
        free(text);
        return false;
    }
    hash_text(h->hash, below);
    hash_bytes(h->hash, text, length);
    free(text);
    return true;
}

/* The compilers, and what a runner is linked with. */
static void hash_tools(const struct build_spec *spec, const struct build_tools *tools,
                       uint64_t *hash)
{
    char path[BUILD_PATH];
    hash_stat(hash, tools->compiler);
    hash_stat(hash, tools->nvcc);
    if (spec->kind != BUILD_OBJECT && spec->kind != BUILD_CUDA_OBJECT) {
        snprintf(path, sizeof path, "build/lib/%s.o", tools->runner);
        hash_part(hash, spec->root, path);
    }
    if (tools->cudnn) {
        snprintf(path, sizeof path, "%s/%s", tools->cudnn->lib, tools->cudnn->library);
        hash_stat(hash, path);
    }
    for (const char *const *p = tools->parts; *p; p++)
        hash_part(hash, spec->root, *p);
    if (tools->mode)
        hash_folder(hash, spec->root, "device/include");
    for (const char *const *f = tools->flags; *f; f++)
        hash_text(hash, *f);
}

bool build_hash(const struct build_spec *spec, const struct build_tools *tools, uint64_t *hash,
                struct outcome *o)
{
    struct hashing h = {spec->root, spec->source, hash, o};
    *hash = 0xcbf29ce484222325u;
    hash_bytes(hash, &spec->kind, sizeof spec->kind);
    hash_tools(spec, tools, hash);
    hash_text(hash, spec->flags);
    hash_text(hash, spec->libraries);
    hash_text(hash, spec->symbols);
    hash_text(hash, spec->instructions);
    hash_text(hash, spec->rename);
    hash_bytes(hash, &spec->watched, sizeof spec->watched);
    hash_processor(hash);
    return stage_each(spec, hash_one, &h);
}

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
