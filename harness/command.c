#define _GNU_SOURCE
#include "harness/command.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/interrupt.h"

enum { NO_FOLDER = 126, NOT_FOUND = 127 }; /* exit statuses of a child that could not start */

bool command_run(const char *const *argv, const char *folder, const char *out, double *cpu,
                 struct hpc_error *err)
{
    struct rusage usage;
    int status;
    pid_t pid = fork();
    if (pid < 0)
        return hpc_fail_env(err, "cannot start %s: %s", argv[0], strerror(errno));
    if (pid == 0) {
        if (chdir(folder) != 0)
            _exit(NO_FOLDER);
        int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        int log = open("log.txt", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (fd < 0 || log < 0 || dup2(fd, 1) < 0 || dup2(log, 2) < 0)
            _exit(NO_FOLDER);
        execvp(argv[0], (char *const *)argv);
        _exit(NOT_FOUND);
    }
    while (wait4(pid, &status, 0, &usage) < 0)
        if (errno != EINTR)
            return hpc_fail_env(err, "lost %s: %s", argv[0], strerror(errno));
    if (hpc_interrupted())
        return hpc_fail_env(err, "interrupted");
    bool missing = WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND;
    if (missing)
        return hpc_fail_env(err, "%s is not installed; ./bootstrap brings it", argv[0]);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return hpc_fail_env(err, "%s failed, see %s/log.txt", argv[0], folder);
    if (cpu)
        *cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    return true;
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
