#define _GNU_SOURCE
#include "common/scratch.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "common/error.h"
#include "common/command.h"

#define LONG_AGO (24 * 3600) /* seconds */

/* PID-HOST: the process of another machine that shares the folder can't be asked after. */
static void owner(char *text, size_t size)
{
    char host[65] = "";
    gethostname(host, sizeof host - 1);
    for (char *p = host; *p; p++)
        if (!isalnum((unsigned char)*p))
            *p = '_';
    snprintf(text, size, "%ld-%.20s", (long)getpid(), host);
}

char *scratch_name(const char *root, const char *what)
{
    char own[64];
    owner(own, sizeof own);
    return hpc_printf("%s/build/tmp/%s-%s", root, own, what);
}

/* Whether `name`, PID-HOST.., in `folder` is nobody's any more. */
static bool is_left(int folder, const char *name)
{
    char own[64], *end;
    struct stat st;
    const long pid = strtol(name, &end, 10);
    owner(own, sizeof own);
    const char *host = strchr(own, '-');
    const size_t n = strlen(host);
    if (pid > 0 && strncmp(end, host, n) == 0 && (end[n] == '-' || end[n] == '\0'))
        return kill((pid_t)pid, 0) != 0 && errno == ESRCH;
    return fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           time(NULL) - st.st_mtime > LONG_AGO;
}

/* Remove what is left in a folder, of those names that begin with `prefix`. */
static void sweep(const char *path, const char *prefix)
{
    DIR *folder = opendir(path);
    const size_t n = strlen(prefix);
    for (struct dirent *e; folder && (e = readdir(folder)) != NULL;)
        if (strncmp(e->d_name, prefix, n) == 0 && e->d_name[0] != '.' &&
            is_left(dirfd(folder), e->d_name + n)) {
            char *left = hpc_printf("%s/%s", path, e->d_name);
            folder_remove(left);
            free(left);
        }
    if (folder)
        closedir(folder);
}

char *scratch_beside(const char *path)
{
    char own[64];
    const char *slash = strrchr(path, '/');
    char *folder = slash ? hpc_printf("%.*s", (int)(slash - path), path) : hpc_strdup(".");
    char *prefix = hpc_printf("%s.tmp.", slash ? slash + 1 : path);
    sweep(folder[0] ? folder : "/", prefix);
    free(prefix);
    free(folder);
    owner(own, sizeof own);
    return hpc_printf("%s.tmp.%s", path, own);
}

void scratch_sweep(const char *root)
{
    char *path = hpc_printf("%s/build/tmp", root);
    sweep(path, "");
    free(path);
}

static FILE *open_file(const char *path, int flags, nlink_t names)
{
    struct stat st;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags);
    if (fd < 0)
        return NULL;
    FILE *f = NULL;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink <= names)
        f = fdopen(fd, "r");
    else
        errno = EINVAL;
    if (!f)
        close(fd);
    return f;
}

FILE *scratch_open(const char *path)
{
    return open_file(path, O_NOFOLLOW, 1);
}

FILE *scratch_open_regular(const char *path)
{
    return open_file(path, 0, (nlink_t)-1);
}

bool scratch_plain(const char *path)
{
    FILE *f = scratch_open(path);
    if (f)
        fclose(f);
    return f != NULL;
}

bool scratch_room(const char *folder, size_t bytes)
{
    struct statvfs disk;
    if (statvfs(folder, &disk) == 0 && disk.f_bavail * disk.f_frsize < bytes)
        return false;
    const int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    const bool full =
        (fd < 0 || fallocate(fd, 0, 0, (off_t)bytes) != 0) && (errno == ENOSPC || errno == EDQUOT);
    if (fd >= 0)
        close(fd);
    return !full;
}
