/* From the words of `hpclab run` to a variant and a problem. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lab/case.h"
#include "harness/trial/look.h"
#include "harness/verbs/run_words.h"
#include "common/nearest.h"
#include "common/random.h"
#include "common/ui.h"
#include "harness/verbs/verbs.h"

#define AT(member) .at = offsetof(struct run_options, member)
static const struct option_row rows[] = {
    {"impl", "student|reference", "student: your file of the task that is named as the variant",
     OPTION_CHOICE, AT(implementation)},
    {"case", "[LAB/]CASE", "the problem of a lab", OPTION_TEXT, AT(case_name)},
    {"seed", "N", "the same inputs again", OPTION_SEED, AT(seed)},
    {"threads", "N", "that it is given", OPTION_COUNT, AT(threads), 1, 1024},
    {"calls", "N", "how often it is called; default 9", OPTION_COUNT, AT(calls), 1, 1000},
    {"call", "N", "begins with the inputs of that call, as a report names it", OPTION_SEED,
     AT(call)},
    {"safety", "address|threads|checker",
     "runs it under a sanitizer instead of timing it; checker, for a .cu, is the CPU device's, "
     "which "
     "counts memory traffic too (its old name is device)",
     OPTION_TEXT, AT(safety)},
    {"debug", NULL, "one call, compiled with -O0, with ten minutes' time; what it prints is shown",
     OPTION_SWITCH, AT(debug)},
    {"gdb", NULL, "the same in gdb, which stops where run() begins; in no jail", OPTION_SWITCH,
     AT(gdb)},
    {"dump", "FILE.csv|FILE.npy",
     "writes the first call's inputs and outputs, and what was wanted of these: FILE.csv, or "
     "FILE_x.npy and so on",
     OPTION_TEXT, AT(dump)},
    {"device", "auto|cpu|cuda", "where a .cu runs", OPTION_CHOICE, AT(device)},
    {"plain", NULL, "no colour, no progress", OPTION_SWITCH, AT(plain)},
    {0},
};
const struct option_table run_options = {
    .command = "./hpclab run",
    .words = "VARIANT [KEY=VALUE ..]",
    .title = "one variant on one problem: checked, timed, against its floor",
    .about = "One variant on one problem: checked, timed, against its floor. VARIANT is mlp/flat "
             "(./hpclab list --variants) or lab3/openmp_trainer, a task. KEY=VALUE changes the "
             "problem (./hpclab list --keys mlp_sgd).",
    .examples = "./hpclab run mlp/flat layers=30,5,1 activations=tanh,sigmoid data=breast_cancer\n"
                "./hpclab run lab3/openmp_trainer --impl student --case odd --seed 7\n"
                "./hpclab run lab1/flat --case odd --gdb\n"
                "./hpclab run conv1d/tiled_halo n=1e6 mask=9 block=256 --safety checker",
    .least = 1,
    .most = HPC_PARAMS_MAX + 1,
    .expected = "one variant; ./hpclab list --variants shows them",
    .rows = rows,
};

int run_read_options(int argc, char **argv, struct run_options *o, struct hpc_error *err)
{
    o->calls = 9;
    o->call = 1;
    o->seed = hpc_random_seed();
    int go = options_read(&run_options, &argc, &argv, o, err);
    if (go <= 0)
        return go;
    ui_init(o->plain);
    if (o->safety && !strcmp(o->safety, "device")) /* its old name */
        o->safety = "checker";
    if (o->safety && strcmp(o->safety, "address") != 0 && strcmp(o->safety, "threads") != 0 &&
        strcmp(o->safety, "checker") != 0)
        return hpc_fail(err, "--safety %s: expected address, threads or, for a .cu, checker",
                        o->safety),
               -1;
    if (o->safety && (o->debug || o->gdb))
        return hpc_fail(err, "--safety %s: expected without --debug and --gdb", o->safety), -1;
    if (o->dump && !look_can_dump(o->dump))
        return hpc_fail(err, "--dump %s: expected a name that ends in .npy or .csv", o->dump), -1;
    o->debug |= o->gdb;
    o->name = argv[0];
    for (int i = 1; i < argc; i++)
        if (!hpc_params_set_word(&o->words, argv[i], "command line", err))
            return -1;
    return 1;
}

/* Also where a lab stands without a task, word being "". */
static bool no_such_task(const struct lab *lab, const char *word, struct hpc_error *err)
{
    char *hint = lab_program_hint(lab, word);
    if (*word)
        hpc_fail(err, "run: %s has no variant task \"%s\"%s", lab->name, word, hint);
    else
        hpc_fail(err, "run: %s is a lab, name a task of it as %s/TASK%s", lab->name, lab->name,
                 hint);
    free(hint);
    return false;
}

static bool no_such_case(const struct lab *lab, const char *word, struct hpc_error *err)
{
    const char *names[LAB_MAX_CASES];
    for (int i = 0; i < lab->n_cases; i++)
        names[i] = lab->cases[i].name;
    char *hint = nearest_hint(word, names, lab->n_cases);
    hpc_fail(err, "--case %s: %s has no such case%s", word, lab->name, hint);
    free(hint);
    return false;
}

/* The task that `lab3/openmp_trainer` names, or with --impl student the one named as mlp/NAME. */
static bool find_task(struct project *p, const struct run_options *o, struct run_target *t,
                      struct hpc_error *err)
{
    char names[64][LAB_NAME];
    const char *slash = strchr(o->name, '/');
    const size_t length = slash ? (size_t)(slash - o->name) : 0;
    int n = lab_names(p->root, names, 64);
    const bool student = o->implementation && !strcmp(o->implementation, "student");
    bool is_lab = false;
    for (int i = 0; i < n; i++)
        is_lab |= strlen(names[i]) == length && !strncmp(names[i], o->name, length);
    for (int i = 0; slash && i < n; i++) {
        const bool named = strlen(names[i]) == length && !strncmp(names[i], o->name, length);
        if (!named && (is_lab || !student)) /* of an operation's name each lab may have a task */
            continue;
        if (!project_lab(p, names[i], err)) {
            if (named)
                return false;
            continue; /* another lab's manifest is not what was asked for */
        }
        const struct lab_task *task = lab_task_find(p->lab, slash + 1);
        if (!task || task->kind != TASK_VARIANT) {
            if (named)
                return no_such_task(p->lab, slash + 1, err);
            continue;
        }
        if (!named && strncmp(task->op->folder, o->name, length))
            continue;
        t->task = task;
        t->op = task->op;
        t->whose = student || !o->implementation ? "student" : "reference";
        return true;
    }
    return true;
}

/* Nor a lab, nor a task without its lab; then the nearest variant. */
static bool no_such_variant(struct project *p, const char *word, struct hpc_error *err)
{
    char names[64][LAB_NAME];
    const char *variants[VARIANTS_MAX];
    const int n = strchr(word, '/') ? 0 : lab_names(p->root, names, 64);
    int n_variants = 0;
    for (int i = 0; i < n; i++) {
        const bool itself = strcmp(word, names[i]) == 0;
        if (!project_lab(p, names[i], err)) {
            if (itself)
                return false;
            continue;
        }
        const struct lab_task *task = lab_task_find(p->lab, word);
        if (itself)
            return no_such_task(p->lab, "", err);
        if (task)
            return hpc_fail(err, "run: no variant \"%s\", did you mean %s/%s?", word, names[i],
                            word);
    }
    for (int i = 0; i < p->catalogue->n; i++)
        if (p->catalogue->variant[i].at_hand)
            variants[n_variants++] = p->catalogue->variant[i].name;
    const char *near = nearest_word(word, variants, n_variants);
    return hpc_fail(err, "run: no variant \"%s\"%s%s%s; ./hpclab list --variants shows them", word,
                    near ? ", did you mean " : "", near ? near : "", near ? "?" : "");
}

static bool find_target(struct project *p, const struct run_options *o, struct run_target *t,
                        struct hpc_error *err)
{
    if (!find_task(p, o, t, err))
        return false;
    if (t->task)
        return true;
    if (o->implementation && !strcmp(o->implementation, "student"))
        return hpc_fail(err, "run: no lab has a task for \"%s\"; ./hpclab list labN shows tasks",
                        o->name);
    if (!project_catalogue(p, err))
        return false;
    t->variant = catalogue_find(p->catalogue, o->name);
    if (!t->variant || !t->variant->at_hand)
        return no_such_variant(p, o->name, err);
    t->op = t->variant->op;
    t->whose = "reference";
    return true;
}

/* Words of op->example, in which commas join lists and spaces part words. */
static bool add_example(const struct hpc_op *op, struct hpc_params *params, struct hpc_error *err)
{
    char *words = hpc_strdup(op->example ? op->example : ""), *save = NULL;
    bool good = true;
    for (char *w = strtok_r(words, " ", &save); good && w; w = strtok_r(NULL, " ", &save))
        good = hpc_params_set_word(params, w, "the operation's example", err);
    free(words);
    return good;
}

static bool find_case(struct project *p, const struct run_options *o, struct run_target *t,
                      struct lab_case *c, struct hpc_error *err)
{
    memset(c, 0, sizeof *c);
    snprintf(c->name, sizeof c->name, "run");
    c->op = t->op;
    const char *name = o->case_name, *slash = name ? strchr(name, '/') : NULL;
    if (slash) {
        char lab_name[LAB_NAME];
        snprintf(lab_name, sizeof lab_name, "%.*s", (int)(slash - name), name);
        if (t->task && strcmp(p->lab->name, lab_name))
            return hpc_fail(err, "--case %s: the task is of %s", name, p->lab->name);
        if (!t->task && !project_lab(p, lab_name, err))
            return false;
        name = slash + 1;
    } else if (name && !t->task)
        return hpc_fail(err, "--case %s: whose? write LAB/%s", name, name);
    if (!name && !add_example(t->op, &c->params, err))
        return false;
    bool found = !name;
    for (int i = 0; name && i < p->lab->n_cases && !found; i++)
        if (!strcmp(p->lab->cases[i].name, name)) {
            *c = p->lab->cases[i];
            found = true;
        }
    if (!found)
        return no_such_case(p->lab, name, err);
    if (c->op != t->op)
        return hpc_fail(err, "--case %s is a problem of %s, and %s computes %s", name, c->op->name,
                        o->name, t->op->name);
    for (int i = 0; i < o->words.n; i++)
        if (!case_set(c, o->words.p[i].key, o->words.p[i].value, o->words.p[i].where, err))
            return false;
    return true;
}

bool run_find(struct project *p, const struct run_options *o, struct run_target *t,
              struct lab_case *c, struct hpc_error *err)
{
    return find_target(p, o, t, err) && find_case(p, o, t, c, err);
}
