/* How a jailed process ends: limits that no kernel keeps for us, in words which one ended it, and
 * what it printed, made harmless.
 *
 * The memory of processes whose address space can't be limited is for us to count, and, where they
 * are root's own, whom the kernel lets have any number, how many processes and threads there are. A
 * look ends when a limit is seen to be exceeded: one that counted to the end would never come to it
 * while processes multiply. Nor does anybody limit how many files a jail has in its folders in
 * memory: bubblewrap gives them a size, which an empty file takes nothing of. */
#define _GNU_SOURCE
#include "common/clock.h"
#include "common/defence.h"
#include "harness/jail/internal.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define EVERY      0.005 /* seconds from one look to the next, at least */
#define MOST_DEPTH 200   /* of children's children; deeper ones are over the limit */

/* Whether it is for us to count processes and threads. */
static bool counts(const struct jail *jail)
{
    if (DEFENCE(processes))
        return jail->limits.processes > 0 && getuid() == 0 && !jail->user;
    return false;
}

static bool over_memory(const struct jail *jail)
{
    return jail->limits.resident_bytes && jail->resident > jail->limits.resident_bytes;
}

static bool over_processes(const struct jail *jail)
{
    return counts(jail) && jail->threads > jail->limits.processes;
}

static bool over_files(const struct jail *jail)
{
    return jail->files > JAIL_MOST_FILES;
}

static bool over(const struct jail *jail)
{
    return over_memory(jail) || over_processes(jail) || over_files(jail);
}

/* Files in a folder of the namespace's, which is a file system of its own. 0 where the kernel does
 * not show it, or the process stands in our folders yet. */
static uintmax_t files_in(const struct jail *jail, const char *folder)
{
    char path[64];
    struct stat ours, its;
    struct statvfs s;
    snprintf(path, sizeof path, "/proc/%d/root%s", (int)jail->program, folder);
    if (stat(folder, &ours) != 0 || stat(path, &its) != 0 || ours.st_dev == its.st_dev ||
        statvfs(path, &s) != 0)
        return 0;
    return (uintmax_t)(s.f_files - s.f_ffree);
}

static size_t resident_of(pid_t process)
{
    char path[64];
    unsigned long total = 0, resident = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%lu %lu", &total, &resident) != 2)
        resident = 0;
    if (f)
        fclose(f);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static void add_up(struct jail *jail, pid_t process, int depth);

/* The children that one thread has started; those of ours (depth -1), as far as they are in the
 * jail's group. */
static void add_children(struct jail *jail, pid_t process, const char *thread, int depth)
{
    char path[300];
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)process, thread);
    FILE *f = fopen(path, "re");
    while (f && !over(jail) && fscanf(f, "%d", &child) == 1)
        if (depth >= 0 || getpgid(child) == jail->pid)
            add_up(jail, child, depth + 1);
    if (f)
        fclose(f);
}

/* A process, its threads, and all that descend from it. */
static void add_up(struct jail *jail, pid_t process, int depth)
{
    char path[64];
    jail->resident += resident_of(process);
    jail->threads += depth > MOST_DEPTH ? jail->limits.processes : 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *folder = depth > MOST_DEPTH ? NULL : opendir(path);
    for (struct dirent *e; folder && !over(jail) && (e = readdir(folder)) != NULL;)
        if (atoi(e->d_name) > 0) {
            jail->threads++;
            add_children(jail, process, e->d_name, depth);
        }
    if (folder)
        closedir(folder);
}

/* All that the jail has: what descends from its namespace's first process, or, without one, from
 * those children of ours that are in its group. Orphans become that process's or our children. */
static void add_up_all(struct jail *jail)
{
    jail->resident = 0;
    jail->threads = 0;
    if (jail->first) {
        char thread[16];
        snprintf(thread, sizeof thread, "%d", (int)jail->first);
        add_children(jail, jail->first, thread, 0);
        return;
    }
    DIR *folder = opendir("/proc/self/task");
    for (struct dirent *e; folder && (e = readdir(folder)) != NULL;)
        if (atoi(e->d_name) > 0)
            add_children(jail, getpid(), e->d_name, -1);
    if (folder)
        closedir(folder);
}

bool jail_watched(const struct jail *jail)
{
    return jail->limits.resident_bytes || jail->makes_files || counts(jail);
}

bool jail_over(struct jail *jail)
{
    const struct jail_limits *l = &jail->limits;
    double now = clock_now();
    const bool adds_up = l->resident_bytes || counts(jail);
    if (!jail_watched(jail) || !jail->program || now < jail->watched + EVERY)
        return false;
    jail->watched = now;
    if (adds_up)
        add_up_all(jail);
    if (jail->makes_files) {
        const uintmax_t shm = files_in(jail, "/dev/shm"), tmp = files_in(jail, "/tmp");
        jail->files = shm > tmp ? shm : tmp;
    }
    jail->memory_limit = over_memory(jail);
    jail->process_limit = over_processes(jail);
    return over(jail);
}

/* The limit that ended it, its value, and what was used. */
static void explain(const struct jail *jail, const struct jail_end *end, char *why, size_t size)
{
    const struct jail_limits *l = &jail->limits;
    if (end->wall_limit)
        snprintf(why, size, "wall deadline of %d s (%.1f s)", l->wall_seconds, end->wall_seconds);
    else if (end->output_limit)
        snprintf(why, size, "more than %zu KiB of output (%zu KiB)",
                 JAIL_DROP_FACTOR * l->output_bytes / 1024, jail->printed / 1024);
    else if (jail->memory_limit)
        snprintf(why, size, "memory limit of %zu MiB (%zu MiB)", l->resident_bytes >> 20,
                 jail->resident >> 20);
    else if (end->process_limit)
        snprintf(why, size, "limit of %d processes and threads (%d)", l->processes, jail->threads);
    else if (end->cpu_limit)
        snprintf(why, size, "CPU limit of %d s (%.1f s)", l->cpu_seconds, end->cpu_seconds);
    else if (over_files(jail))
        snprintf(why, size, "limit of %d files in /tmp or /dev/shm (%ju)", JAIL_MOST_FILES,
                 jail->files);
    else if (end->file_limit)
        snprintf(why, size, "file size limit of %zu KiB", l->file_bytes / 1024);
    else if (end->signal == SIGKILL && !jail->killed)
        snprintf(why, size, "signal 9 (Killed, by itself or by a system out of memory)");
    else if (end->signal)
        snprintf(why, size, "signal %d (%s)", end->signal, strsignal(end->signal));
    else
        snprintf(why, size, "exit status %d", end->exit_status);
}

void jail_explain(const struct jail *jail, struct jail_end *end)
{
    const struct jail_limits *l = &jail->limits;
    int status = jail->status;
    end->exited = WIFEXITED(status);
    end->exit_status = end->exited ? WEXITSTATUS(status) : 0;
    end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (jail->tier == JAIL_BUBBLEWRAP && end->exit_status > 128 && end->exit_status < 128 + NSIG) {
        end->signal = end->exit_status - 128; /* that is how bubblewrap passes it on */
        end->exited = false;
        end->exit_status = 0;
    }
    bool cpu_used = l->cpu_seconds > 0 && end->cpu_seconds >= l->cpu_seconds;
    end->printed = jail->printed;
    end->wall_limit = jail->wall_limit;
    end->output_limit = jail->output_limit;
    end->process_limit = jail->process_limit;
    end->cpu_limit =
        !jail->killed && (end->signal == SIGXCPU || (end->signal == SIGKILL && cpu_used));
    end->file_limit = over_files(jail) || (!jail->killed && end->signal == SIGXFSZ);
    end->memory_limit = jail->memory_limit;
    explain(jail, end, end->why, sizeof end->why);
}

void jail_copy_output(const struct jail *jail, char *output, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; output && i < jail->length && n + 1 < size; i++) {
        unsigned char c = (unsigned char)jail->text[i];
        if (DEFENCE(clean)) {
            if (c >= 0x80)
                c = '?';
            else if (c != '\n' && c != '\t' && !isprint(c))
                continue;
        }
        output[n++] = (char)c;
    }
    if (output && size)
        output[n] = '\0';
}
