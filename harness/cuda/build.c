/* Compiling a .cu file for the CPU device: preprocess, rewrite, compile, link, with the flags that
 * build/device/flags-MODE lists. */
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

#include "common/command.h"
#include "common/interrupt.h"

/* Add the flags of `kind` ("cpp ", "cc ", "ld ") from the text of flags-MODE. */
static void add_flags(struct command_line *w, const char *text, const char *kind, const char *root)
{
    size_t n = strlen(kind);
    for (const char *p = text; *p;) {
        size_t length = strcspn(p, "\n");
        if (length > n && memcmp(p, kind, n) == 0) {
            char *flag = strndup(p + n, length - n), *at = strstr(flag, "ROOT");
            command_add_printf(w, "%.*s%s%s", (int)(at ? at - flag : 0), flag, at ? root : "",
                               at ? at + 4 : flag);
            free(flag);
        }
        p += length + (p[length] == '\n');
    }
}

static void add_options(struct command_line *w, const struct cuda_job *job)
{
    for (int i = 0; i < job->n_options; i++)
        command_add(w, job->options[i]);
}

/* Run a tool with stdout in `out` (NULL: as it is); its exit status, or -1 with *err. */
static int run_tool(struct command_line *w, const char *out, struct hpc_error *err)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int fd = out ? open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDERR_FILENO;
        if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
            _exit(126);
        execvp(w->word[0], w->word);
        _exit(127);
    }
    if (pid < 0) {
        hpc_fail_env(err, "%s: cannot be started: %s", w->word[0], strerror(errno));
        return -1;
    }
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) {
            hpc_fail_env(err, "%s: lost: %s", w->word[0], strerror(errno));
            return -1;
        }
    if (WIFEXITED(status) && WEXITSTATUS(status) < 126)
        return WEXITSTATUS(status);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        hpc_fail_env(err, "%s: not here; expected g++, which ./bootstrap brings", w->word[0]);
    else
        hpc_fail_env(err, hpc_interrupted() ? "interrupted" : "%s: was killed, or cannot write %s",
                     w->word[0], out ? out : "its output");
    return -1;
}

static const char *compiler(void)
{
    const char *cxx = getenv("CXX");
    return cxx && *cxx ? cxx : "g++";
}

/* The compiler, with the flags of preprocessing and compiling. */
static void add_compiler(struct command_line *w, const struct cuda_job *job, const char *flags)
{
    command_add(w, compiler());
    add_flags(w, flags, strstr(compiler(), "clang") ? "clang " : "cc ", job->root);
    add_options(w, job);
}

/* One step of a file; HPC_EXIT_OK, HPC_EXIT_USAGE, HPC_EXIT_ENVIRONMENT. */
static int step(struct command_line *w, const char *out, struct hpc_error *err)
{
    int status = run_tool(w, out, err);
    command_line_clear(w);
    if (status < 0)
        return HPC_EXIT_ENVIRONMENT;
    return status == 0 ? HPC_EXIT_OK : HPC_EXIT_USAGE;
}

/* FILE.cu to OBJECT. */
static int compile(const struct cuda_job *job, const char *flags, const char *file,
                   const char *object, struct hpc_error *err)
{
    char *raw = hpc_printf("%s.cu.ii", object), *plain = hpc_printf("%s.ii", object);
    struct command_line w = {0};
    add_compiler(&w, job, flags);
    command_add(&w, "-E");
    add_flags(&w, flags, "cpp ", job->root);
    command_add(&w, "-xc++");
    command_add(&w, file);
    int status = step(&w, raw, err);
    if (status == HPC_EXIT_OK) {
        command_add_printf(&w, "%s/build/device/rewrite", job->root);
        command_add(&w, raw);
        status = step(&w, plain, err);
    }
    if (status == HPC_EXIT_OK) {
        add_compiler(&w, job, flags);
        command_add(&w, "-xc++-cpp-output");
        command_add(&w, "-c");
        command_add(&w, plain);
        command_add(&w, "-o");
        command_add(&w, object);
        status = step(&w, NULL, err);
    }
    free(raw);
    free(plain);
    return status;
}

static int link_program(const struct cuda_job *job, const char *flags, struct hpc_error *err)
{
    struct command_line w = {0};
    command_add(&w, compiler());
    command_add(&w, "-o");
    command_add(&w, job->program);
    for (int i = 0; i < job->n_files; i++)
        command_add_printf(&w, "%s/%d.o", job->folder, i);
    add_flags(&w, flags, "ld ", job->root);
    return step(&w, NULL, err);
}

int cuda_build(struct cuda_job *job, struct hpc_error *err)
{
    char *device = hpc_printf("%s/build/device", job->root);
    char *name = hpc_printf("flags-%s", job->mode);
    char *flags = command_text(device, name, err);
    int status = flags ? HPC_EXIT_OK : HPC_EXIT_ENVIRONMENT;
    for (int i = 0; i < job->n_files && status == HPC_EXIT_OK; i++) {
        char *object = hpc_printf("%s/%d.o", job->folder, i);
        status = compile(job, flags, job->files[i], object, err);
        free(object);
    }
    if (status == HPC_EXIT_OK)
        status = link_program(job, flags, err);
    free(flags);
    free(name);
    free(device);
    return status;
}
