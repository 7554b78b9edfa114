#define _GNU_SOURCE
#include "harness/pin.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* The ids of a process's threads, at most `most`; how many there are. */
static int list_threads(pid_t process, pid_t *ids, int most)
{
    char path[64];
    int n = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *dir = opendir(path);
    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        pid_t id = (pid_t)atoi(e->d_name);
        if (id > 0 && n < most)
            ids[n] = id;
        n += id > 0;
    }
    if (dir)
        closedir(dir);
    return n;
}

void pin_threads(pid_t process)
{
    pid_t ids[CPU_SETSIZE];
    cpu_set_t ours;
    if (sched_getaffinity(0, sizeof ours, &ours))
        return;
    int n = list_threads(process, ids, CPU_SETSIZE);
    if (n < 2 || n > CPU_COUNT(&ours))
        return;
    for (int cpu = 0, i = 0; cpu < CPU_SETSIZE && i < n; cpu++) {
        cpu_set_t one;
        if (!CPU_ISSET(cpu, &ours))
            continue;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        sched_setaffinity(ids[i++], sizeof one, &one);
    }
}
