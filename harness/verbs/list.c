/* hpclab list: labs, a lab's tasks, variants, the keys of an operation. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lab/columns.h"
#include "common/ui.h"
#include "harness/verbs/verbs.h"

static const char usage[] =
    "usage: hpclab list [LAB] [--variants] [--keys OP]\n"
    "       hpclab list [LAB [--cases] | --variants [NAME]] --tsv[=COLUMN,..]\n"
    "  hpclab list              the labs\n"
    "  hpclab list lab3         its tasks: kind, file, points, cases\n"
    "  hpclab list --variants   every variant at hand: name, operation, needs, title\n"
    "  hpclab list --keys OP    what describes a problem of an operation, such as mlp_sgd\n"
    "  --tsv                    the labs, LAB's tasks or --cases, or the variants for scripts: a\n"
    "                           line a row, columns parted by tabs, their names in the first line\n"
    "  --tsv=COLUMN,..          these columns alone, without their names\n"
    "Examples: ./hpclab list lab3        ./hpclab list lab3 --tsv=name,points_speed\n";

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
    printf("    cases:");
    for (int i = 0; i < task->n_cases; i++) {
        const struct lab_case *c = &lab->cases[task->cases[i]];
        hidden += c->hidden;
        if (!c->hidden)
            printf(" %s", c->name);
    }
    if (hidden)
        printf(" and %d hidden", hidden);
    if (task->speed_case >= 0)
        printf("; timed on %s against %s", lab->cases[task->speed_case].name, task->baseline);
    putchar('\n');
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
        printf("  %s: %s\n    %s labs/%s/%s, %s%spoints: ", t->name, t->title,
               answers ? "answers in" : "variant in", lab->name, t->file, t->op ? t->op->name : "",
               t->op ? ", " : "");
        if (answers)
            printf("%g\n", t->points_answers);
        else
            printf("%g correct, %g speed\n", t->points_correct, t->points_speed);
        if (*t->needs)
            printf("    needs: %s\n", t->needs);
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
        if (v->at_hand)
            printf("%-24s %-14s %-8s %s\n", v->name, v->op->name, *v->needs ? v->needs : "-",
                   v->title);
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
    printf("%s: %s\n", op->name, op->keys);
    if (op->example)
        printf("example: ./hpclab run %s/NAME %s\n", op->folder, op->example);
    return HPC_EXIT_OK;
}

struct options {
    const char *keys, *columns, *word;
    bool variants, cases, tsv;
};

/* 1: go on; 0: help was printed; -1: err. */
static int read_options(int argc, char **argv, struct options *o, struct hpc_error *err)
{
    static const struct option longs[] = {
        {"variants", no_argument, NULL, 'v'},  {"keys", required_argument, NULL, 'k'},
        {"tsv", optional_argument, NULL, 't'}, {"cases", no_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},      {NULL, 0, NULL, 0},
    };
    optind = 0;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", longs, NULL)) != -1;) {
        if (c == 'v')
            o->variants = true;
        else if (c == 'k')
            o->keys = optarg;
        else if (c == 't')
            o->tsv = true, o->columns = optarg;
        else if (c == 'c')
            o->cases = true;
        else if (c == 'h')
            return fputs(usage, stdout), 0;
        else
            return hpc_fail(err, "list: %s %s; see ./hpclab list --help",
                            c == ':' ? "a value is missing after" : "unknown option",
                            argv[optind - 1]),
                   -1;
    }
    if (optind < argc)
        o->word = argv[optind];
    if (argc - optind > 1 || (o->keys && (o->word || o->variants)) ||
        (o->word && o->variants && !o->tsv) || (o->cases && !(o->tsv && o->word)) ||
        (o->tsv && (o->keys || (o->cases && o->variants))))
        return hpc_fail(err, "list: expected one of LAB, --variants, --keys OP"), -1;
    return 1;
}

int verb_list(struct project *p, int argc, char **argv)
{
    struct options o = {0};
    struct hpc_error err;
    int go = read_options(argc, argv, &o, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    if (o.tsv) {
        enum columns_of of = o.variants ? COLUMNS_VARIANTS
                             : o.cases  ? COLUMNS_CASES
                             : o.word   ? COLUMNS_TASKS
                                        : COLUMNS_LABS;
        return columns_print(stdout, p, of, o.word, o.columns, &err) ? HPC_EXIT_OK
                                                                     : hpc_report(&err);
    }
    return o.variants ? list_variants(p)
           : o.keys   ? list_keys(o.keys)
           : o.word   ? list_lab(p, o.word)
                      : list_labs(p);
}
