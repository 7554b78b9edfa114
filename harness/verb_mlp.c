/* hpclab mlp: links the variants at hand with the program of mlp/app/ and becomes that program.
 * No line of a variant runs in here. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.h"
#include "harness/build_objects.h"
#include "harness/machine.h"
#include "harness/ui.h"
#include "harness/verbs.h"

#define MOST_WORDS 200 /* of the linker's command line */

/* The linker's command line; all words but the constant ones are freed by words_free. */
struct words {
    int n;
    char *word[MOST_WORDS + 1];
};

static void add(struct words *w, char *word)
{
    HPC_ASSERT(w->n < MOST_WORDS);
    w->word[w->n++] = word;
}

static void words_free(struct words *w)
{
    for (int i = 0; i < w->n; i++)
        free(w->word[i]);
    w->n = 0;
}

static bool ends_in_o(const char *name)
{
    size_t n = strlen(name);
    return n > 2 && strcmp(name + n - 2, ".o") == 0;
}

/* Add every object of the variants. */
static bool add_objects(const char *root, struct words *w, struct hpc_error *err)
{
    char *folder = hpc_printf("%s/build/cpu/variants/mlp", root);
    DIR *d = opendir(folder);
    struct dirent *e;
    bool ok = d || hpc_fail_env(err, "%s: %s", folder, strerror(errno));
    while (ok && (e = readdir(d))) {
        if (w->n + 20 > MOST_WORDS)
            ok = hpc_fail_env(err, "%s: too many objects", folder);
        else if (ends_in_o(e->d_name))
            add(w, hpc_printf("%s/%s", folder, e->d_name));
    }
    if (d)
        closedir(d);
    free(folder);
    return ok;
}

/* Is `program` newer than every file among the words? */
static bool fresh(const char *program, const struct words *w)
{
    struct stat made, from;
    if (stat(program, &made) != 0)
        return false;
    for (int i = 0; i < w->n; i++)
        if (w->word[i][0] == '/' && stat(w->word[i], &from) == 0 &&
            (from.st_mtim.tv_sec > made.st_mtim.tv_sec ||
             (from.st_mtim.tv_sec == made.st_mtim.tv_sec &&
              from.st_mtim.tv_nsec > made.st_mtim.tv_nsec)))
            return false;
    return true;
}

/* Run gcc with the words; what it says goes to `log`. */
static bool run_gcc(struct words *w, const char *log, struct hpc_error *err)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (fd < 0 || dup2(fd, STDERR_FILENO) < 0 || dup2(fd, STDOUT_FILENO) < 0)
            _exit(127);
        execvp(w->word[0], w->word);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return hpc_fail_env(err, "gcc cannot be started: %s", strerror(errno));
    return status == 0 || hpc_fail_env(err, "build/mlp/mlp cannot be linked, see %s", log);
}

/* Link build/mlp/mlp where something is newer than it. */
static bool link_program(const char *root, const char *program, struct hpc_error *err)
{
    static const char *const ends[] = {"-fopenmp", "-pthread", "-lm"};
    struct words w = {0};
    char *temporary = hpc_printf("%s.tmp.%ld", program, (long)getpid());
    char *log = hpc_printf("%s/build/mlp/link.log", root);
    add(&w, hpc_strdup("gcc"));
    add(&w, hpc_strdup("-o"));
    add(&w, hpc_strdup(temporary));
    add(&w, hpc_printf("-I%s", root));
    add(&w, hpc_printf("%s/build/cpu/variants/mlp/table.c", root));
    bool ok = add_objects(root, &w, err);
    add(&w, hpc_printf("%s/build/mlp/app.a", root));
    add(&w, hpc_printf("%s/build/libhpc.a", root));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        add(&w, hpc_strdup(ends[i]));
    if (ok && !fresh(program, &w)) {
        ok = run_gcc(&w, log, err);
        if (ok && rename(temporary, program) != 0)
            ok = hpc_fail_env(err, "%s: cannot be written: %s", program, strerror(errno));
        unlink(temporary);
    }
    words_free(&w);
    free(temporary);
    free(log);
    return ok;
}

/* build_objects tells of every variant on stdout, which belongs to the program here. */
static bool build_quietly(const char *root, struct hpc_error *err)
{
    fflush(stdout);
    int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (out < 0 || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        return hpc_fail_env(err, "standard output: %s", strerror(errno));
    bool ok = build_objects(root, "mlp", DEVICE_CPU, err);
    fflush(stdout);
    if (dup2(out, STDOUT_FILENO) < 0)
        ok = hpc_fail_env(err, "standard output: %s", strerror(errno));
    close(out);
    close(nowhere);
    return ok;
}

static bool ready(const char *root, const char *program, struct hpc_error *err)
{
    char *archive = hpc_printf("%s/build/mlp/app.a", root);
    bool ok = access(archive, R_OK) == 0 ||
              hpc_fail_env(err, "build/mlp/app.a is missing, expected it from make: type make");
    free(archive);
    if (ok && access(program, X_OK) != 0)
        fprintf(stderr, "hpclab: compiling the variants, once; this takes a minute\n");
    return ok && build_quietly(root, err) && link_program(root, program, err);
}

int verb_mlp(const char *root, int argc, char **argv)
{
    struct hpc_error err = {0};
    char *program = hpc_printf("%s/build/mlp/mlp", root);
    bool only_help = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    if (!(only_help && access(program, X_OK) == 0) && !ready(root, program, &err)) {
        free(program);
        return hpc_report(&err);
    }
    const struct machine *m = machine_here();
    char machine[40];
    char **words = hpc_calloc((size_t)argc + 5, sizeof *words);
    snprintf(machine, sizeof machine, "%d,%d", m->cores, m->simd);
    words[0] = program;
    words[1] = (char *)"--root";
    words[2] = (char *)root;
    words[3] = (char *)"--machine";
    words[4] = machine;
    memcpy(words + 5, argv + 1, (size_t)(argc - 1) * sizeof *words);
    fflush(stdout);
    signal(SIGPIPE, SIG_DFL); /* ignored by hpclab; the program wants to end with its reader */
    execv(program, words);
    hpc_fail_env(&err, "%s: cannot be started: %s", program, strerror(errno));
    free(words);
    free(program);
    return hpc_report(&err);
}
