/* One run of a program on the CPU device: in a process group of its own that ends with it, with the
 * terminal. */
#define _GNU_SOURCE
#include "harness/cuda/cuda.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/runtime/device.h"
#include "common/clock.h"
#include "common/interrupt.h"

/* In the child: never returns. */
static void become(const struct cuda_job *job, const int stdio[3])
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (isatty(STDIN_FILENO)) {
        signal(SIGTTOU, SIG_IGN);
        tcsetpgrp(STDIN_FILENO, getpgrp());
        signal(SIGTTOU, SIG_DFL);
    }
    signal(SIGPIPE, SIG_DFL);
    if (dup2(stdio[1], STDOUT_FILENO) < 0 || dup2(stdio[2], STDERR_FILENO) < 0)
        _exit(127);
    execv(job->program, job->arguments);
    _exit(127);
}

/* Whether the program has ended; it is not reaped, so that its number stays its own. */
static bool has_ended(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid;
}

/* Wait for the program; at the deadline, or after a signal to us, stop waiting. Its group is killed
 * before it is reaped: what it has left behind ends, and nobody else can have its number. */
static void wait_for(pid_t pid, int timeout, struct cuda_end *end)
{
    sigset_t child, before;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    double deadline = timeout > 0 ? clock_now() + timeout : 0;
    while (!has_ended(pid)) {
        double left = deadline > 0 ? deadline - clock_now() : 1;
        if (hpc_interrupted() || left <= 0) {
            end->interrupted = hpc_interrupted();
            end->timed_out = !end->interrupted;
            break;
        }
        struct timespec nap = {.tv_nsec = left < 0.2 ? (long)(left * 1e9) : 200000000};
        sigtimedwait(&child, NULL, &nap);
    }
    kill(-pid, SIGKILL);
    while (waitpid(pid, &end->status, 0) < 0 && errno == EINTR)
        ;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (WIFSIGNALED(end->status) && WTERMSIG(end->status) == SIGINT)
        end->interrupted = true;
}

static bool run_as_user(const struct cuda_job *job, const int stdio[3], struct cuda_end *end,
                        struct hpc_error *err)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become(job, stdio);
    if (pid < 0)
        return hpc_fail_env(err, "the program cannot be started: %s", strerror(errno));
    setpgid(pid, pid); /* whoever comes first */
    wait_for(pid, job->timeout, end);
    return true;
}

/* A file for what a program prints, or the descriptor where there is none. */
static int print_to(const char *path, int otherwise)
{
    return path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : otherwise;
}

bool cuda_run_once(const struct cuda_job *job, const char *out, const char *err_file,
                   struct cuda_end *end, struct hpc_error *err)
{
    const int stdio[3] = {STDIN_FILENO, print_to(out, STDOUT_FILENO),
                          print_to(err_file, STDERR_FILENO)};
    *end = (struct cuda_end){0};
    const bool good = stdio[1] < 0 || stdio[2] < 0
                          ? hpc_fail_env(err, "%s: %s", job->folder, strerror(errno))
                      : job->no_jail ? run_as_user(job, stdio, end, err)
                                     : cuda_run_jailed(job, stdio, end, err);
    for (int fd = 1; fd < 3; fd++)
        if (stdio[fd] > STDERR_FILENO)
            close(stdio[fd]);
    if (isatty(STDIN_FILENO)) {
        signal(SIGTTOU, SIG_IGN);
        tcsetpgrp(STDIN_FILENO, getpgrp());
        signal(SIGTTOU, SIG_DFL);
    }
    return good;
}

/* Where a program did not end well, it may have missed something in its jail. */
static void tell_jail(const struct cuda_job *job)
{
    if (!job->no_jail)
        fprintf(stderr, "hpclab: it ran in a jail: it reads this folder and the files that its "
                        "arguments name, writes in\nhpclab: $TMPDIR alone, and has no network; "
                        "--no-jail gives it all that is yours\n");
}

int cuda_tell(const struct cuda_job *job, const struct cuda_end *end)
{
    const char *file = job->files[0];
    if (end->interrupted)
        return CUDA_INTERRUPTED;
    if (end->timed_out) {
        fprintf(stderr,
                "hpclab: %s: did not end within %d s, expected it to; does it hang? "
                "--timeout S gives it more\n",
                file, job->timeout);
        return HPC_EXIT_BELOW;
    }
    if (WIFSIGNALED(end->status)) {
        int number = WTERMSIG(end->status);
        fprintf(stderr, "hpclab: %s: ended by signal %d (%s)%s\n", file, number, strsignal(number),
                strcmp(job->mode, "run") == 0 ? "; --mode check may say where" : "");
        return HPC_EXIT_BELOW;
    }
    int status = WEXITSTATUS(end->status);
    if (status != 0 && status != DEV_EXIT_REPORTS && status != DEV_EXIT_REFUSED) {
        fprintf(stderr, "hpclab: %s: the program ended with status %d, expected 0\n", file, status);
        tell_jail(job);
    }
    return status == 0 ? HPC_EXIT_OK : HPC_EXIT_BELOW;
}
