/* A submission that lies in pieces: files that a system exports one by one, and an archive with
 * files beside it. */
#define _GNU_SOURCE
#include "common/command.h"
#include "common/scratch.h"
#include "common/sha256.h"
#include "harness/handin/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/text.h"

void handin_add_file(struct sha256 *hash, const char *path)
{
    char buffer[65536];
    FILE *f = fopen(path, "re");
    for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        sha256_add(hash, buffer, n);
    if (f)
        fclose(f);
}

bool handin_from_archive(const struct submission_wanted *w, const char *from, const char *to,
                         struct sha256 *hash, struct hpc_error *err)
{
    char *parent = hpc_printf("%.*s", (int)(handin_last_part(from) - from), from);
    char *archive = hpc_printf("%s/archive", to);
    int folder = open(parent[0] ? parent : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    int copied = folder < 0 ? 0
                            : handin_copy(folder, handin_last_part(from), archive,
                                          HANDIN_MOST_ARCHIVE, handin_last_part(from), err);
    if (copied == 0)
        hpc_fail(err, "%s: %s", from, strerror(ENOENT));
    if (copied == 1)
        handin_add_file(hash, archive);
    bool good = copied == 1 && handin_unpack(w, to, handin_last_part(from), err);
    if (folder >= 0)
        close(folder);
    free(archive);
    free(parent);
    return good;
}

char *handin_archive_in(const char *folder)
{
    char path[HANDIN_PATH];
    const int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int archives = at >= 0 ? handin_archives(at, path) : 0;
    if (at >= 0)
        close(at);
    return archives == 1 ? hpc_printf("%s/%s", folder, path) : NULL;
}

/* All into the folder `to`, their names and bytes into the hash. */
static bool copy_all(const char *dir, const struct handin_loose *loose, int n, const char *name,
                     const char *to, char hex[65], struct hpc_error *err)
{
    struct sha256 hash;
    const int folder = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = folder >= 0 || hpc_fail_env(err, "%s: %s", dir, strerror(errno));
    sha256_start(&hash);
    sha256_add(&hash, name, strlen(name) + 1);
    for (int i = 0; i < n && good; i++) {
        char *at = hpc_printf("%s/%s", to, loose[i].as);
        const int copied =
            handin_copy(folder, loose[i].file, at, HANDIN_MOST_ARCHIVE, loose[i].file, err);
        good = copied == 1 ||
               (copied == 0 && hpc_fail(err, "%s: %s", loose[i].file, strerror(ENOENT)));
        sha256_add(&hash, loose[i].as, strlen(loose[i].as) + 1);
        handin_add_file(&hash, at);
        free(at);
    }
    sha256_end(&hash, hex);
    if (folder >= 0)
        close(folder);
    return good;
}

char *handin_gather(const char *dir, const struct handin_loose *loose, int n, const char *kept,
                    const char *name, struct hpc_error *err)
{
    char hex[65], *whole = NULL;
    char *new = hpc_printf("%s/new-XXXXXX", kept);
    bool good = folder_make(kept, err) &&
                (mkdtemp(new) != NULL || hpc_fail_env(err, "%s: %s", new, strerror(errno)));
    char *inner = hpc_printf("%s/%s", new, name);
    if (good && folder_make(inner, err) && copy_all(dir, loose, n, name, inner, hex, err)) {
        char *to = hpc_printf("%s/%.16s", kept, hex);
        whole = hpc_printf("%s/%s", to, name);
        if (access(whole, F_OK) != 0 && rename(new, to) != 0 && access(whole, F_OK) != 0) {
            hpc_fail_env(err, "%s: %s", to, strerror(errno));
            free(whole);
            whole = NULL;
        }
        free(to);
    }
    if (good)
        folder_remove(new);
    free(inner);
    free(new);
    return whole;
}

bool handin_beside(const struct submission_wanted *w, int folder, const char *whole,
                   const char *unpacked, char path[HANDIN_MOST_WANTED][HANDIN_PATH],
                   char unread[200], struct hpc_error *err)
{
    char archive[HANDIN_PATH];
    struct sha256 hash;
    bool lacks = false, task = false;
    for (int k = 0; k < w->n; k++) {
        lacks |= !path[k][0];
        task |= k < w->tasks && path[k][0];
    }
    const int archives = lacks ? handin_archives(folder, archive) : 0;
    if (archives != 1 || strchr(archive, '/')) {
        if (archives > 1)
            text_fit(unread, 200, "none of %d archives was read, only the files beside them",
                     archives);
        for (int k = 0; k < w->n; k++)
            path[k][0] = '\0';
        return true;
    }
    char(*within)[HANDIN_PATH] = hpc_calloc(HANDIN_MOST_WANTED, sizeof *within);
    char *from = hpc_printf("%s/%s", whole, archive);
    sha256_start(&hash);
    int at = -1;
    bool good = handin_from_archive(w, from, unpacked, &hash, err) &&
                (at = open(unpacked, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0 &&
                handin_search(w, at, archive, within, err);
    for (int k = 0; k < w->n; k++)
        strcpy(path[k], good && !path[k][0] ? within[k] : "");
    if (at >= 0)
        close(at);
    free(from);
    free(within);
    const bool damaged = !good && task && err->status == HPC_EXIT_USAGE;
    if (damaged)
        text_fit(unread, 200, "%s; only the files beside it were taken", err->text);
    return good || damaged;
}
