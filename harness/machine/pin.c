#define _GNU_SOURCE
#include "harness/machine/pin.h"

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

/* The first processor of our mask on the same core; `cpu` itself where the kernel does not tell. */
static int first_of_core(int cpu, const cpu_set_t *ours)
{
    char path[96], text[256] = "";
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    FILE *file = fopen(path, "r");
    if (file) {
        if (!fgets(text, sizeof text, file))
            text[0] = '\0';
        fclose(file);
    }
    /* "0,64", "0-1" */
    for (char *at = text; *at >= '0' && *at <= '9';) {
        long low = strtol(at, &at, 10), high = *at == '-' ? strtol(at + 1, &at, 10) : low;
        for (long c = low; c <= high && c < CPU_SETSIZE; c++)
            if (CPU_ISSET((int)c, ours))
                return (int)c;
        at += *at == ',';
    }
    return cpu;
}

int pin_order(int *cpus, int most)
{
    cpu_set_t ours;
    int n = 0;
    if (sched_getaffinity(0, sizeof ours, &ours))
        return 0;
    for (int others = 0; others < 2; others++)
        for (int cpu = 0; cpu < CPU_SETSIZE && n < most; cpu++)
            if (CPU_ISSET(cpu, &ours) && (first_of_core(cpu, &ours) != cpu) == others)
                cpus[n++] = cpu;
    return n;
}

void pin_threads(pid_t process)
{
    pid_t ids[CPU_SETSIZE];
    int cpus[CPU_SETSIZE], n_cpus = pin_order(cpus, CPU_SETSIZE);
    int n = list_threads(process, ids, CPU_SETSIZE);
    if (n < 2 || n > n_cpus)
        return;
    for (int i = 0; i < n; i++) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpus[i], &one);
        sched_setaffinity(ids[i], sizeof one, &one);
    }
}
