/* Single files of a submission: opened folder by folder, so that no link leads elsewhere. */
#define _GNU_SOURCE
#include "harness/handin/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/defence.h"

const char *handin_last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int handin_at(int folder, const char *path)
{
    int flags = O_RDONLY | O_CLOEXEC;
    if (DEFENCE(nofollow))
        flags |= O_NOFOLLOW;
    char name[256];
    int at = dup(folder);
    while (at >= 0) {
        size_t n = strcspn(path, "/");
        int next;
        if (n >= sizeof name) {
            close(at);
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(name, path, n);
        name[n] = '\0';
        path += n;
        path += strspn(path, "/");
        next = openat(at, name, flags | (*path ? O_DIRECTORY : O_NONBLOCK));
        int error = errno;
        close(at);
        errno = error;
        if (!*path)
            return next;
        at = next;
    }
    return -1;
}

static bool copy_bytes(int from, int to, size_t most)
{
    char buffer[65536];
    size_t sum = 0;
    for (ssize_t n; (n = read(from, buffer, sizeof buffer)) != 0;) {
        if (n < 0 || (sum += (size_t)n) > most || write(to, buffer, (size_t)n) != n)
            return false;
    }
    return true;
}

/* Whether what was opened is a file of its own, of at most `most` bytes. */
static bool own_file(int fd, size_t most, const char *what, struct hpc_error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return hpc_fail(err, "%s: expected a regular file", what);
    if (st.st_nlink > 1)
        return hpc_fail(err, "%s: has %lu names, expected a file of its own", what,
                        (unsigned long)st.st_nlink);
    return (size_t)st.st_size <= most || hpc_fail(err, "%s: %lld KiB, expected at most %zu", what,
                                                  (long long)st.st_size >> 10, most >> 10);
}

int handin_copy(int folder, const char *path, const char *to, size_t most, const char *shown,
                struct hpc_error *err)
{
    int from = handin_at(folder, path);
    if (from < 0 && (errno == ENOENT || errno == ENOTDIR))
        return 0;
    char *what = strcmp(shown, path) ? hpc_printf("%s: %s", shown, path) : hpc_strdup(path);
    bool good = from >= 0 || hpc_fail(err, "%s: %s, expected a regular file", what,
                                      errno == ELOOP ? "a link" : strerror(errno));
    if (DEFENCE(regular) && good)
        good = own_file(from, most, what, err);
    int out = good ? open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644) : -1;
    if (good && (out < 0 || !copy_bytes(from, out, most)))
        good = hpc_fail_env(err, "cannot copy %s to %s: %s", path, to, strerror(errno));
    if (out >= 0)
        close(out);
    if (from >= 0)
        close(from);
    free(what);
    return good ? 1 : -1;
}
