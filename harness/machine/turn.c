#define _GNU_SOURCE
#include "harness/machine/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Of this machine alone, for a cluster's nodes share the folder. */
static int open_lock(const char *root, const char *name, struct hpc_error *err)
{
    char host[65] = "";
    gethostname(host, sizeof host - 1);
    host[strcspn(host, "/")] = '\0';
    char *path = hpc_printf("%s/build/timing-%s.%s", root, host, name);
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        hpc_fail_env(err, "%s: %s, expected a file to lock", path, strerror(errno));
    free(path);
    return fd;
}

bool turn_open(const char *root, struct turn *t, struct hpc_error *err)
{
    t->machine = -1;
    t->gate = open_lock(root, "gate", err);
    if (t->gate >= 0)
        t->machine = open_lock(root, "lock", err);
    return t->machine >= 0;
}

void turn_close(struct turn *t)
{
    if (t->gate >= 0)
        close(t->gate);
    if (t->machine >= 0)
        close(t->machine);
    t->gate = t->machine = -1;
}

/* A signal that wakes us is no reason to go on without it. */
static void lock(int fd, int how)
{
    while (flock(fd, how) != 0 && errno == EINTR)
        ;
}

void turn_share(const struct turn *t)
{
    lock(t->gate, LOCK_EX);
    lock(t->machine, LOCK_SH);
    lock(t->gate, LOCK_UN);
}

void turn_take(const struct turn *t)
{
    lock(t->machine, LOCK_UN); /* two that kept their share would wait for each other */
    lock(t->gate, LOCK_EX);
    lock(t->machine, LOCK_EX);
}

void turn_give(const struct turn *t)
{
    lock(t->machine, LOCK_SH);
    lock(t->gate, LOCK_UN);
}
