#define _GNU_SOURCE
#include "harness/jail/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void fail(const char *what)
{
    dprintf(STDERR_FILENO, "jail: %s: %s\n", what, strerror(errno));
    _exit(127);
}

static void limit(int resource, rlim_t soft, rlim_t hard)
{
    struct rlimit old;
    if (getrlimit(resource, &old) == 0 && hard > old.rlim_max)
        hard = old.rlim_max;
    struct rlimit value = {soft < hard ? soft : hard, hard};
    if (setrlimit(resource, &value) != 0)
        fail("a resource limit");
}

/* The processors that it may run on, of those that are there. */
static void set_processors(const struct confine *c)
{
    bool any = false;
    for (int i = 0; i < CONFINE_PROCESSORS; i++)
        any |= c->processors[i] != 0;
    if (any && syscall(SYS_sched_setaffinity, 0, sizeof c->processors, c->processors) != 0)
        fail("its processors");
}

/* All but that on descriptors. */
static void set_limits(const struct confine *c)
{
    limit(RLIMIT_CORE, 0, 0);
    if (c->cpu_seconds) /* a second between the signal that says so and the one that kills */
        limit(RLIMIT_CPU, c->cpu_seconds, c->cpu_seconds + 1);
    if (c->memory_bytes)
        limit(RLIMIT_AS, c->memory_bytes, c->memory_bytes);
    if (c->file_bytes)
        limit(RLIMIT_FSIZE, c->file_bytes, c->file_bytes);
    if (c->processes) {
        limit(RLIMIT_NPROC, c->processes, c->processes);
        limit(RLIMIT_SIGPENDING, CONFINE_MAX_PENDING, CONFINE_MAX_PENDING);
    }
    if (c->fixed_addresses)
        personality(ADDR_NO_RANDOMIZE);
}

/* Open the program under its number, and leave no room for others. */
static void open_program(const char *path)
{
    struct rlimit room = {CONFINE_PROGRAM_FD + 1, CONFINE_PROGRAM_FD + 1};
    struct rlimit old;
    if (getrlimit(RLIMIT_NOFILE, &old) == 0 && old.rlim_cur <= CONFINE_PROGRAM_FD) {
        room.rlim_max = old.rlim_max > room.rlim_max ? old.rlim_max : room.rlim_max;
        if (setrlimit(RLIMIT_NOFILE, &room) != 0)
            fail("room for the program's descriptor");
    }
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        fail(path);
    if (dup3(fd, CONFINE_PROGRAM_FD, O_CLOEXEC) < 0)
        fail("the program's descriptor");
    close(fd);
}

void confine_become_user(uint64_t user)
{
    uid_t id = (uid_t)user;
    if (setgroups(0, NULL) != 0 || setresgid(id, id, id) != 0 || setresuid(id, id, id) != 0)
        fail("a user id of its own");
}

/* Of root, which keeps its files but nothing beyond. */
static void drop_capabilities(void)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}, {0}};
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    for (int c = 0; c < 64; c++)
        prctl(PR_CAPBSET_DROP, c, 0, 0, 0);
    if (syscall(SYS_capset, &head, none) != 0)
        fail("giving up capabilities");
}

/* Whether nobody reads what this process prints: who started it has died. PR_SET_PDEATHSIG says
 * nothing of a death before it, and bubblewrap sets it late, without a look. */
static bool abandoned(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

void confine_start(const struct confine *c, char *const *argv, char *const *env)
{
    if (chdir(c->folder[0] ? c->folder : "/") != 0)
        fail(c->folder);
    set_processors(c);
    if (c->alone) /* while its path can still be walked */
        open_program(argv[0]);
    if (c->drop_capabilities)
        drop_capabilities();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        fail("no new privileges");
    if (c->landlock && !confine_landlock(c))
        fail("landlock");
    if (c->user)
        confine_become_user(c->user);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* here, since a change of user clears it */
    if ((c->parent && getppid() != c->parent) || abandoned())
        _exit(127);
    limit(RLIMIT_NOFILE, CONFINE_MAX_FDS, CONFINE_MAX_FDS);
    set_limits(c);
    if (!confine_filters(c))
        fail("the filter of system calls");
    if (c->alone)
        syscall(SYS_execveat, CONFINE_PROGRAM_FD, "", argv, env, AT_EMPTY_PATH);
    else
        execve(argv[0], argv, env);
    fail(argv[0]);
    __builtin_unreachable();
}
