/* Archives, read by tar and unzip (tools.c). First all is listed, then what is wanted is unpacked
 * by its name. */
#define _GNU_SOURCE
#include "common/scratch.h"
#include "harness/handin/internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/defence.h"

#define UNZIP_WARNED 1 /* as of paths with backslashes, which it understands */

/* Behind slashes and parts that are a dot. */
static const char *next_part(const char *path)
{
    while (*path == '/' || (*path == '.' && (path[1] == '/' || !path[1])))
        path++;
    return path;
}

/* Whether two paths lead to one file, however they are spelt: neither has a part "..". */
static bool same_path(const char *a, const char *b)
{
    for (a = next_part(a), b = next_part(b); *a && *b; a = next_part(a), b = next_part(b)) {
        const size_t n = strcspn(a, "/");
        if (n != strcspn(b, "/") || strncmp(a, b, n) != 0)
            return false;
        a += n;
        b += n;
    }
    return !*a && !*b;
}

/* One of the members that may be wanted, beside those before it. */
static bool accept_copy(const struct submission_member **copy, int *copies,
                        const struct submission_member *m, const char *shown, const char *file,
                        struct hpc_error *err)
{
    if (*copies == HANDIN_MOST_COPIES)
        return hpc_fail(err,
                        "%s: more than %d files that are named as the lab's, expected one of each",
                        shown, HANDIN_MOST_COPIES);
    for (int i = 0; i < *copies; i++)
        if (same_path(copy[i]->path, m->path))
            return hpc_fail(err, "%s: %.100s is there twice, expected one %s", shown, m->path,
                            file);
    copy[(*copies)++] = m;
    return true;
}

/* Under which of its names the archive holds a file of the lab. */
enum has { HAS_NONE, HAS_ITSELF, HAS_NUMBERED, HAS_BOTH };

/* Which of the lab's files the archive holds, wherever they lie in it. */
static bool find_wanted(const struct submission_wanted *w, const struct submission_member *members,
                        int n, const char *shown, enum has has[HANDIN_MOST_WANTED],
                        struct hpc_error *err)
{
    const struct submission_member *copy[HANDIN_MOST_COPIES];
    int copies = 0;
    if (w->seen)
        *w->seen = (struct handin_seen){.files = 0};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < w->n && members[i].type == '-'; k++) {
            const char *path = members[i].path;
            const size_t length = strlen(path), most = strlen(w->file[k]);
            const bool ends = length >= most && strcmp(path + length - most, w->file[k]) == 0;
            if (k == 0)
                handin_see(w, path);
            if (!ends && !handin_rank(w, k, path))
                continue;
            if (!accept_copy(copy, &copies, &members[i], shown, w->file[k], err))
                return false;
            if (!handin_rank(w, k, path))
                continue;
            has[k] |= ends ? HAS_ITSELF : HAS_NUMBERED;
            if (members[i].bytes > HANDIN_MOST_SOURCE)
                return hpc_fail(err, "%s: %s has %llu KiB, expected at most %zu", shown, w->file[k],
                                members[i].bytes >> 10, HANDIN_MOST_SOURCE >> 10);
        }
    return true;
}

static bool any(const struct submission_wanted *w, const enum has has[])
{
    bool found = false;
    for (int k = 0; k < w->n; k++)
        found |= has[k] != HAS_NONE;
    return found;
}

/* Both programs keep to the folder by themselves, unless they are told to trust the names. */
static int trust_names(const char **argv, const char *option)
{
    if (DEFENCE(names))
        return 0;
    argv[0] = option;
    return 1;
}

/* tar's input: what comes that way it does not unpack from a form that it would find out itself. */
static const char *tar_input(void)
{
    if (DEFENCE(plain_tar))
        return "--file=-";
    return "--file=archive";
}

/* Unpack what is named as one of the lab's files from TO/NAME. Names that an archive has never
 * become words of a command: they may hold anything, in any encoding. */
static bool unpack(const struct submission_wanted *w, const enum has has[], const char *to,
                   const char *name, bool zip, const char *shown, char *text, struct hpc_error *err)
{
    const char *argv[2 * HANDIN_MOST_WANTED + 16];
    char *patterns[2 * HANDIN_MOST_WANTED] = {NULL};
    int n = 0, wanted = 0;
    if (zip) {
        argv[n++] = command_find("unzip");
        argv[n++] = "-qqo";
        n += trust_names(argv + n, "-:");
        argv[n++] = name;
    } else {
        argv[n++] = command_find("tar");
        argv[n++] = "--extract";
        argv[n++] = tar_input();
        argv[n++] = "--no-same-owner";
        argv[n++] = "--no-same-permissions";
        argv[n++] = "--wildcards";
        argv[n++] = "--no-anchored";
        n += trust_names(argv + n, "--absolute-names");
        argv[n++] = "--";
    }
    for (int k = 0; k < w->n; k++)
        for (int form = HAS_ITSELF; form <= HAS_NUMBERED; form++) {
            if (!(has[k] & form))
                continue;
            patterns[wanted] = handin_pattern(w->file[k], form == HAS_NUMBERED, zip);
            if (DEFENCE(chosen))
                argv[n++] = patterns[wanted];
            wanted++;
        }
    argv[n] = NULL;
    const bool good = wanted == 0 || handin_tool(argv, zip ? NULL : name, zip ? UNZIP_WARNED : 0,
                                                 to, shown, text, err);
    for (int k = 0; k < wanted; k++)
        free(patterns[k]);
    return good;
}

/* The suffix of the one archive among the members, with a star before it; the caller's, NULL: there
 * is none, or more than one. */
static char *one_archive(const struct submission_member *members, int n)
{
    char *found = NULL;
    for (int i = 0; i < n; i++) {
        const char *path = members[i].path, *slash = strrchr(path, '/');
        const size_t suffix = members[i].type == '-' ? handin_suffix(path) : 0;
        if (!suffix || strncmp(slash ? slash + 1 : path, "._", 2) == 0)
            continue;
        if (found) {
            free(found);
            return NULL;
        }
        found = hpc_printf("*%s", path + strlen(path) - suffix);
    }
    return found;
}

static bool unpack_within(const struct submission_wanted *w, const char *to, const char *shown,
                          int within, struct hpc_error *err);

/* The archive that has been unpacked into `to`, as one of its own. */
static bool unpack_inner(const struct submission_wanted *w, const char *to, const char *shown,
                         int within, struct hpc_error *err)
{
    char path[HANDIN_PATH];
    char *inner = hpc_printf("%s/inner", to), *archive = hpc_printf("%s/archive", inner);
    const int folder = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = true;
    if (folder >= 0 && handin_archives(folder, path) == 1) {
        char *what = hpc_printf("%s: %s", shown, path);
        good = folder_make(inner, err) &&
               handin_copy(folder, path, archive, HANDIN_MOST_ARCHIVE, shown, err) == 1 &&
               unpack_within(w, inner, what, within, err);
        free(what);
    }
    if (folder >= 0)
        close(folder);
    free(archive);
    free(inner);
    return good;
}

/* `within`: how many archives it may lie in yet. */
static bool unpack_within(const struct submission_wanted *w, const char *to, const char *shown,
                          int within, struct hpc_error *err)
{
    enum has has[HANDIN_MOST_WANTED] = {HAS_NONE};
    const char *unpacker = NULL, *name = "archive";
    bool zip;
    if (!handin_kind(to, shown, &zip, &unpacker, err))
        return false;
    if (DEFENCE(plain_tar) && unpacker)
        name = "plain";
    if (strcmp(name, "plain") == 0 && !handin_plain(unpacker, to, name, shown, err))
        return false;
    const char *const tar[] = {command_find("tar"),      "--list",      "--verbose",
                               "--numeric-owner",        "--full-time", "--absolute-names",
                               "--quoting-style=escape", tar_input(),   NULL};
    const char *const unzip[] = {command_find("unzip"), "-Z", "-s", "-T", name, NULL};
    char *text = hpc_malloc(HANDIN_LISTING), reason[300];
    struct submission_member *members = hpc_calloc(HANDIN_MOST_FILES, sizeof *members);
    bool good = handin_tool(zip ? unzip : tar, zip ? NULL : name, zip ? UNZIP_WARNED : 0, to, shown,
                            text, err);
    if (good) {
        int n = handin_read_listing(text, zip, members, HANDIN_MOST_FILES, reason, sizeof reason);
        good = n >= 0 ? find_wanted(w, members, n, shown, has, err)
                      : hpc_fail(err, "%s: %s", shown, reason);
        char *inner = good && within && !any(w, has) ? one_archive(members, n) : NULL;
        const struct submission_wanted one = {.lab = w->lab, .n = 1, .file = {inner}};
        has[0] = inner ? HAS_ITSELF : has[0];
        good = good && unpack(inner ? &one : w, has, to, name, zip, shown, text, err) &&
               (!inner || unpack_inner(w, to, shown, within - 1, err));
        free(inner);
    }
    free(members);
    free(text);
    return good;
}

bool handin_unpack(const struct submission_wanted *w, const char *to, const char *shown,
                   struct hpc_error *err)
{
    return unpack_within(w, to, shown, HANDIN_WITHIN, err);
}
