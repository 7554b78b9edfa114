/* Running a program on the CPU device: in a process group of its own that ends with it, with the
 * terminal; several times in different orders of threads, where that is asked for. */
#define _GNU_SOURCE
#include "harness/cuda.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device/runtime/device.h"
#include "harness/command.h"
#include "harness/interrupt.h"

#define INTERRUPTED 130

/* How one run ended. */
struct end {
    bool timed_out, interrupted;
    int status; /* as waitpid gives it */
};

/* In the child: never returns. */
static void become(const struct cuda_job *job, const char *out, const char *err_file)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (isatty(STDIN_FILENO)) {
        signal(SIGTTOU, SIG_IGN);
        tcsetpgrp(STDIN_FILENO, getpgrp());
        signal(SIGTTOU, SIG_DFL);
    }
    signal(SIGPIPE, SIG_DFL);
    int fd = out ? open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666) : STDOUT_FILENO;
    int fd2 = err_file ? open(err_file, O_WRONLY | O_CREAT | O_TRUNC, 0666) : STDERR_FILENO;
    if (fd < 0 || fd2 < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd2, STDERR_FILENO) < 0)
        _exit(127);
    execv(job->program, job->arguments);
    _exit(127);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Wait for the program; at the deadline, or after a signal to us, kill its group. */
static void wait_for(pid_t pid, int timeout, struct end *end)
{
    sigset_t child, before;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    double deadline = timeout > 0 ? now() + timeout : 0;
    while (waitpid(pid, &end->status, WNOHANG) == 0) {
        double left = deadline > 0 ? deadline - now() : 1;
        if (hpc_interrupted() || left <= 0) {
            end->interrupted = hpc_interrupted();
            end->timed_out = !end->interrupted;
            kill(-pid, SIGKILL);
            while (waitpid(pid, &end->status, 0) < 0 && errno == EINTR)
                ;
            break;
        }
        struct timespec nap = {.tv_nsec = left < 0.2 ? (long)(left * 1e9) : 200000000};
        sigtimedwait(&child, NULL, &nap);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    kill(-pid, SIGKILL); /* what it has left behind */
    if (WIFSIGNALED(end->status) && WTERMSIG(end->status) == SIGINT)
        end->interrupted = true;
}

static bool run_once(const struct cuda_job *job, const char *out, const char *err_file,
                     struct end *end, struct hpc_error *err)
{
    *end = (struct end){0};
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become(job, out, err_file);
    if (pid < 0)
        return hpc_fail_env(err, "the program cannot be started: %s", strerror(errno));
    setpgid(pid, pid); /* whoever comes first */
    wait_for(pid, job->timeout, end);
    if (isatty(STDIN_FILENO)) {
        signal(SIGTTOU, SIG_IGN);
        tcsetpgrp(STDIN_FILENO, getpgrp());
        signal(SIGTTOU, SIG_DFL);
    }
    return true;
}

/* What is to be said of an end, and the exit status for it. */
static int tell(const struct cuda_job *job, const struct end *end)
{
    const char *file = job->files[0];
    if (end->interrupted)
        return INTERRUPTED;
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
    if (status != 0 && status != DEV_EXIT_REPORTS)
        fprintf(stderr, "hpclab: %s: the program ended with status %d, expected 0\n", file, status);
    return status == 0 ? HPC_EXIT_OK : HPC_EXIT_BELOW;
}

/* The first line in which two texts differ: pointers to it in both; false where they are equal. */
static bool first_difference(const char **a, const char **b)
{
    const char *line_a = *a, *line_b = *b;
    for (; **a && **a == **b; (*a)++, (*b)++)
        if (**a == '\n') {
            line_a = *a + 1;
            line_b = *b + 1;
        }
    if (**a == **b)
        return false;
    *a = line_a;
    *b = line_b;
    return true;
}

/* A schedule report: as text, or as one line of JSON for HPC_DEVICE_KEY. */
static void report_difference(const char *order, const char *file, int line, const char *what)
{
    static const char advice[] = "look for threads that use what others write without a barrier "
                                 "between, and for memory that is read before it is written";
    const char *key = getenv("HPC_DEVICE_KEY");
    if (key && *key)
        fprintf(stderr,
                "@%s {\"kind\":\"schedule\",\"file\":\"%s\",\"line\":%d,\"text\":\"%s differs "
                "between the order forward and the order %s of threads and blocks\","
                "\"advice\":\"%s\"}\n",
                key, file, line, what, order, advice);
    else if (line > 0)
        fprintf(stderr,
                "%s:%d: schedule: %s differs between the order forward and the order %s of "
                "threads and blocks\n  %s\n",
                file, line, what, order, advice);
    else
        fprintf(stderr,
                "%s: schedule: %s differs between the order forward and the order %s of "
                "threads and blocks\n  %s\n",
                file, what, order, advice);
}

/* Compare what two runs copied to the host, and what they printed. */
static bool same_results(const struct cuda_job *job, const char *order, struct hpc_error *err)
{
    char *copies0 = command_text(job->folder, "copies-0", err);
    char *copies = command_text(job->folder, "copies", err);
    char *out0 = command_text(job->folder, "stdout-0", err);
    char *out = command_text(job->folder, "stdout", err);
    const char *a = copies0, *b = copies, *c = out0, *d = out;
    bool same = a && b && c && d;
    if (same && first_difference(&a, &b)) {
        /* FILE:LINE BYTES HASH */
        const char *at = *a ? a : b;
        size_t length = strcspn(at, " \n");
        char *place = strndup(at, length), *colon = strrchr(place, ':');
        if (colon)
            *colon = '\0';
        report_difference(order, place, colon ? atoi(colon + 1) : 0, "what is copied to the host");
        free(place);
        same = false;
    } else if (same && first_difference(&c, &d)) {
        report_difference(order, job->files[0], 0, "what the program prints");
        same = false;
    }
    free(copies0);
    free(copies);
    free(out0);
    free(out);
    return same;
}

static void show(const struct cuda_job *job, const char *name, FILE *to)
{
    char *text = command_text(job->folder, name, NULL);
    if (text)
        fputs(text, to);
    fflush(to);
    free(text);
}

static void order_name(int k, char *name, size_t size)
{
    if (k < 2)
        snprintf(name, size, "%s", k == 0 ? "forward" : "reverse");
    else
        snprintf(name, size, "random:%d", k - 1);
}

/* One run for each order; the first is what the user sees. */
static int run_schedules(const struct cuda_job *job, struct hpc_error *err)
{
    int worst = HPC_EXIT_OK;
    for (int k = 0; k < job->schedules && worst != INTERRUPTED; k++) {
        char order[40];
        struct end end;
        char *copies = hpc_printf("%s/copies%s", job->folder, k == 0 ? "-0" : "");
        char *out = hpc_printf("%s/stdout%s", job->folder, k == 0 ? "-0" : "");
        char *errors = hpc_printf("%s/stderr", job->folder);
        order_name(k, order, sizeof order);
        FILE *empty = fopen(copies, "w");
        if (empty)
            fclose(empty);
        setenv("HPC_DEVICE_ORDER", order, 1);
        setenv("HPC_DEVICE_COPIES", copies, 1);
        bool ok = run_once(job, out, k == 0 ? NULL : errors, &end, err);
        if (k == 0)
            show(job, "stdout-0", stdout);
        int status = ok ? HPC_EXIT_OK : HPC_EXIT_ENVIRONMENT;
        bool first_bad = worst == HPC_EXIT_OK;
        if (ok && k > 0 && first_bad && WIFEXITED(end.status) && WEXITSTATUS(end.status) != 0)
            show(job, "stderr", stderr);
        if (ok && (k == 0 || first_bad || end.interrupted))
            status = tell(job, &end);
        if (status == HPC_EXIT_OK && k > 0 && !same_results(job, order, err))
            status = HPC_EXIT_BELOW;
        free(copies);
        free(out);
        free(errors);
        if (status > worst)
            worst = status;
        if (status == HPC_EXIT_BELOW && k > 0)
            break; /* once is enough */
    }
    return worst;
}

int cuda_run(const struct cuda_job *job, struct hpc_error *err)
{
    struct end end;
    if (job->schedules > 1)
        return run_schedules(job, err);
    if (!run_once(job, NULL, NULL, &end, err))
        return HPC_EXIT_ENVIRONMENT;
    return tell(job, &end);
}
