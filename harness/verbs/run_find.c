/* From the words of `hpclab run` to a variant and a problem. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "harness/lab/case.h"
#include "harness/verbs/run_words.h"

/* The task that `lab3/openmp_trainer` names, or with --impl student the one named as mlp/NAME. */
static bool find_task(struct project *p, const struct run_options *o, struct run_target *t,
                      struct hpc_error *err)
{
    char names[64][LAB_NAME];
    const char *slash = strchr(o->name, '/');
    int n = lab_names(p->root, names, 64);
    bool student = o->implementation && !strcmp(o->implementation, "student");
    for (int i = 0; slash && i < n; i++) {
        bool named = strlen(names[i]) == (size_t)(slash - o->name) &&
                     !strncmp(names[i], o->name, (size_t)(slash - o->name));
        if (!named && !student)
            continue;
        if (!project_lab(p, names[i], err))
            return false;
        const struct lab_task *task = lab_task_find(p->lab, slash + 1);
        if (!task || task->kind != TASK_VARIANT) {
            if (named)
                return hpc_fail(err,
                                "run: %s has no variant task \"%s\"; ./hpclab list %s shows them",
                                names[i], slash + 1, names[i]);
            continue;
        }
        if (!named && strncmp(task->op->folder, o->name, (size_t)(slash - o->name)))
            continue;
        t->task = task;
        t->op = task->op;
        t->whose = student || !o->implementation ? "student" : "reference";
        return true;
    }
    return true;
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
        return hpc_fail(err, "run: no variant \"%s\"; ./hpclab list --variants shows them",
                        o->name);
    t->op = t->variant->op;
    t->whose = "reference";
    return true;
}

/* Words of op->example, in which commas join lists and spaces part words. */
static bool add_example(const struct hpc_op *op, struct hpc_params *params, struct hpc_error *err)
{
    char words[400], *save = NULL;
    snprintf(words, sizeof words, "%s", op->example ? op->example : "");
    for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
        if (!hpc_params_set_word(params, w, "the operation's example", err))
            return false;
    return true;
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
        return hpc_fail(err, "--case %s: %s has no such case", name, p->lab->name);
    if (c->op != t->op)
        return hpc_fail(err, "--case %s is a problem of %s, and %s computes %s", name, c->op->name,
                        o->name, t->op->name);
    for (int i = 0; i < o->words.n; i++)
        if (!hpc_params_set(&c->params, o->words.p[i].key, o->words.p[i].value, o->words.p[i].where,
                            err))
            return false;
    return true;
}

bool run_find(struct project *p, const struct run_options *o, struct run_target *t,
              struct lab_case *c, struct hpc_error *err)
{
    return find_target(p, o, t, err) && find_case(p, o, t, c, err);
}
