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

#include "common/defence.h"

/* For all threads to have stopped: those that wait for a processor too. The second is for tests,
 * in which threads never do. */
#define MOST_SECONDS      2.0
#define MOST_SECONDS_OPEN 0.05
/* What threads that are said to have stopped may still use on their way off their processors. */
#define WAY_SECONDS 200e-6

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
    jail->held = false;
    if (jail->ended || !jail->program || kill(jail->program, SIGSTOP) != 0)
        return;
    jail->held = true;
    double most = DEFENCE(still) ? MOST_SECONDS : MOST_SECONDS_OPEN;
    const double until = jail_now() + most;
    while (!all_stopped(jail->program) && jail_now() < until)
        usleep(20);
    /* A thread is said to have stopped before it leaves its processor, and a host may take that
     * away in between. What the process has used stands still when all have left. */
    do {
        jail->held_cpu_seconds = jail_cpu_seconds(jail);
        usleep(50);
    } while (jail_cpu_seconds(jail) > jail->held_cpu_seconds && jail_now() < until);
}

bool jail_still(struct jail *jail)
{
    return jail->ended || !jail->held ||
           (all_stopped(jail->program) &&
            jail_cpu_seconds(jail) < jail->held_cpu_seconds + WAY_SECONDS);
}

void jail_release(struct jail *jail)
{
    if (!jail->ended && jail->program)
        kill(jail->program, SIGCONT);
}
