/* One untrusted process: started, watched, ended with all that it started. Which jail it gets
 * stands in tier.c; what it may do there in plan.c and seccomp.c, which
 * confine.c then enforces in the process itself; bubblewrap.c has the namespaces around
 * it. */
#define _GNU_SOURCE
#include "common/clock.h"
#include "common/defence.h"
#include "common/interrupt.h"
#include "harness/jail/internal.h"
#include "harness/machine/pin.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KILL_MILLISECONDS 2000  /* for a namespace to die from within */
#define STUCK_SECONDS     30    /* for any process, killed from outside */
#define FIND_SECONDS      0.002 /* between looks for the program, while it starts */
#define WATCH_SECONDS     0.01  /* between looks at what we watch of it */
#define MAX_LIVING        16

/* Every living jail, so that whoever ends this program can end them: the one exception to "no
 * globals", since a signal leaves no other way to them. */
static struct jail *living[MAX_LIVING];

void jail_register(struct jail *before, struct jail *after)
{
    for (int i = 0; i < MAX_LIVING; i++)
        if (living[i] == before) {
            living[i] = after;
            return;
        }
    HPC_ASSERT(!"too many jails at once");
}

int jail_free_slot(void)
{
    for (int i = 0; i < MAX_LIVING; i++)
        if (!living[i])
            return i;
    HPC_ASSERT(!"too many jails at once");
    return -1;
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

/* The same, and a descriptor for it: others reap it, and its number may be another's one day. It is
 * still that child after its descriptor was made, so no other one was opened. 0: none. */
static pid_t open_child(pid_t pid, bool first, int *fd)
{
    const pid_t child = child_of(pid, first);
    *fd = child ? (int)syscall(SYS_pidfd_open, child, 0) : -1;
    if (*fd >= 0 && child_of(pid, first) == child)
        return child;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    return 0;
}

/* Under bubblewrap our child is the monitor, its child the first process of the namespace, and
 * that one's child the program. Before that, where bwrap is a script that starts the real one (as
 * ./bootstrap writes it), our child is a shell, with children of no concern to us. */
void jail_find(struct jail *jail)
{
    if (jail->program || jail->ended)
        return;
    if (jail->tier != JAIL_BUBBLEWRAP) {
        jail->program = jail->pid; /* our child: its number is its own until we have reaped it */
        return;
    }
    if (!jail->first)
        jail->first = open_child(jail->pid, true, &jail->first_fd);
    if (jail->first)
        jail->program = open_child(jail->first, false, &jail->program_fd);
}

/* Kill what can be killed at once. The first process of a namespace takes all others with it and
 * lets its parent go only when they are gone. */
static void kill_tree(const struct jail *jail)
{
    if (jail->first_fd >= 0)
        syscall(SYS_pidfd_send_signal, jail->first_fd, SIGKILL, NULL, 0);
    else
        kill(-jail->pid, SIGKILL);
}

/* Read what the process has printed: the first output_bytes are kept. */
static void drain(struct jail *jail)
{
    char buffer[65536];
    ssize_t n;
    while ((n = read(jail->pipe, buffer, sizeof buffer)) > 0) {
        size_t room = jail->limits.output_bytes - jail->length;
        size_t keep = (size_t)n < room ? (size_t)n : room;
        memcpy(jail->text + jail->length, buffer, keep);
        jail->length += keep;
        jail->printed += (size_t)n;
        if (DEFENCE(output) && jail->printed > JAIL_DROP_FACTOR * jail->limits.output_bytes &&
            !jail->ended) {
            jail->output_limit = jail->killed = true;
            kill_tree(jail);
            return;
        }
    }
}

bool jail_alive(struct jail *jail, int milliseconds)
{
    double until = clock_now() + milliseconds * 1e-3;
    for (bool closed = false; !jail->ended;) {
        jail_find(jail);
        jail->cpu_seconds = jail_cpu_seconds(jail);
        drain(jail);
        if (!jail->killed && jail_over(jail)) {
            jail->killed = true;
            kill_tree(jail);
        }
        siginfo_t info = {.si_pid = 0};
        if (waitid(P_PID, (id_t)jail->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid) {
            kill(-jail->pid,
                 SIGKILL); /* what it may have left behind, while its number is its own */
            waitpid(jail->pid, &jail->status, 0);
            jail->ended = true;
            drain(jail);
            break;
        }
        double left = until - clock_now();
        if (left <= 0)
            break;
        if (!jail->program && left > FIND_SECONDS)
            left = FIND_SECONDS;
        if (jail_watched(jail) && left > WATCH_SECONDS)
            left = WATCH_SECONDS;
        /* A pipe that the other side has closed is always readable: no longer asked then. */
        struct pollfd fds[2] = {{jail->pid_fd, POLLIN, 0}, {closed ? -1 : jail->pipe, POLLIN, 0}};
        poll(fds, 2, (int)(left * 1e3) + 1);
        closed |= (fds[1].revents & (POLLHUP | POLLIN)) == POLLHUP;
    }
    return !jail->ended;
}

double jail_cpu_seconds(struct jail *jail)
{
    struct timespec t;
    clockid_t clock;
    jail_find(jail);
    if (jail->ended || !jail->program || clock_getcpuclockid(jail->program, &clock) != 0 ||
        clock_gettime(clock, &t) != 0)
        return jail->cpu_seconds;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool jail_signal(const struct jail *jail, int number)
{
    if (jail->ended || !jail->program)
        return false;
    if (jail->program_fd >= 0)
        return syscall(SYS_pidfd_send_signal, jail->program_fd, number, NULL, 0) == 0;
    return kill(jail->program, number) == 0;
}

void jail_pin(struct jail *jail)
{
    jail_find(jail);
    if (!jail->ended && jail->program)
        pin_threads(jail->program, jail->limits.processors);
}

/* P_PIDFD by its number: the headers of a C library before 2.36 lack the name. */
enum { PIDFD = 3 };

/* Bubblewrap's monitor ends a moment before its namespace does: wait for that. */
static void wait_for_namespace(struct jail *jail)
{
    if (jail->first_fd < 0)
        return;
    struct pollfd fd = {jail->first_fd, POLLIN, 0};
    syscall(SYS_pidfd_send_signal, jail->first_fd, SIGKILL, NULL, 0);
    poll(&fd, 1, KILL_MILLISECONDS);
    siginfo_t info; /* its monitor is gone: it is ours to reap */
    waitid((idtype_t)PIDFD, (id_t)jail->first_fd, &info, WEXITED | WNOHANG);
    close(jail->first_fd);
}

/* Without namespaces: reap what the program left behind, which was killed with it. */
static void wait_for_group(const struct jail *jail)
{
    double until = clock_now() + 1e-3 * KILL_MILLISECONDS;
    /* One that is not reaped yet keeps the group's number. */
    for (pid_t one; (one = waitpid(-jail->pid, NULL, WNOHANG)) >= 0 && clock_now() < until;)
        if (one == 0) {
            kill(-jail->pid, SIGKILL);
            usleep(200);
        }
}

static void finish(struct jail *jail, struct jail_end *end, char *output, size_t output_size)
{
    *end = (struct jail_end){.wall_seconds = clock_now() - jail->start,
                             .cpu_seconds = jail->cpu_seconds};
    wait_for_namespace(jail);
    wait_for_group(jail);
    jail_explain(jail, end);
    jail_copy_output(jail, output, output_size);
    if (jail->writable)
        jail_give(jail->writable, getuid(), getgid());
    free(jail->writable);
    jail_register(jail, NULL);
    close(jail->pipe);
    close(jail->pid_fd);
    if (jail->program_fd >= 0)
        close(jail->program_fd);
    free(jail->text);
    free(jail);
}

/* Kill from within, then, should that not do, from outside. A process that a driver holds may not
 * die at all: it is left to itself. */
static void kill_now(struct jail *jail)
{
    double begin = clock_now(), until = begin + 1e-3 * KILL_MILLISECONDS;
    jail->killed = true;
    jail_find(jail);
    kill_tree(jail);
    while (jail_alive(jail, 20))
        if (clock_now() > begin + STUCK_SECONDS) {
            jail->status = SIGKILL;
            jail->ended = true;
        } else if (clock_now() > until) {
            kill(-jail->pid, SIGKILL);
        }
}

void jail_wait(struct jail *jail, struct jail_end *end, char *output, size_t output_size)
{
    double until = clock_now() + jail->limits.wall_seconds;
    while (jail_alive(jail, 100))
        if (hpc_interrupted() || clock_now() > until) {
            jail->wall_limit = !hpc_interrupted();
            kill_now(jail);
        }
    finish(jail, end, output, output_size);
}

void jail_kill(struct jail *jail, struct jail_end *end, char *output, size_t output_size)
{
    if (jail_alive(jail, 0))
        kill_now(jail);
    finish(jail, end, output, output_size);
}

void jail_kill_all(void)
{
    for (int i = 0; i < MAX_LIVING; i++)
        if (living[i])
            kill_tree(living[i]);
}
