/* Where a submission's records are kept. Two archives of one name are two submissions: who handed
 * in is known from outside, by --as or by where the archive lay, and never by what it holds. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/defence.h"
#include "harness/handin/internal.h"

#define MOST_OF_A_NAME 1000

/* Whether the folder is this submission's: made for it now, or before. -1 with *err. */
static int claim(const char *folder, const char *origin, struct hpc_error *err)
{
    if (!folder_make(folder, err))
        return -1;
    char *path = hpc_printf("%s/origin", folder), found[PATH_MAX + 100] = "";
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644), is = 1;
    const size_t length = strlen(origin);
    if (fd >= 0) {
        if (write(fd, origin, length) != (ssize_t)length)
            is = -1, hpc_fail_env(err, "%s: %s", path, strerror(errno));
    } else if (errno == EEXIST) {
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        ssize_t n = fd >= 0 ? read(fd, found, sizeof found - 1) : -1;
        is = n == (ssize_t)length && memcmp(found, origin, length) == 0;
    } else {
        is = -1, hpc_fail_env(err, "%s: %s", path, strerror(errno));
    }
    if (fd >= 0)
        close(fd);
    free(path);
    return is;
}

/* "as Ada" or "from /there/hw1.tar"; the caller's. */
static char *origin_of(const char *from, const char *as)
{
    char real[PATH_MAX];
    if (as)
        return hpc_printf("as %s\n", as);
    return hpc_printf("from %s\n", realpath(from, real) ? real : from);
}

/* The first of NAME, NAME-2, .. that is this submission's; else as claim() returns. */
static int claim_one(const char *root, const char *first, const char *origin, struct handin *s,
                     struct hpc_error *err)
{
    int is = 0;
    for (int i = 1; i <= MOST_OF_A_NAME && is == 0; i++) {
        if (i > 1)
            snprintf(s->name, sizeof s->name, "%.55s-%d", first, i);
        char *folder = hpc_printf("%s/results/submissions/%s", root, s->name);
        is = claim(folder, origin, err);
        free(folder);
    }
    return is;
}

bool handin_place(const char *root, const char *from, const char *as, struct handin *s,
                  struct hpc_error *err)
{
    char *origin = origin_of(from, as), first[sizeof s->name];
    int is = 1;
    handin_name(as ? as : from, first, sizeof first);
    snprintf(s->name, sizeof s->name, "%s", first);
    if (DEFENCE(origin))
        is = claim_one(root, first, origin, s, err);
    free(origin);
    return is > 0 ||
           (is == 0 && hpc_fail_env(err, "results/submissions/%s: %d others have the name", first,
                                    MOST_OF_A_NAME));
}
