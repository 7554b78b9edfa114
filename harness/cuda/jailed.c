/* One run of a program on the CPU device in the jail of a solution: it keeps the terminal, its
 * arguments and its exit status, reads the current folder and what its arguments name, and writes
 * in a folder of its own. */
#define _GNU_SOURCE
#include "harness/cuda/cuda.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/command.h"
#include "common/interrupt.h"
#include "harness/jail/jail.h"

#define PROCESSES  1024        /* of a program and of what it starts, threads included */
#define FILE_BYTES (4UL << 30) /* a file's on the disk */
#define TMP_BYTES  (256 << 20) /* of /tmp, and of /dev/shm, which are in memory */

struct jailed {
    char *path[JAIL_MAX_BINDS]; /* that it reads */
    int n;
    struct command_line argv, env;
    char *folder, *own; /* where it starts; where it writes */
};

/* Whether `path` is the folder or lies in it. */
static bool inside(const char *path, const char *folder)
{
    const size_t n = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

static void show(struct jailed *j, const char *path)
{
    bool shown = j->n == JAIL_MAX_BINDS - 1;
    for (int i = 0; i < j->n; i++)
        shown |= inside(path, j->path[i]);
    if (!shown)
        j->path[j->n++] = hpc_strdup(path);
}

/* The current folder, and files and folders that arguments name; but no folder that the user's home
 * is or lies in. */
static void show_files(struct jailed *j, const struct cuda_job *job)
{
    char here[PATH_MAX], home[PATH_MAX], real[PATH_MAX];
    const char *named = getenv("HOME");
    if (!named || !realpath(named, home))
        strcpy(home, "/root");
    if (!realpath(".", here))
        strcpy(here, "/");
    if (!inside(home, here))
        show(j, here);
    for (char **a = job->arguments + 1; *a; a++) {
        struct stat st;
        if (realpath(*a, real) && stat(real, &st) == 0 &&
            (S_ISREG(st.st_mode) || (S_ISDIR(st.st_mode) && !inside(home, real))))
            show(j, real);
    }
    bool below = false;
    for (int i = 0; i < j->n; i++)
        below |= inside(j->path[i], here);
    j->folder = hpc_strdup(below ? here : j->own);
}

/* What a program may know of the user's environment: words for OpenMP, the device and sanitizers,
 * and how to print. */
static void add_environment(struct jailed *j)
{
    static const char *const passed[] = {
        "OMP_", "GOMP_", "HPC_DEVICE_",    "ASAN_OPTIONS=", "LANG=",
        "LC_",  "TERM=", "UBSAN_OPTIONS=", "TZ=",           "CUDA_"};
    for (char **e = environ; *e; e++)
        for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
            if (strncmp(*e, passed[i], strlen(passed[i])) == 0)
                command_add(&j->env, *e);
    command_add(&j->env, "PATH=/usr/bin:/bin");
    command_add_printf(&j->env, "HOME=%s", j->own);
    command_add_printf(&j->env, "TMPDIR=%s", j->own);
}

/* The program's words; what they name by where the user is gets its whole name where the program
 * starts elsewhere. */
static void add_words(struct jailed *j, const struct cuda_job *job)
{
    const bool elsewhere = strcmp(j->folder, j->own) == 0;
    command_add(&j->argv, job->program);
    for (char **a = job->arguments + 1; *a; a++) {
        char real[PATH_MAX];
        command_add(&j->argv, elsewhere && realpath(*a, real) ? real : *a);
    }
}

static void fill(struct jailed *j, const struct cuda_job *job)
{
    *j = (struct jailed){.own = hpc_printf("%s/files", job->folder)};
    folder_make(j->own, NULL);
    show(j, job->program);
    show_files(j, job);
    add_environment(j);
    add_words(j, job);
}

static void clear(struct jailed *j)
{
    for (int i = 0; i < j->n; i++)
        free(j->path[i]);
    command_line_clear(&j->argv);
    command_line_clear(&j->env);
    free(j->folder);
    free(j->own);
}

/* Until it has ended, or is ended by the deadline or a signal to us. */
static void wait_for(struct jail *jail, int timeout, struct cuda_end *end)
{
    const double deadline = timeout > 0 ? clock_now() + timeout : 0;
    struct jail_end how;
    while (!end->interrupted && !end->timed_out && jail_alive(jail, 200)) {
        end->interrupted = hpc_interrupted();
        end->timed_out = !end->interrupted && deadline > 0 && clock_now() > deadline;
    }
    if (end->interrupted || end->timed_out)
        jail_kill(jail, &how, NULL, 0);
    else
        jail_wait(jail, &how, NULL, 0);
    end->status = how.exited ? how.exit_status << 8 : how.signal; /* as waitpid gives it */
    end->interrupted |= how.signal == SIGINT;
}

bool cuda_run_jailed(const struct cuda_job *job, const int stdio[3], struct cuda_end *end,
                     struct hpc_error *err)
{
    struct jailed j;
    struct hpc_error why;
    fill(&j, job);
    struct jail_spec spec = {.argv = (const char *const *)j.argv.word,
                             .env = (const char *const *)j.env.word,
                             .writable = job->folder,
                             .folder = j.folder,
                             .stdio = stdio,
                             .fds = {-1, -1},
                             .limits = {.wall_seconds = INT_MAX,
                                        .file_bytes = FILE_BYTES,
                                        .temporary_bytes = TMP_BYTES,
                                        .processes = PROCESSES},
                             .profile = JAIL_SANITIZED};
    for (int i = 0; i < j.n; i++)
        spec.read_only[i] = j.path[i];
    struct jail *jail = jail_start(&spec, &why);
    if (jail)
        wait_for(jail, job->timeout, end);
    else
        hpc_fail_env(err, "%.300s; --no-jail does without a jail", why.text);
    clear(&j);
    return jail != NULL;
}
