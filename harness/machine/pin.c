#define _GNU_SOURCE
#include "harness/machine/pin.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/error.h"

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

/* What was found out when it was first asked for: our processors then, and an order of them, those
 * that were chosen first. */
struct processors {
    cpu_set_t ours;
    int n, chosen;
    int order[CPU_SETSIZE];
};

static struct processors *here(void)
{
    static struct processors p; /* found out once: later our own mask may be a smaller one */
    if (p.n || sched_getaffinity(0, sizeof p.ours, &p.ours))
        return &p;
    for (int others = 0; others < 2; others++)
        for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
            if (CPU_ISSET(cpu, &p.ours) && (first_of_core(cpu, &p.ours) != cpu) == others)
                p.order[p.n++] = cpu;
    return &p;
}

/* Whether no other grader has chosen a processor. Ours it is until this process ends: a socket of
 * that name, which no file stands for. Where none can be made nobody is asked. */
static bool reserve(int cpu)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int n = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "hpclab-processor-%d", cpu);
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    if (fd >= 0 && bind(fd, (const struct sockaddr *)&name, length) == 0)
        return true; /* it stays open */
    const bool taken = fd >= 0 && errno == EADDRINUSE;
    if (fd >= 0)
        close(fd);
    return !taken;
}

static void choose(struct processors *p)
{
    int at = p->chosen;
    while (at < p->n && !reserve(p->order[at]))
        at++;
    if (at == p->n) /* all are another's too */
        at = p->chosen;
    const int cpu = p->order[at];
    for (; at > p->chosen; at--)
        p->order[at] = p->order[at - 1];
    p->order[p->chosen++] = cpu;
}

int pin_order(int *cpus, int most)
{
    const struct processors *p = here();
    const int n = p->n < most ? p->n : most;
    memcpy(cpus, p->order, (size_t)n * sizeof *cpus);
    return n;
}

int pin_choose(int threads, int *cpus)
{
    struct processors *p = here();
    if (threads < p->n)
        while (p->chosen < threads)
            choose(p);
    return pin_order(cpus, threads < p->n ? threads : p->n);
}

bool pin_mask(int threads, void *mask, size_t size)
{
    int cpus[CPU_SETSIZE];
    cpu_set_t set = here()->ours;
    if (threads > 0) {
        const int n = pin_choose(threads, cpus);
        CPU_ZERO(&set);
        for (int i = 0; i < n; i++)
            CPU_SET(cpus[i], &set);
    }
    HPC_ASSERT(size >= sizeof set);
    memcpy(mask, &set, sizeof set);
    return CPU_COUNT(&set) > 0;
}

void pin_away(int threads)
{
    cpu_set_t rest = here()->ours, taken;
    if (threads > 0 && threads < here()->n && pin_mask(threads, &taken, sizeof taken))
        CPU_XOR(&rest, &rest, &taken);
    sched_setaffinity(0, sizeof rest, &rest);
}

void pin_threads(pid_t process, int threads)
{
    pid_t ids[CPU_SETSIZE];
    int cpus[CPU_SETSIZE];
    const int n_cpus = pin_choose(threads > 0 ? threads : CPU_SETSIZE, cpus);
    const int n = list_threads(process, ids, CPU_SETSIZE);
    if (n < 2 || n > n_cpus)
        return;
    for (int i = 0; i < n; i++) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpus[i], &one);
        sched_setaffinity(ids[i], sizeof one, &one);
    }
}
