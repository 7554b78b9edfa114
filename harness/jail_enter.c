/* What a child does between fork and exec, and what the parent sets once it runs. */
#define _GNU_SOURCE
#include "harness/jail_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_DESCRIPTORS 256

static void limit(int resource, rlim_t soft, rlim_t hard)
{
    struct rlimit old;
    if (getrlimit(resource, &old) == 0 && hard > old.rlim_max)
        hard = old.rlim_max;
    struct rlimit value = {soft < hard ? soft : hard, hard};
    if (setrlimit(resource, &value) != 0) {
        dprintf(STDERR_FILENO, "cannot set a resource limit: %s\n", strerror(errno));
        _exit(127);
    }
}

static void set_limits(const struct jail_limits *l)
{
    limit(RLIMIT_CORE, 0, 0);
    limit(RLIMIT_NOFILE, MAX_DESCRIPTORS, MAX_DESCRIPTORS);
    if (l->cpu_seconds > 0) /* a second between the signal that says so and the one that kills */
        limit(RLIMIT_CPU, (rlim_t)l->cpu_seconds, (rlim_t)l->cpu_seconds + 1);
    if (l->memory_bytes)
        limit(RLIMIT_AS, l->memory_bytes, l->memory_bytes);
    else /* a sanitizer: it wants fixed places, which random ones may have taken */
        personality(ADDR_NO_RANDOMIZE);
    if (l->file_bytes)
        limit(RLIMIT_FSIZE, l->file_bytes, l->file_bytes);
}

/* Have all descriptors above 2 closed by exec, but for those to keep. */
static void close_others(const struct jail_spec *spec, int keep_fd)
{
    if (syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */) != 0)
        for (int fd = 3; fd < 4096; fd++) /* before Linux 5.11 */
            fcntl(fd, F_SETFD, FD_CLOEXEC);
    for (int i = 0; i < JAIL_MAX_FDS; i++)
        if (spec->fds[i] > 2)
            fcntl(spec->fds[i], F_SETFD, 0);
    if (keep_fd >= 0)
        fcntl(keep_fd, F_SETFD, 0);
}

void jail_enter(const struct jail_spec *spec, pid_t parent, int output, int keep_fd)
{
    setpgid(0, 0); /* so that Ctrl-C reaches the parent alone, which then kills this group */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_DFL);
    int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    close_others(spec, keep_fd);
    set_limits(&spec->limits);
}

/* The one child of a process, or 0. */
static pid_t only_child(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
    FILE *f = fopen(path, "re");
    int child = 0;
    if (f) {
        if (fscanf(f, "%d", &child) != 1)
            child = 0;
        fclose(f);
    }
    return child;
}

/* Under bubblewrap our child is the monitor, its child the first process of the namespace, and
 * that one's child the program. */
void jail_find(struct jail *jail)
{
    if (jail->program || jail->ended)
        return;
    if (jail->tier == JAIL_LIMITS) {
        jail->program = jail->pid;
        return;
    }
    pid_t first = only_child(jail->pid);
    pid_t program = first ? only_child(first) : 0;
    if (first && jail->first_fd < 0)
        jail->first_fd = (int)syscall(SYS_pidfd_open, first, 0);
    if (!program)
        return;
    jail->program = program;
    /* Counted inside the namespace. Set from here, since set before bubblewrap it would count all
     * processes of this user. */
    rlim_t n = (rlim_t)jail->limits.processes;
    struct rlimit processes = {n, n};
    if (n)
        prlimit(program, RLIMIT_NPROC, &processes, NULL);
}
