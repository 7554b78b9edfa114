/* Holding a process still while the parent does what it must not take part in. */
#define _GNU_SOURCE
#include "harness/jail_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_SECONDS                                                                               \
    0.05 /* for all threads to have stopped: those that wait for a processor too                   \
          */

/* Whether a thread is stopped, or gone. */
static bool stopped(int folder, const char *thread)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "%.20s/stat", thread);
    int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return true;
    text[n] = '\0';
    const char *name_end = strrchr(text, ')'); /* the name may hold anything */
    return name_end && strchr("TtZX", name_end[name_end[1] ? 2 : 0]);
}

static bool all_stopped(pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *folder = opendir(path);
    bool all = true;
    for (struct dirent *e; all && folder && (e = readdir(folder)) != NULL;)
        all = atoi(e->d_name) <= 0 || stopped(dirfd(folder), e->d_name);
    if (folder)
        closedir(folder);
    return all;
}

void jail_hold(struct jail *jail)
{
    jail_find(jail);
    if (jail->ended || !jail->program || kill(jail->program, SIGSTOP) != 0)
        return;
    for (double until = jail_now() + MOST_SECONDS;
         !all_stopped(jail->program) && jail_now() < until;)
        usleep(20);
}

void jail_release(struct jail *jail)
{
    if (!jail->ended && jail->program)
        kill(jail->program, SIGCONT);
}
