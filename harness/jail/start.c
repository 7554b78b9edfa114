/* Starting a process in its jail: the plan is made here, where memory can still be had and errors
 * be told; the child only follows it. */
#define _GNU_SOURCE
#include "common/clock.h"
#include "common/defence.h"
#include "harness/jail/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PIPE_BYTES (1 << 20)

/* What jail-inside is to do, in a file for it; -1 where none can be made. */
static int confine_file(const struct confine *c)
{
    int fd = memfd_create("confine", MFD_CLOEXEC);
    if (fd >= 0 && pwrite(fd, c, sizeof *c, 0) != (ssize_t)sizeof *c) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* All that a child needs to become the program. */
struct plan {
    const struct jail_spec *spec;
    struct confine confine;
    struct command_line argv, env;
    int confine_fd; /* -1: the child confines itself */
    uid_t user;
};

/* The environment is what the jail's owner lists, and nothing of ours. */
static void add_environment(struct plan *p)
{
    for (const char *const *e = p->spec->env; *e; e++)
        command_add(&p->env, *e);
    if (DEFENCE(environment))
        return;
    for (char **e = environ; *e; e++)
        command_add(&p->env, *e);
}

static bool make_plan(struct plan *p, const struct jail_way *way, struct hpc_error *err)
{
    const struct jail_spec *spec = p->spec;
    bool wrapped = way->tier == JAIL_BUBBLEWRAP;
    /* bubblewrap does without where its user would not find what is to be bound */
    bool own_user = way->own_user && (!wrapped || jail_others_reach(spec));
    p->user = own_user ? jail_user(jail_free_slot()) : 0;
    if (own_user && !p->user)
        return hpc_fail_env(err, "no user id is free for a jail");
    jail_plan(spec, way, p->user, &p->confine);
    if (way->filter && !jail_seccomp(spec, &p->confine))
        return hpc_fail_env(err, "libseccomp can't make the filter of a jail");
    add_environment(p);
    if (wrapped) {
        p->confine_fd = confine_file(&p->confine);
        if (p->confine_fd < 0)
            return hpc_fail_env(err, "cannot make a file in memory: %s", strerror(errno));
        if (way->bubblewrap.libraries[0])
            command_add_printf(&p->env, "LD_LIBRARY_PATH=%s", way->bubblewrap.libraries);
        bubblewrap_words(&way->bubblewrap, spec, p->confine_fd, &p->argv);
    }
    for (const char *const *a = spec->argv; *a; a++)
        command_add(&p->argv, *a);
    return true;
}

static void drop_plan(struct plan *p)
{
    if (p->confine_fd >= 0)
        close(p->confine_fd);
    command_line_clear(&p->argv);
    command_line_clear(&p->env);
    free(p);
}

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

/* A program that is given the user's terminal may read from it. */
static void take_terminal(void)
{
    if (!isatty(STDIN_FILENO))
        return;
    signal(SIGTTOU, SIG_IGN);
    tcsetpgrp(STDIN_FILENO, getpgrp());
    signal(SIGTTOU, SIG_DFL);
}

/* In the child, before anything else: descriptors, signals, standard streams. */
static void enter(const struct jail_spec *spec, pid_t parent, int output, int keep_fd)
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
    const int nothing[3] = {open("/dev/null", O_RDONLY), output, output};
    const int *const stdio = spec->stdio ? spec->stdio : nothing;
    if (spec->stdio)
        take_terminal();
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        dup2(stdio[fd], fd);
    if (DEFENCE(descriptors))
        close_others(spec, keep_fd);
    else
        keep_all();
}

/* What the child becomes. Does not return. */
static void become(const struct plan *p)
{
    if (p->confine_fd < 0)
        confine_start(&p->confine, p->argv.word, p->env.word);
    if (p->user) /* who then makes its namespaces as any user does */
        confine_become_user(p->user);
    execve(p->argv.word[0], p->argv.word, p->env.word);
    dprintf(STDERR_FILENO, "cannot start %s: %s\n", p->argv.word[0], strerror(errno));
    _exit(127);
}

static struct jail *adopt(pid_t pid, int pipe_fd, const struct plan *p, enum jail_tier tier)
{
    struct jail *jail = hpc_calloc(1, sizeof *jail);
    jail->pid = pid;
    jail->pid_fd = (int)syscall(SYS_pidfd_open, pid, 0);
    jail->first_fd = jail->program_fd = -1;
    jail->pipe = pipe_fd;
    jail->tier = tier;
    jail->limits = p->spec->limits;
    jail->user = p->user;
    if (p->user && p->spec->writable)
        jail->writable = hpc_strdup(p->spec->writable);
    jail->makes_files = tier == JAIL_BUBBLEWRAP && jail_makes_files(p->spec);
    jail->start = clock_now();
    jail->text = hpc_malloc(p->spec->limits.output_bytes + 1);
    jail_register(NULL, jail);
    return jail;
}

struct jail *jail_start_in(const struct jail_spec *spec, const struct jail_way *way,
                           struct hpc_error *err)
{
    struct plan *p = hpc_calloc(1, sizeof *p);
    struct jail *jail = NULL;
    int ends[2];
    pid_t parent = getpid(), pid = -1;
    HPC_ASSERT(spec->profile != JAIL_MPI ||
               (way->tier == JAIL_BUBBLEWRAP && !spec->gpu && spec->limits.resident_bytes &&
                spec->limits.processes > 0));
    p->spec = spec;
    p->confine_fd = -1;
    if (!make_plan(p, way, err)) {
        drop_plan(p);
        return NULL;
    }
    if (p->user && spec->writable)
        jail_give(spec->writable, p->user, (gid_t)p->user);
    fflush(NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* what loses its parent becomes ours, not init's */
    if (pipe2(ends, O_CLOEXEC) == 0) {
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES);
        pid = fork();
        if (pid == 0) {
            enter(spec, parent, ends[1], p->confine_fd);
            become(p);
        }
        close(ends[1]);
        if (pid < 0)
            close(ends[0]);
    }
    if (pid < 0)
        hpc_fail_env(err, "cannot start a process: %s", strerror(errno));
    else {
        setpgid(pid, pid); /* whoever of the two is first */
        jail = adopt(pid, ends[0], p, way->tier);
    }
    drop_plan(p);
    return jail;
}
