/* hpclab list: labs, a lab's tasks, variants, the keys of an operation. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lab/columns.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/verbs/verbs.h"

struct values {
    const char *keys, *columns;
    bool variants, cases;
};

static const struct option_row rows[] = {
    {"variants", NULL, "every variant at hand: name, operation, needs, title", OPTION_SWITCH,
     .at = offsetof(struct values, variants)},
    {"keys", "OP", "what describes a problem of an operation, such as mlp_sgd", OPTION_TEXT,
     .at = offsetof(struct values, keys)},
    {"tsv", "COLUMN,..",
     "for scripts: a line a row, columns parted by tabs, their names in the first line; or these "
     "columns alone, without their names",
     OPTION_MAYBE, .at = offsetof(struct values, columns)},
    {"cases", NULL, "with --tsv: the cases of LAB in place of its tasks", OPTION_SWITCH,
     .at = offsetof(struct values, cases)},
    {0},
};
const struct option_table list_options = {
    .command = "./hpclab list",
    .words = "[LAB]",
    .title = "labs, their tasks, variants, keys of an operation",
    .about = "The labs, or the tasks of LAB: kind, file, points, cases. With --variants --tsv, "
             "LAB may be a variant, such as mlp/flat.",
    .examples = "./hpclab list lab3\n./hpclab list lab3 --tsv=name,points_speed",
    .most = 1,
    .expected = "one of LAB, --variants, --keys OP",
    .rows = rows,
};

static int list_labs(struct project *p)
{
    char names[64][LAB_NAME];
    struct hpc_error err;
    int n = lab_names(p->root, names, 64), status = HPC_EXIT_OK;
    for (int i = 0; i < n; i++) {
        if (project_lab(p, names[i], &err))
            printf("%-6s %s  (%d tasks)\n", p->lab->name, p->lab->title, p->lab->n_tasks);
        else
            status = hpc_report(&err);
    }
    return status;
}

static void print_cases(const struct lab *lab, const struct lab_task *task)
{
    int hidden = 0;
    struct text words = {0};
    for (int i = 0; i < task->n_cases; i++) {
        const struct lab_case *c = &lab->cases[task->cases[i]];
        hidden += c->hidden;
        if (!c->hidden)
            text_list(&words, " ", c->name);
    }
    if (hidden)
        text_add(&words, "%sand %d hidden", words.length ? " " : "", hidden);
    if (task->speed_case >= 0)
        text_add(&words, "; timed on %s against %s", lab->cases[task->speed_case].name,
                 task->baseline);
    ui_paragraph(4, "cases:", text_string(&words));
    text_free(&words);
}

/* Where it is, what it computes, its points. */
static void print_file(const struct lab *lab, const struct lab_task *t)
{
    const bool answers = t->kind == TASK_ANSWERS;
    struct text words = {0};
    text_add(&words, "%s labs/%s/%s, ", answers ? "answers in" : "variant in", lab->name, t->file);
    if (t->op)
        text_add(&words, "%s, ", t->op->name);
    if (answers)
        text_add(&words, "points: %g", t->points_answers);
    else
        text_add(&words, "points: %g correct, %g speed", t->points_correct, t->points_speed);
    ui_paragraph(4, "", text_string(&words));
    text_free(&words);
}

static int list_lab(struct project *p, const char *name)
{
    struct hpc_error err;
    if (!project_lab(p, name, &err))
        return hpc_report(&err);
    const struct lab *lab = p->lab;
    printf("%s%s  %s%s\n  handout: %s\n", ui_style(UI_BOLD), lab->name, lab->title,
           ui_style(UI_PLAIN), lab->handout);
    for (int i = 0; i < lab->n_tasks; i++) {
        const struct lab_task *t = &lab->tasks[i];
        bool answers = t->kind == TASK_ANSWERS;
        char *label = hpc_printf("%s:", t->name);
        ui_paragraph(2, label, t->title);
        free(label);
        print_file(lab, t);
        if (*t->needs)
            ui_paragraph(4, "needs:", t->needs);
        if (!answers)
            print_cases(lab, t);
    }
    return HPC_EXIT_OK;
}

static int list_variants(struct project *p)
{
    struct hpc_error err;
    if (!project_catalogue(p, &err))
        return hpc_report(&err);
    for (int i = 0; i < p->catalogue->n; i++) {
        const struct variant *v = &p->catalogue->variant[i];
        if (!v->at_hand)
            continue;
        char *columns =
            hpc_printf("%-24s %-14s %-8s ", v->name, v->op->name, *v->needs ? v->needs : "-");
        ui_row(columns, v->title);
        free(columns);
    }
    return HPC_EXIT_OK;
}

static int list_keys(const char *name)
{
    const struct hpc_op *op = hpc_op_find(name);
    if (!op) {
        fprintf(stderr, "hpclab: unknown operation '%.40s', expected one of:", name);
        for (int i = 0; hpc_ops[i]; i++)
            fprintf(stderr, " %s", hpc_ops[i]->name);
        fputc('\n', stderr);
        return HPC_EXIT_USAGE;
    }
    char *label = hpc_printf("%s:", op->name);
    ui_paragraph(0, label, op->keys);
    free(label);
    if (op->example)
        printf("example: ./hpclab run %s/NAME %s\n", op->folder, op->example);
    return HPC_EXIT_OK;
}

int verb_list(struct project *p, int argc, char **argv)
{
    struct values o = {0};
    struct hpc_error err;
    int go = options_read(&list_options, &argc, &argv, &o, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    const char *word = argc ? argv[0] : NULL;
    bool tsv = o.columns != NULL;
    if ((o.keys && (word || o.variants || tsv)) || (o.variants && (o.cases || (word && !tsv))) ||
        (o.cases && !(tsv && word)))
        return hpc_fail(&err, "list: expected %s", list_options.expected), hpc_report(&err);
    if (tsv) {
        enum columns_of of = o.variants ? COLUMNS_VARIANTS
                             : o.cases  ? COLUMNS_CASES
                             : word     ? COLUMNS_TASKS
                                        : COLUMNS_LABS;
        const char *chosen = *o.columns ? o.columns : NULL;
        return columns_print(stdout, p, of, word, chosen, &err) ? HPC_EXIT_OK : hpc_report(&err);
    }
    return o.variants ? list_variants(p)
           : o.keys   ? list_keys(o.keys)
           : word     ? list_lab(p, word)
                      : list_labs(p);
}
