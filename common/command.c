#define _GNU_SOURCE
#include "common/command.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/defence.h"
#include "common/interrupt.h"

#define LOOK_MS 50 /* between looks for Ctrl-C */

enum { NO_FOLDER = 126, NOT_FOUND = 127 }; /* exit statuses of a child that could not start */

static void add_owned(struct command_line *c, char *word)
{
    HPC_ASSERT(c->n < COMMAND_WORDS);
    c->word[c->n++] = word;
    c->word[c->n] = NULL;
}

void command_add(struct command_line *c, const char *word)
{
    add_owned(c, hpc_strdup(word));
}

void command_add_printf(struct command_line *c, const char *format, ...)
{
    char *word = NULL;
    va_list args;
    va_start(args, format);
    HPC_ASSERT(vasprintf(&word, format, args) >= 0);
    va_end(args);
    add_owned(c, word);
}

void command_add_list(struct command_line *c, const char *const *words)
{
    for (; *words; words++)
        command_add(c, *words);
}

void command_add_text(struct command_line *c, const char *text)
{
    for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
        const int length = (int)strcspn(text, " \t");
        command_add_printf(c, "%.*s", length, text);
        text += length;
    }
}

static char *quote(const char *word)
{
    char *quoted = hpc_malloc(4 * strlen(word) + 3), *to = quoted;
    *to++ = '\'';
    for (; *word; word++)
        if (*word == '\'')
            to = stpcpy(to, "'\\''");
        else
            *to++ = *word;
    strcpy(to, "'");
    return quoted;
}

char *command_quoted(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./,:+@%";
    if (DEFENCE(quotes) && (!*word || word[strspn(word, plain)]))
        return quote(word);
    return hpc_strdup(word);
}

void command_line_clear(struct command_line *c)
{
    while (c->n > 0)
        free(c->word[--c->n]);
    c->word[0] = NULL;
}

/* The child. Does not return. */
static void become(const struct command *c)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (chdir(c->folder) != 0)
        _exit(NO_FOLDER);
    int fd = open(c->out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int log = open("log.txt", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0 || log < 0 || dup2(fd, 1) < 0 || dup2(log, 2) < 0)
        _exit(NO_FOLDER);
    if (c->env)
        putenv((char *)c->env);
    execvp(c->argv[0], (char *const *)c->argv);
    _exit(NOT_FOUND);
}

/* Until the process has ended; Ctrl-C ends it. */
static bool wait_for(struct command *c, int *status)
{
    struct rusage usage;
    struct pollfd fd = {.fd = (int)syscall(SYS_pidfd_open, c->pid, 0), .events = POLLIN};
    pid_t ended;
    while ((ended = wait4(c->pid, status, WNOHANG, &usage)) == 0) {
        if (hpc_interrupted())
            kill(c->pid, SIGKILL);
        poll(&fd, 1, LOOK_MS);
    }
    if (fd.fd >= 0)
        close(fd.fd);
    c->cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
             1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    return ended == c->pid;
}

static bool finish(struct command *c, struct hpc_error *err)
{
    int status;
    if (!wait_for(c, &status))
        return hpc_fail_env(err, "lost %s: %s", c->argv[0], strerror(errno));
    if (hpc_interrupted())
        return hpc_fail_env(err, "interrupted");
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        return hpc_fail_env(err, "%s is not installed; ./bootstrap brings it", c->argv[0]);
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           hpc_fail_env(err, "%s failed, see %s/log.txt", c->argv[0], c->folder);
}

bool commands_run(struct command *c, int n, struct hpc_error *err)
{
    struct hpc_error other;
    bool good = true;
    int started = 0;
    for (; good && started < n; started++) {
        fflush(NULL);
        c[started].pid = fork();
        if (c[started].pid == 0)
            become(&c[started]);
        if (c[started].pid < 0) {
            good = hpc_fail_env(err, "cannot start %s: %s", c[started].argv[0], strerror(errno));
            break;
        }
    }
    for (int i = 0; i < started; i++)
        good &= finish(&c[i], good ? err : &other);
    return good;
}

bool command_run(const char *const *argv, const char *folder, const char *out, double *cpu,
                 struct hpc_error *err)
{
    struct command c = {.argv = argv, .folder = folder, .out = out};
    bool good = commands_run(&c, 1, err);
    if (good && cpu)
        *cpu = c.cpu;
    return good;
}

char *command_text(const char *folder, const char *name, struct hpc_error *err)
{
    char *path = hpc_printf("%s/%s", folder, name), *text = NULL;
    size_t size = 0;
    FILE *f = fopen(path, "r");
    if (f && getdelim(&text, &size, '\0', f) < 0) {
        free(text);
        text = hpc_strdup("");
    }
    if (!f)
        hpc_fail_env(err, "%s: %s", path, strerror(errno));
    else
        fclose(f);
    free(path);
    return text;
}

bool folder_make(const char *folder, struct hpc_error *err)
{
    char *path = hpc_strdup(folder);
    for (char *p = path + 1;; p++) {
        char c = *p;
        if (c != '/' && c != '\0')
            continue;
        *p = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            hpc_fail_env(err, "cannot make %s: %s", path, strerror(errno));
            free(path);
            return false;
        }
        *p = c;
        if (c == '\0')
            break;
    }
    free(path);
    return true;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    return remove(path);
}

void folder_remove(const char *folder)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

const char *command_find(const char *name)
{
    static struct {
        char name[16], path[PATH_MAX];
    } known[16]; /* found out once */
    static int n;
    for (int i = 0; i < n; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].path[0] ? known[i].path : NULL;
    HPC_ASSERT(n < 16 && strlen(name) < sizeof known[0].name);
    const char *path = getenv("PATH");
    char *copy = hpc_strdup(path ? path : "/usr/bin:/bin"), *rest = NULL;
    bool found = false;
    for (char *p = strtok_r(copy, ":", &rest); p && !found; p = strtok_r(NULL, ":", &rest)) {
        snprintf(known[n].path, sizeof known[n].path, "%s/%s", p, name);
        found = p[0] == '/' && access(known[n].path, X_OK) == 0;
    }
    free(copy);
    if (!found)
        known[n].path[0] = '\0';
    strcpy(known[n].name, name);
    n++;
    return found ? known[n - 1].path : NULL;
}
