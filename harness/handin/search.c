/* Where a lab's files lie in what was handed in: at their place, or in whatever folder somebody, or
 * an archive within an archive, put them. */
#define _GNU_SOURCE
#include "harness/handin/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text.h"

struct search {
    const struct submission_wanted *w;
    char (*path)[HANDIN_PATH];
    int rank[HANDIN_MOST_WANTED];
    char *other[HANDIN_MOST_WANTED]; /* another path that fits as well */
    int looked, archives;            /* w == NULL: archives are searched for, into path[0] */
    int error;                       /* of the first folder that could not be read, or 0 */
    char closed[HANDIN_PATH];        /* that folder */
};

int handin_rank(const struct submission_wanted *w, int file, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const bool itself = strcmp(name, w->file[file]) == 0;
    if (!itself && !handin_is_numbered(w->file[file], name))
        return 0;
    const int worse = itself ? 0 : 500; /* than the name itself, as far into the same folder */
    char below[2 * LAB_NAME + 8];
    int depth = 0;
    for (const char *p = path; *p; p++)
        depth += *p == '/';
    snprintf(below, sizeof below, "labs/%s/%s", w->lab, name);
    size_t n = strlen(path), m = strlen(below);
    if (n >= m && strcmp(path + n - m, below) == 0 && (n == m || path[n - m - 1] == '/'))
        return 3000 - worse - depth;
    m -= 5; /* "labs/" */
    if (n >= m && strcmp(path + n - m, below + 5) == 0 && (n == m || path[n - m - 1] == '/'))
        return 2000 - worse - depth;
    return 1000 - worse - depth;
}

static void weigh(struct search *s, const char *path)
{
    if (!s->w && handin_suffix(path) && s->archives++ == 0)
        strcpy(s->path[0], path);
    if (!s->w)
        return;
    handin_see(s->w, path);
    for (int k = 0; k < s->w->n; k++) {
        const int rank = handin_rank(s->w, k, path);
        if (rank == 0 || rank < s->rank[k])
            continue;
        free(s->other[k]);
        s->other[k] = rank == s->rank[k] ? hpc_strdup(s->path[k]) : NULL;
        s->rank[k] = rank;
        strcpy(s->path[k], path);
    }
}

/* What macOS adds, what is hidden, and names that no honest file has. */
static bool passed_over(const char *name)
{
    for (const char *p = name; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return true;
    return name[0] == '.' || !strcmp(name, "__MACOSX");
}

/* All below an open folder, which is closed; `at`: its path, with a slash behind it, or empty. */
static void look_below(struct search *s, int folder, const char *at, int depth)
{
    DIR *dir = folder >= 0 ? fdopendir(folder) : NULL;
    if (!dir && !s->error) {
        s->error = errno;
        text_fit(s->closed, sizeof s->closed, "%s", at);
    }
    if (!dir && folder >= 0)
        close(folder);
    for (struct dirent *e; dir && s->looked <= HANDIN_MOST_LOOKED && (e = readdir(dir)) != NULL;) {
        struct stat st;
        if (passed_over(e->d_name) || fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        s->looked++;
        const bool below = S_ISDIR(st.st_mode);
        char *path = hpc_printf("%s%s%s", at, e->d_name, below ? "/" : "");
        if (below && depth < HANDIN_DEPTH)
            look_below(
                s, openat(dirfd(dir), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
                path, depth + 1);
        else if ((!s->w || !S_ISLNK(st.st_mode)) && strlen(path) < HANDIN_PATH)
            weigh(s, path);
        free(path);
    }
    if (dir)
        closedir(dir);
}

bool handin_search(const struct submission_wanted *w, int folder, const char *shown,
                   char path[HANDIN_MOST_WANTED][HANDIN_PATH], struct hpc_error *err)
{
    struct search s = {.w = w, .path = path};
    char one[100], other[100];
    for (int k = 0; k < w->n; k++)
        path[k][0] = '\0';
    look_below(&s, openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), "", 0);
    bool good = s.looked <= HANDIN_MOST_LOOKED ||
                hpc_fail(err, "%s: more than %d files, expected those of the lab", shown,
                         HANDIN_MOST_LOOKED);
    bool all = true;
    for (int k = 0; k < w->tasks; k++)
        all &= path[k][0] != '\0';
    if (good && !all && s.error)
        good = hpc_fail(err, "%s: %s: %s, expected a folder that can be read", shown, s.closed,
                        strerror(s.error));
    for (int k = 0; k < w->n; k++) {
        if (good && s.other[k]) {
            const bool sorted = strcmp(s.other[k], path[k]) < 0;
            text_fit(one, sizeof one, "%s", sorted ? s.other[k] : path[k]);
            text_fit(other, sizeof other, "%s", sorted ? path[k] : s.other[k]);
            good =
                hpc_fail(err, "%s: both %s and %s, expected one %s", shown, one, other, w->file[k]);
        }
        free(s.other[k]);
    }
    return good;
}

int handin_archives(int folder, char path[HANDIN_PATH])
{
    struct search s = {.path = (char(*)[HANDIN_PATH])path};
    path[0] = '\0';
    look_below(&s, openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), "", 0);
    return s.archives;
}
