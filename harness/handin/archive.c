/* Archives, read by tar and unzip in the jail of a compiler: what they do there to anything but the
 * folder that they are given harms nobody. First all is listed, then what is wanted is unpacked by
 * its name. */
#define _GNU_SOURCE
#include "common/scratch.h"
#include "harness/handin/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/defence.h"
#include "harness/jail/jail.h"

#define LISTING_BYTES (1 << 20)
#define SECONDS       15

/* The first line that a tool had to say against an archive, as printable text. */
static void read_complaint(const char *folder, char *line, size_t size)
{
    char *path = hpc_printf("%s/complaints", folder);
    FILE *f = scratch_open(path);
    if (!f || !fgets(line, (int)size, f))
        line[0] = '\0';
    if (f)
        fclose(f);
    free(path);
    line[strcspn(line, "\n")] = '\0';
    for (char *p = line; *p; p++)
        if ((unsigned char)*p < 0x20 || (unsigned char)*p > 0x7e)
            *p = '?';
}

/* Run a tool in the folder; what it prints, cleaned, into text. */
static bool run(const char *const *tool, const char *folder, const char *shown, char *text,
                size_t size, struct hpc_error *err)
{
    const char *argv[HANDIN_MOST_WANTED + 24] = {"/bin/sh", "-c", "exec \"$@\" 2>complaints", "sh"};
    for (int n = 4; *tool; tool++)
        argv[n++] = *tool;
    const char *env[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=/", "TZ=UTC", NULL};
    struct jail_spec spec = {.argv = argv,
                             .env = env,
                             .writable = folder,
                             .folder = folder,
                             .fds = {-1, -1},
                             .profile = JAIL_BUILD,
                             .limits = {.cpu_seconds = SECONDS,
                                        .wall_seconds = 2 * SECONDS,
                                        .memory_bytes = (size_t)512 << 20,
                                        .file_bytes = HANDIN_MOST_ARCHIVE,
                                        .output_bytes = LISTING_BYTES,
                                        .processes = 16}};
    struct jail_end end;
    struct jail *jail = jail_start(&spec, err);
    if (!jail)
        return false;
    jail_wait(jail, &end, text, size);
    if (end.wall_limit || end.cpu_limit)
        return hpc_fail(err, "%s: takes more than %d s to read, expected an archive of a few files",
                        shown, SECONDS);
    if (strlen(text) + 1 >= LISTING_BYTES || end.output_limit)
        return hpc_fail(err, "%s: more than %d files, expected those of the lab", shown,
                        HANDIN_MOST_FILES);
    if (!end.exited || end.exit_status != 0) {
        char line[200];
        read_complaint(folder, line, sizeof line);
        return hpc_fail(err, "%s: can't be unpacked: %s", shown, line[0] ? line : end.why);
    }
    return true;
}

int handin_rank(const struct submission_wanted *w, int file, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strcmp(name, w->file[file]) != 0)
        return 0;
    char below[2 * LAB_NAME + 8];
    int depth = 0;
    for (const char *p = path; *p; p++)
        depth += *p == '/';
    snprintf(below, sizeof below, "labs/%s/%s", w->lab, name);
    size_t n = strlen(path), m = strlen(below);
    if (n >= m && strcmp(path + n - m, below) == 0 && (n == m || path[n - m - 1] == '/'))
        return 1000 - depth;
    m -= 5; /* "labs/" */
    if (n >= m && strcmp(path + n - m, below + 5) == 0 && (n == m || path[n - m - 1] == '/'))
        return 500 - depth;
    return depth < 100 ? 100 - depth : 1;
}

/* For each wanted file the member that fits best. */
static bool choose(const struct submission_wanted *w, const struct submission_member *members,
                   int n, const char *shown, char path[HANDIN_MOST_WANTED][HANDIN_PATH],
                   struct hpc_error *err)
{
    for (int k = 0; k < w->n; k++) {
        int best = 0;
        const struct submission_member *found = NULL, *other = NULL;
        for (int i = 0; i < n; i++) {
            int rank = members[i].type == '-' ? handin_rank(w, k, members[i].path) : 0;
            if (rank == 0 || rank < best)
                continue;
            other = rank == best ? found : NULL;
            found = &members[i];
            best = rank;
        }
        path[k][0] = '\0';
        if (!found)
            continue;
        if (other)
            return hpc_fail(err, "%s: both %.100s and %.100s, expected one %s", shown, other->path,
                            found->path, w->file[k]);
        if (found->bytes > HANDIN_MOST_SOURCE)
            return hpc_fail(err, "%s: %.100s has %llu KiB, expected at most %zu", shown,
                            found->path, found->bytes >> 10, HANDIN_MOST_SOURCE >> 10);
        if (strlen(found->path) >= HANDIN_PATH)
            return hpc_fail(err, "%s: a path of %zu characters, expected fewer", shown,
                            strlen(found->path));
        strcpy(path[k], found->path);
    }
    return true;
}

/* Both programs keep to the folder by themselves, unless they are told to trust the names. */
static int trust_names(const char **argv, const char *option)
{
    if (DEFENCE(names))
        return 0;
    argv[0] = option;
    return 1;
}

/* Unpack the chosen ones, each by its whole path. */
static bool unpack(const struct submission_wanted *w, const char *to, bool zip, const char *shown,
                   char path[HANDIN_MOST_WANTED][HANDIN_PATH], char *text, struct hpc_error *err)
{
    const char *argv[HANDIN_MOST_WANTED + 16];
    int n = 0, wanted = 0;
    if (zip) {
        argv[n++] = command_find("unzip");
        argv[n++] = "-qqo";
        n += trust_names(argv + n, "-:");
        argv[n++] = "archive";
    } else {
        argv[n++] = command_find("tar");
        argv[n++] = "--extract";
        argv[n++] = "--file=archive";
        argv[n++] = "--no-same-owner";
        argv[n++] = "--no-same-permissions";
        n += trust_names(argv + n, "--absolute-names");
        argv[n++] = "--";
    }
    for (int k = 0; k < w->n; k++)
        if (path[k][0]) {
            wanted++;
            if (DEFENCE(chosen))
                argv[n++] = path[k];
        }
    argv[n] = NULL;
    return wanted == 0 || run(argv, to, shown, text, LISTING_BYTES, err);
}

bool handin_unpack(const struct submission_wanted *w, const char *to, bool zip, const char *shown,
                   char path[HANDIN_MOST_WANTED][HANDIN_PATH], struct hpc_error *err)
{
    const char *const tar[] = {command_find("tar"),      "--list",         "--verbose",
                               "--numeric-owner",        "--full-time",    "--absolute-names",
                               "--quoting-style=escape", "--file=archive", NULL};
    const char *const unzip[] = {command_find("unzip"), "-Z", "-s", "-T", "archive", NULL};
    const char *const *list = zip ? unzip : tar;
    if (!list[0])
        return hpc_fail_env(err, "no %s here to read %s with; ./bootstrap brings it",
                            zip ? "unzip" : "tar", shown);
    char *text = hpc_malloc(LISTING_BYTES), reason[300];
    struct submission_member *members = hpc_calloc(HANDIN_MOST_FILES, sizeof *members);
    bool good = run(list, to, shown, text, LISTING_BYTES, err);
    if (good) {
        int n = handin_read_listing(text, zip, members, HANDIN_MOST_FILES, reason, sizeof reason);
        good = n >= 0 ? choose(w, members, n, shown, path, err)
                      : hpc_fail(err, "%s: %s", shown, reason);
        good = good && unpack(w, to, zip, shown, path, text, err);
    }
    free(members);
    free(text);
    return good;
}
