/* One untrusted process: started, watched, ended with all that it started. How its jail is made
 * stands in jail_bubblewrap.c (namespaces), jail_enter.c (limits), jail_filter.c (no fork), the
 * words for its end in jail_end.c. */
#define _GNU_SOURCE
#include "harness/jail_internal.h"
#include "harness/pin.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PIPE_BYTES        (1 << 20)
#define KILL_MILLISECONDS 2000  /* for a namespace to die from within */
#define FIND_SECONDS      0.002 /* between looks for the program, while it starts */
#define MAX_LIVING        16

/* Every living jail, so that whoever ends this program can end them: the one exception to "no
 * globals", since a signal leaves no other way to them. */
static struct jail *living[MAX_LIVING];

static void register_jail(struct jail *old, struct jail *new)
{
    for (int i = 0; i < MAX_LIVING; i++)
        if (living[i] == old) {
            living[i] = new;
            return;
        }
    HPC_ASSERT(!"too many jails at once");
}

double jail_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The filter in a file, as bubblewrap wants it; -1 where there is none. */
static int filter_file(const struct sock_fprog *filter)
{
    int fd = filter ? memfd_create("seccomp", MFD_CLOEXEC) : -1;
    size_t bytes = fd < 0 ? 0 : filter->len * sizeof *filter->filter;
    if (fd >= 0 && pwrite(fd, filter->filter, bytes, 0) != (ssize_t)bytes) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* What the child becomes. Does not return. */
static void become(const struct jail_spec *spec, const struct bubblewrap *b, char *const *argv,
                   char *const *env, const struct sock_fprog *filter)
{
    if (!b) {
        if (spec->folder && chdir(spec->folder) != 0)
            _exit(127);
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (filter)
            prctl(PR_SET_SECCOMP, 2 /* SECCOMP_MODE_FILTER */, filter);
    }
    execve(argv[0], argv, env);
    dprintf(STDERR_FILENO, "cannot start %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

static struct jail *adopt(pid_t pid, int pipe_fd, const struct jail_spec *spec, bool namespaced)
{
    struct jail *jail = hpc_calloc(1, sizeof *jail);
    jail->pid = pid;
    jail->pid_fd = (int)syscall(SYS_pidfd_open, pid, 0);
    jail->first_fd = -1;
    jail->pipe = pipe_fd;
    jail->tier = namespaced ? JAIL_BUBBLEWRAP : JAIL_LIMITS;
    jail->limits = spec->limits;
    jail->start = jail_now();
    jail->text = hpc_malloc(spec->limits.output_bytes + 1);
    register_jail(NULL, jail);
    return jail;
}

struct jail *jail_start_with(const struct jail_spec *spec, const struct bubblewrap *b,
                             struct hpc_error *err)
{
    const struct sock_fprog *filter = spec->build ? NULL : jail_no_fork();
    struct jail_words argv = {.n = 0}, env = {.n = 0};
    int filter_fd = b ? filter_file(filter) : -1;
    for (const char *const *e = spec->env; *e; e++)
        jail_words_add(&env, "%s", *e);
    if (b && b->libraries[0])
        jail_words_add(&env, "LD_LIBRARY_PATH=%s", b->libraries);
    if (b)
        bubblewrap_words(b, spec, filter_fd, &argv);
    else
        for (const char *const *a = spec->argv; *a; a++)
            jail_words_add(&argv, "%s", *a);

    struct jail *jail = NULL;
    int ends[2];
    pid_t parent = getpid(), pid = -1;
    fflush(NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* what loses its parent becomes ours, not init's */
    if (pipe2(ends, O_CLOEXEC) == 0) {
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES);
        pid = fork();
        if (pid == 0) {
            jail_enter(spec, parent, ends[1], filter_fd);
            become(spec, b, argv.word, env.word, filter);
        }
        close(ends[1]);
        if (pid < 0)
            close(ends[0]);
    }
    if (pid < 0)
        hpc_fail_env(err, "cannot start a process: %s", strerror(errno));
    else {
        setpgid(pid, pid); /* whoever of the two is first */
        jail = adopt(pid, ends[0], spec, b != NULL);
    }
    if (filter_fd >= 0)
        close(filter_fd);
    jail_words_free(&argv);
    jail_words_free(&env);
    return jail;
}

struct jail *jail_start(const struct jail_spec *spec, struct hpc_error *err)
{
    return jail_start_with(spec, bubblewrap_here(), err);
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
        if (jail->printed > JAIL_DROP_FACTOR * jail->limits.output_bytes && !jail->ended) {
            jail->output_limit = jail->killed = true;
            kill_tree(jail);
            return;
        }
    }
}

bool jail_alive(struct jail *jail, int milliseconds)
{
    double until = jail_now() + milliseconds * 1e-3;
    for (bool closed = false; !jail->ended;) {
        jail_find(jail);
        jail->cpu_seconds = jail_cpu_seconds(jail);
        drain(jail);
        if (waitpid(jail->pid, &jail->status, WNOHANG) == jail->pid) {
            kill(-jail->pid, SIGKILL); /* without namespaces: what it may have left behind */
            jail->ended = true;
            drain(jail);
            break;
        }
        double left = until - jail_now();
        if (left <= 0)
            break;
        if (!jail->program && left > FIND_SECONDS)
            left = FIND_SECONDS;
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

void jail_pin(struct jail *jail)
{
    jail_find(jail);
    if (!jail->ended && jail->program)
        pin_threads(jail->program);
}

/* Bubblewrap's monitor ends a moment before its namespace does: wait for that. */
static void wait_for_namespace(struct jail *jail)
{
    if (jail->first_fd < 0)
        return;
    struct pollfd fd = {jail->first_fd, POLLIN, 0};
    syscall(SYS_pidfd_send_signal, jail->first_fd, SIGKILL, NULL, 0);
    poll(&fd, 1, KILL_MILLISECONDS);
    siginfo_t info; /* its monitor is gone: it is ours to reap */
    waitid(P_PIDFD, (id_t)jail->first_fd, &info, WEXITED | WNOHANG);
    close(jail->first_fd);
}

static void finish(struct jail *jail, struct jail_end *end, char *output, size_t output_size)
{
    *end = (struct jail_end){.wall_seconds = jail_now() - jail->start,
                             .cpu_seconds = jail->cpu_seconds};
    wait_for_namespace(jail);
    while (waitpid(-jail->pid, NULL, WNOHANG) > 0)
        ; /* without namespaces: what the program left behind */
    jail_explain(jail, end);
    jail_copy_output(jail, output, output_size);
    register_jail(jail, NULL);
    close(jail->pipe);
    close(jail->pid_fd);
    free(jail->text);
    free(jail);
}

/* Kill from within, then, should that not do, from outside. */
static void kill_now(struct jail *jail)
{
    double until = jail_now() + 1e-3 * KILL_MILLISECONDS;
    jail->killed = true;
    jail_find(jail);
    kill_tree(jail);
    while (jail_alive(jail, 20))
        if (jail_now() > until)
            kill(-jail->pid, SIGKILL);
}

void jail_wait(struct jail *jail, struct jail_end *end, char *output, size_t output_size)
{
    double until = jail_now() + jail->limits.wall_seconds;
    while (jail_alive(jail, 100))
        if (jail_now() > until) {
            jail->wall_limit = true;
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
