/* A project of its own for what a student handed in. */
#define _GNU_SOURCE
#include "common/command.h"
#include "common/scratch.h"
#include "common/sha256.h"
#include "harness/handin/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/defence.h"
#include "common/text.h"

void handin_name(const char *from, char *name, size_t size)
{
    char *whole = hpc_strdup(from);
    for (size_t n = strlen(whole); n > 1 && whole[n - 1] == '/';)
        whole[--n] = '\0';
    snprintf(name, size, "%.*s", (int)size - 1, handin_last_part(whole));
    free(whole);
    name[strlen(name) - handin_suffix(name)] = '\0';
    for (char *p = name; *p; p++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", *p) ||
            (p == name && *p == '.'))
            *p = '_';
    if (!name[0])
        snprintf(name, size, "submission");
}

/* NEW/name becomes a link to OLD/name. */
static bool link_entry(const char *old, const char *new, const char *name, struct hpc_error *err)
{
    char *to = hpc_printf("%s/%s", old, name), *at = hpc_printf("%s/%s", new, name);
    bool good = symlink(to, at) == 0;
    if (!good)
        hpc_fail_env(err, "%s: %s", at, strerror(errno));
    free(to);
    free(at);
    return good;
}

/* The same for all that OLD holds, but for the names in `without`, each with a space before and
 * behind it. */
static bool link_entries(const char *old, const char *new, const char *without,
                         struct hpc_error *err)
{
    DIR *folder = opendir(old);
    bool good = folder_make(new, NULL);
    for (struct dirent *e; good && folder && (e = readdir(folder)) != NULL;) {
        char word[NAME_MAX + 3];
        snprintf(word, sizeof word, " %s ", e->d_name);
        if (e->d_name[0] != '.' && !strstr(without, word))
            good = link_entry(old, new, e->d_name, err);
    }
    if (folder)
        closedir(folder);
    return good;
}

/* The project: links to all of ours but the lab's files, and to nothing that is written. */
static bool lay_out(const char *root, const struct lab *lab, const char *new, struct hpc_error *err)
{
    static const char *const built[] = {"lib", "device", "mlp"};
    char *old_labs = hpc_printf("%s/labs", root), *new_labs = hpc_printf("%s/labs", new);
    char *old_lab = hpc_printf("%s/%s", old_labs, lab->name),
         *new_lab = hpc_printf("%s/%s", new_labs, lab->name);
    char *old_build = hpc_printf("%s/build", root), *new_build = hpc_printf("%s/build", new);
    char *one = hpc_printf(" %s ", lab->name);
    static const char *const of_lab[] = {"lab.ini", "hidden.ini", "expected.ini", "starter"};
    bool good = link_entries(root, new, " build results labs dist ", err) &&
                link_entries(old_labs, new_labs, one, err) && folder_make(new_lab, NULL) &&
                folder_make(new_build, NULL);
    for (size_t i = 0; good && i < sizeof of_lab / sizeof *of_lab; i++)
        good = link_entry(old_lab, new_lab, of_lab[i], err);
    for (size_t i = 0; good && i < sizeof built / sizeof *built; i++)
        good = link_entry(old_build, new_build, built[i], err);
    free(one);
    free(new_build);
    free(old_build);
    free(new_lab);
    free(old_lab);
    free(new_labs);
    free(old_labs);
    return good;
}

/* Where a lab's files may lie in a folder: the likeliest first, and anywhere where none is there.
 */
static bool from_folder(const struct submission_wanted *w, int folder, const char *shown,
                        char path[HANDIN_MOST_WANTED][HANDIN_PATH], struct hpc_error *err)
{
    bool found = false;
    for (int k = 0; k < w->n; k++) {
        char tries[3][HANDIN_PATH];
        struct stat st;
        snprintf(tries[0], HANDIN_PATH, "labs/%s/%s", w->lab, w->file[k]);
        snprintf(tries[1], HANDIN_PATH, "%s/%s", w->lab, w->file[k]);
        snprintf(tries[2], HANDIN_PATH, "%s", w->file[k]);
        path[k][0] = '\0';
        for (int i = 0; i < 3 && !path[k][0]; i++)
            if (fstatat(folder, tries[i], &st, AT_SYMLINK_NOFOLLOW) == 0)
                strcpy(path[k], tries[i]);
        found |= path[k][0] != '\0';
    }
    if (!found)
        return handin_search(w, folder, shown, path, err);
    for (int k = 0; k < w->n; k++) { /* beside those, for what lacks */
        char *below[] = {hpc_printf("labs/%s/", w->lab), hpc_printf("%s/", w->lab), hpc_strdup("")};
        for (int i = 0; i < 3; i++) {
            found = found && (path[k][0] || handin_take_number(folder, below[i], w->file[k], shown,
                                                               path[k], err));
            free(below[i]);
        }
    }
    return found;
}

/* The chosen files to the project; their names and bytes into a hash, unless that is NULL. */
static bool take(struct handin *s, const struct submission_wanted *w, int folder, const char *shown,
                 char path[HANDIN_MOST_WANTED][HANDIN_PATH], struct sha256 *of_files,
                 struct hpc_error *err)
{
    for (int k = 0; k < w->n; k++) {
        char *to = hpc_printf("%s/labs/%s/%s", s->root, w->lab, w->file[k]);
        int copied =
            path[k][0] ? handin_copy(folder, path[k], to, HANDIN_MOST_SOURCE, shown, err) : 0;
        if (copied > 0 && of_files) {
            sha256_add(of_files, w->file[k], strlen(w->file[k]) + 1);
            handin_add_file(of_files, to);
        }
        free(to);
        if (copied < 0)
            return false;
        s->taken += copied;
    }
    if (s->taken == 0)
        return handin_nothing(w, shown, err);
    handin_tell_numbers(w, folder, path, s->unread);
    return true;
}

/* What the archive beside a folder's files has of those that are not among them. */
static bool take_beside(struct handin *s, const struct submission_wanted *w, int folder,
                        const char *whole, char path[HANDIN_MOST_WANTED][HANDIN_PATH],
                        struct sha256 *of_files, struct hpc_error *err)
{
    char *unpacked = hpc_printf("%s/build/unpacked", s->root);
    bool good = handin_beside(w, folder, whole, unpacked, path, s->unread, err);
    const int at = good ? open(unpacked, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    good = good && take(s, w, at, handin_last_part(whole), path, of_files, err);
    if (at >= 0)
        close(at);
    free(unpacked);
    return good;
}

bool handin_open(const char *root, const struct lab *lab, const char *from, struct handin *s,
                 struct hpc_error *err)
{
    struct handin_seen *seen = hpc_calloc(1, sizeof *seen);
    struct submission_wanted w = {.root = root, .lab = lab->name, .seen = seen};
    for (int t = 0; t < lab->n_tasks; t++)
        w.file[w.n++] = lab->tasks[t].file;
    w.tasks = w.n;
    if (lab->report[0])
        w.file[w.n++] = lab->report;
    *s = (struct handin){.taken = 0};
    char *whole = hpc_strdup(from);
    for (size_t n = strlen(whole); n > 1 && whole[n - 1] == '/';)
        whole[--n] = '\0';
    handin_name(whole, s->name, sizeof s->name);
    char *name = scratch_name(root, "submission-XXXXXX");
    snprintf(s->root, sizeof s->root, "%s", name);
    free(name);
    char *parent = hpc_printf("%s/build/tmp", root), *unpacked = NULL;
    struct stat st;
    bool good = folder_make(parent, NULL) && mkdtemp(s->root) != NULL;
    /* root's jails have user ids of their own: they may pass through, nobody may look around */
    good = good && (getuid() != 0 || (chmod(parent, 0711) == 0 && chmod(s->root, 0711) == 0));
    if (!good)
        hpc_fail_env(err, "%s: %s", parent, strerror(errno));
    good = good && lay_out(root, lab, s->root, err);
    unpacked = hpc_printf("%s/build/unpacked", s->root);
    char(*path)[HANDIN_PATH] = hpc_calloc(HANDIN_MOST_WANTED, sizeof *path);
    bool is_folder = stat(whole, &st) == 0 && S_ISDIR(st.st_mode);
    struct sha256 hash;
    sha256_start(&hash);
    good = good && folder_make(unpacked, NULL) &&
           (is_folder || handin_from_archive(&w, whole, unpacked, &hash, err));
    int folder = good ? open(is_folder ? whole : unpacked, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    const char *shown = handin_last_part(whole);
    if (good && folder < 0) /* as of an archive that can't be opened: nothing to be judged by */
        good =
            hpc_fail_env(err, "%s: %s, expected a folder that can be read", shown, strerror(errno));
    struct submission_wanted unseen = w; /* what was unpacked is not all that the archive has */
    unseen.seen = NULL;
    good = good && (is_folder ? from_folder(&w, folder, shown, path, err)
                              : handin_search(&unseen, folder, shown, path, err));
    good = good && take(s, &w, folder, shown, path, is_folder ? &hash : NULL, err);
    good = good && (!is_folder || take_beside(s, &w, folder, whole, path, &hash, err));
    sha256_end(&hash, s->sha256);
    if (folder >= 0)
        close(folder);
    free(seen);
    free(path);
    free(unpacked);
    free(parent);
    free(whole);
    return good;
}

void handin_close(struct handin *s)
{
    if (s->root[0] && !strstr(s->root, "XXXXXX"))
        folder_remove(s->root);
    s->root[0] = '\0';
}
