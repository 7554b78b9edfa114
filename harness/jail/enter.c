/* What a child does first, and how its program is found once it runs. */
#define _GNU_SOURCE
#include "common/defence.h"
#include "harness/jail/internal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Without the defence "descriptors": exec leaves all that we have open. */
static void keep_all(void)
{
    for (int fd = 3; fd < 64; fd++)
        fcntl(fd, F_SETFD, 0);
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
    /* bubblewrap is not to be killed between making its namespace and waking who waits in it, whom
     * nobody would wake then: it asks for this signal itself, and jail-inside sees an earlier death
     */
    if (keep_fd < 0)
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
    if (DEFENCE(descriptors))
        close_others(spec, keep_fd);
    else
        keep_all();
}

/* Whether a process is the first of a namespace of processes. */
static bool begins_namespace(pid_t pid)
{
    char path[64], line[256];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *f = fopen(path, "re");
    while (f && !found && fgets(line, sizeof line, f))
        found = strncmp(line, "NSpid:", 6) == 0; /* its number in each namespace, its own last */
    if (f)
        fclose(f);
    const char *last = found ? strrchr(line, '\t') : NULL;
    return last && strcmp(last, "\t1\n") == 0;
}

/* The oldest child of a process, with a namespace of its own where that is asked for; 0: none. */
static pid_t child_of(pid_t pid, bool first)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)pid, (int)pid);
    FILE *f = fopen(path, "re");
    int child = 0;
    if (f) {
        if (fscanf(f, "%d", &child) != 1)
            child = 0;
        fclose(f);
    }
    return child && (!first || begins_namespace(child)) ? child : 0;
}

/* Under bubblewrap our child is the monitor, its child the first process of the namespace, and
 * that one's child the program. Before that, where bwrap is a script that starts the real one (as
 * ./bootstrap writes it), our child is a shell, with children of no concern to us. */
void jail_find(struct jail *jail)
{
    if (jail->program || jail->ended)
        return;
    if (jail->tier != JAIL_BUBBLEWRAP) {
        jail->program = jail->pid;
        return;
    }
    if (!jail->first && (jail->first = child_of(jail->pid, true)) != 0)
        jail->first_fd = (int)syscall(SYS_pidfd_open, jail->first, 0);
    if (jail->first)
        jail->program = child_of(jail->first, false);
}
