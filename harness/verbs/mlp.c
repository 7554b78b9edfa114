/* hpclab mlp: links the variant that is asked for with the program of mlp/app/ and becomes that
 * program. No line of a variant runs in here. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/error.h"
#include "harness/trial/objects.h"
#include "harness/machine/machine.h"
#include "harness/lab/lab.h"
#include "common/scratch.h"
#include "common/ui.h"
#include "common/text.h"
#include "harness/verbs/verbs.h"
#include "mlp/app/command.h"

#define MOST_WORDS 200 /* of the linker's command line */
#define FOLDER     "mlp"

const struct option_table mlp_options = APP_COMMAND;

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

/* Variants that the program can't call: they are ranks of an MPI program. */
#define RANKS "mlp_ranks"

/* The variant's name, which may be written with its folder. */
static const char *plain_name(const char *name)
{
    return name + (strncmp(name, FOLDER "/", sizeof FOLDER) == 0 ? sizeof FOLDER : 0);
}

static bool is_ours(const struct variant *v)
{
    return v->at_hand && strncmp(v->name, FOLDER "/", sizeof FOLDER) == 0 &&
           strcmp(v->op->name, RANKS) != 0;
}

/* Whether the variant is at hand; else the error names those that are. */
static bool find(struct project *p, const char *name, struct hpc_error *err)
{
    struct text known = {0};
    bool found = false;
    if (!project_catalogue(p, err))
        return false;
    for (int i = 0; i < p->catalogue->n && !found; i++) {
        const struct variant *v = &p->catalogue->variant[i];
        if (!is_ours(v))
            continue;
        found = strcmp(v->name + sizeof FOLDER, name) == 0;
        text_list(&known, ", ", v->name + sizeof FOLDER);
    }
    if (!found)
        hpc_fail(err, "mlp: --variant: '%.40s' found, expected %s", name, text_string(&known));
    text_free(&known);
    return found;
}

/* The variants at hand, for --list-variants. */
static int list(struct project *p)
{
    struct hpc_error err;
    if (!project_catalogue(p, &err))
        return hpc_report(&err);
    for (int i = 0; i < p->catalogue->n; i++)
        if (is_ours(&p->catalogue->variant[i]))
            printf("%-20s %s\n", p->catalogue->variant[i].name + sizeof FOLDER,
                   p->catalogue->variant[i].op->name);
    return HPC_EXIT_OK;
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
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (fd < 0 || dup2(fd, STDERR_FILENO) < 0 || dup2(fd, STDOUT_FILENO) < 0)
            _exit(127);
        execvp(w->word[0], w->word);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return hpc_fail_env(err, "gcc cannot be started: %s", strerror(errno));
    return status == 0 ||
           hpc_fail_env(err, "the program behind hpclab mlp cannot be linked, see %s", log);
}

/* Link the program where something is newer than it. */
static bool link_program(const char *root, const char *program, const char *name,
                         struct hpc_error *err)
{
    static const char *const ends[] = {
#ifdef __SANITIZE_ADDRESS__ /* build/libhpc.a is compiled as this is: mk/sanitized.mk */
        "-fsanitize=address,undefined", "-Wl,-u,__asan_default_options",
#endif
        "-fopenmp", "-pthread", "-lm"};
    struct words w = {0};
    char *temporary = scratch_beside(program);
    char *log = hpc_printf("%s/build/mlp/link.log", root);
    add(&w, hpc_strdup("gcc"));
    add(&w, hpc_strdup("-o"));
    add(&w, hpc_strdup(temporary));
    add(&w, hpc_printf("-I%s", root));
    add(&w, hpc_printf("%s/build/cpu/variants/" FOLDER "/table-%s.c", root, name));
    add(&w, hpc_printf("%s/build/cpu/variants/" FOLDER "/%s.o", root, name));
    add(&w, hpc_printf("%s/build/mlp/app.a", root));
    add(&w, hpc_printf("%s/build/libhpc.a", root));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        add(&w, hpc_strdup(ends[i]));
    bool ok = true;
    if (!fresh(program, &w)) {
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
static bool build_quietly(struct project *p, const char *name, struct hpc_error *err)
{
    fflush(stdout);
    int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (out < 0 || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        return hpc_fail_env(err, "standard output: %s", strerror(errno));
    const struct objects one = {
        .folder = FOLDER, .names = &name, .n_names = 1, .device = DEVICE_CPU};
    bool ok = build_objects(p, &one, err);
    fflush(stdout);
    if (dup2(out, STDOUT_FILENO) < 0)
        ok = hpc_fail_env(err, "standard output: %s", strerror(errno));
    close(out);
    close(nowhere);
    return ok;
}

static bool ready(struct project *p, const char *program, const char *name, struct hpc_error *err)
{
    char *archive = hpc_printf("%s/build/mlp/app.a", p->root);
    bool ok = access(archive, R_OK) == 0 ||
              hpc_fail_env(err, "build/mlp/app.a is missing, expected it from make: type make");
    free(archive);
    return ok && build_quietly(p, name, err) && link_program(p->root, program, name, err);
}

int verb_mlp(struct project *p, int argc, char **argv)
{
    struct hpc_error err = {0};
    struct app_words o = APP_WORDS_DEFAULT;
    char **copy = hpc_calloc((size_t)argc + 1, sizeof *copy), **words = copy; /* it is sorted */
    int n = argc;
    memcpy(copy, argv, (size_t)argc * sizeof *copy);
    int go = options_read(&mlp_options, &n, &words, &o, &err);
    free(copy);
    if (go <= 0 || o.list_variants)
        return go < 0 ? hpc_report(&err) : go == 0 ? HPC_EXIT_OK : list(p);
    const char *name = plain_name(o.variant);
    char *program = hpc_printf("%s/build/mlp/%s", p->root, name);
    if (!find(p, name, &err) || !ready(p, program, name, &err)) {
        free(program);
        return hpc_report(&err);
    }
    const struct machine *m = machine_here();
    char machine[40];
    words = hpc_calloc((size_t)argc + 3, sizeof *words);
    snprintf(machine, sizeof machine, "%d,%d", m->cores, m->simd);
    words[0] = program;
    words[1] = (char *)p->root;
    words[2] = machine;
    memcpy(words + 3, argv + 1, (size_t)(argc - 1) * sizeof *words);
    fflush(stdout);
    signal(SIGPIPE, SIG_DFL); /* ignored by hpclab; the program wants to end with its reader */
    execv(program, words);
    hpc_fail_env(&err, "%s: cannot be started: %s", program, strerror(errno));
    free(words);
    free(program);
    return hpc_report(&err);
}
