/* hpclab: the trusted program. It holds the verbs and no line of a variant. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "common/defence.h"
#include "common/root.h"
#include "common/version.h"
#include "common/interrupt.h"
#include "common/nearest.h"
#include "common/scratch.h"
#include "common/ui.h"
#include "harness/jail/jail.h"
#include "harness/verbs/verbs.h"

static const struct verb {
    const char *name;
    int (*run)(struct project *p, int argc, char **argv);
    const char *help;
} verbs[] = {
    {"list", verb_list, "labs, their tasks, variants, keys of an operation"},
    {"build", verb_build, "compile a lab's tasks, each by itself"},
    {"grade", verb_grade, "right answers, safety and speed of the lab selected last"},
    {"run", verb_run, "one variant on one problem: checked, timed, against its floor"},
    {"explain", verb_explain, "what a task's last verdict means and what to try"},
    {"history", verb_history, "best and last score of a lab, and its gradings"},
    {"profile", verb_profile, "gprof's profile and call graph of mlp/serial"},
    {"mlp", verb_mlp, "train a multilayer perceptron and classify with it"},
    {"cuda", verb_cuda, "any CUDA program on the CPU device, with its checker"},
    {"featuremaps", verb_featuremaps, "what goes into the convolutions of known networks, as .npy"},
    {"doctor", verb_doctor, "what this machine is and lacks, and what a lack costs"},
    {"reset", verb_reset, "a lab's starter files again, with a backup"},
    {"reference", verb_reference, "time baseline and reference of every task here"},
    {"release", verb_release, "the students' archive of a lab"},
};
enum { N_VERBS = sizeof verbs / sizeof *verbs };

static void print_help(FILE *f)
{
    fprintf(f, "usage: hpclab VERB [..]    (hpclab VERB --help says more)\n");
    for (int i = 0; i < N_VERBS; i++)
        fprintf(f, "  %-10s %s\n", verbs[i].name, verbs[i].help);
    fprintf(f, "Start with: make lab3 && ./grade\n");
}

static int unknown_verb(const char *word)
{
    const char *names[N_VERBS];
    for (int i = 0; i < N_VERBS; i++)
        names[i] = verbs[i].name;
    const char *near = nearest_word(word, names, N_VERBS);
    fprintf(stderr, "hpclab: unknown %s '%.40s', %s%s%s\n", word[0] == '-' ? "option" : "verb",
            word, near ? "did you mean '" : "expected one of `hpclab --help`", near ? near : "",
            near ? "'?" : "");
    return HPC_EXIT_USAGE;
}

/* A file that we open later must not become somebody's standard output. */
static void hold_standard_descriptors(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

int main(int argc, char **argv)
{
    hold_standard_descriptors();
    interrupt_install(jail_kill_all);
    if (DEFENCE(dumpable))
        prctl(PR_SET_DUMPABLE, 0); /* no runner of the same user may look into this process */
    ui_init(false);
    const char *word = argc > 1 ? argv[1] : NULL;
    if (!word) {
        fprintf(stderr, "hpclab: no verb, expected one of these\n");
        print_help(stderr);
        return HPC_EXIT_USAGE;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_help(stdout);
        return HPC_EXIT_OK;
    }
    if (strcmp(word, "--version") == 0) {
        puts("hpclab " HPC_VERSION);
        return HPC_EXIT_OK;
    }
    const char *root = hpc_root();
    if (!root) {
        fprintf(stderr, "hpclab: the project's folder is not found, expected labs/ above build/\n");
        return HPC_EXIT_ENVIRONMENT;
    }
    scratch_sweep(root);
    struct project project = {.root = root};
    int i = 0;
    while (i < N_VERBS && strcmp(verbs[i].name, word) != 0)
        i++;
    int status = i < N_VERBS ? verbs[i].run(&project, argc - 1, argv + 1) : unknown_verb(word);
    project_close(&project);
    return status;
}
