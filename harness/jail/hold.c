/* Holding a process still while the parent does what it must not take part in. */
#define _GNU_SOURCE
#include "harness/jail/internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/defence.h"
#include "harness/machine/busy.h"

/* For all threads to have stopped: those that wait for a processor too. The second is for tests,
 * in which threads never do. */
#define MOST_SECONDS      2.0
#define MOST_SECONDS_OPEN 0.05
/* Where the kernel does not tell: what threads that are said to have stopped may still use on their
 * way off their processors. */
#define WAY_SECONDS 200e-6

/* The text of /proc/PROCESS/task/THREAD/NAME; false where it can't be read. */
static bool read_thread(int folder, const char *thread, const char *name, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "%.20s/%s", thread, name);
    int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, size - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* Whether a thread is stopped, or gone. */
static bool stopped(int folder, const char *thread)
{
    char text[512];
    if (!read_thread(folder, thread, "stat", text, sizeof text))
        return true;
    const char *name_end = strrchr(text, ')'); /* the name may hold anything */
    return name_end && strchr("TtZX", name_end[name_end[1] ? 2 : 0]);
}

/* A thread is said to have stopped before it leaves its processor, and a host may take that away
 * in between. This file is told when it has left, not before. Sets *told to false where that file
 * can't be read. */
static bool has_left(int folder, const char *thread, bool *told)
{
    char text[256];
    if (!read_thread(folder, thread, "syscall", text, sizeof text)) {
        *told = false;
        return true;
    }
    return strncmp(text, "running", 7) != 0;
}

/* How often a thread has left its processor, and 1. */
static long switches(int folder, const char *thread)
{
    char text[4096];
    long sum = 1;
    read_thread(folder, thread, "status", text, sizeof text);
    for (const char *at = text; (at = strstr(at, "voluntary_ctxt_switches:")) != NULL; at++)
        sum += atol(at + strlen("voluntary_ctxt_switches:"));
    return sum;
}

/* What is seen of a process that should be held. */
struct scene {
    bool stopped;  /* all of its threads have */
    bool told;     /* by the kernel that they have left their processors */
    long switches; /* of all of them: more when one has run since */
};

static struct scene look(pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *folder = opendir(path);
    struct scene s = {.stopped = true, .told = true};
    for (struct dirent *e; s.stopped && folder && (e = readdir(folder)) != NULL;) {
        if (atoi(e->d_name) <= 0)
            continue;
        s.stopped = stopped(dirfd(folder), e->d_name);
        if (DEFENCE(still) && s.stopped)
            s.stopped = has_left(dirfd(folder), e->d_name, &s.told);
        s.switches += switches(dirfd(folder), e->d_name);
    }
    if (folder)
        closedir(folder);
    return s;
}

/* What a thread has used: to the nanosecond, or where the kernel does not say it, to its ticks. */
static double used_seconds(int folder, const char *thread)
{
    char text[512];
    unsigned long user = 0, system = 0;
    if (read_thread(folder, thread, "schedstat", text, sizeof text))
        return 1e-9 * strtod(text, NULL);
    read_thread(folder, thread, "stat", text, sizeof text);
    const char *name_end = strrchr(text, ')');
    if (!name_end || sscanf(name_end, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                            &user, &system) != 2)
        return 0;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static DIR *open_threads(const struct jail *jail)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)jail->program);
    return jail->ended ? NULL : opendir(path);
}

double jail_first_seconds(const struct jail *jail)
{
    char thread[16];
    snprintf(thread, sizeof thread, "%d", (int)jail->program);
    DIR *folder = open_threads(jail);
    const double seconds = folder ? used_seconds(dirfd(folder), thread) : 0;
    if (folder)
        closedir(folder);
    return seconds;
}

double jail_waited_seconds(const struct jail *jail)
{
    return jail->ended || !jail->program ? -1 : busy_waited(jail->program);
}

double jail_all_waits(struct jail *jail)
{
    char text[256];
    double sum = 0, waited; /* nanoseconds */
    jail_find(jail);
    DIR *folder = open_threads(jail);
    for (struct dirent *e; folder && (e = readdir(folder)) != NULL;)
        if (atoi(e->d_name) > 0 &&
            read_thread(dirfd(folder), e->d_name, "schedstat", text, sizeof text) &&
            sscanf(text, "%*f %lf", &waited) == 1)
            sum += waited;
    if (folder)
        closedir(folder);
    return 1e-9 * sum;
}

double jail_busiest_seconds(const struct jail *jail, double first)
{
    double most = 0;
    DIR *folder = open_threads(jail);
    for (struct dirent *e; folder && (e = readdir(folder)) != NULL;)
        if (atoi(e->d_name) > 0) {
            const double before = atoi(e->d_name) == jail->program ? first : 0;
            const double seconds = used_seconds(dirfd(folder), e->d_name) - before;
            most = seconds > most ? seconds : most;
        }
    if (folder)
        closedir(folder);
    return most;
}

void jail_hold(struct jail *jail)
{
    jail_find(jail);
    jail->held = false;
    if (!jail_signal(jail, SIGSTOP))
        return;
    jail->held = true;
    double most = MOST_SECONDS_OPEN;
    if (DEFENCE(still))
        most = MOST_SECONDS;
    const double until = clock_now() + most;
    struct scene s;
    while (!(s = look(jail->program)).stopped && clock_now() < until)
        usleep(20);
    jail->held_switches = s.told ? s.switches : -1;
    /* Else what the process has used stands still when all have left. */
    do {
        jail->held_cpu_seconds = jail_cpu_seconds(jail);
        if (s.told)
            break;
        usleep(50);
    } while (jail_cpu_seconds(jail) > jail->held_cpu_seconds && clock_now() < until);
}

bool jail_still(struct jail *jail)
{
    if (jail->ended || !jail->held)
        return true;
    struct scene s = look(jail->program);
    if (!s.stopped)
        return false;
    return jail->held_switches >= 0 ? s.switches == jail->held_switches
                                    : jail_cpu_seconds(jail) < jail->held_cpu_seconds + WAY_SECONDS;
}

void jail_release(struct jail *jail)
{
    if (jail->rank) /* whoever has its number by now is not stopped, and loses nothing */
        kill(jail->rank, SIGCONT);
    else
        jail_signal(jail, SIGCONT);
    jail->rank = 0;
}
