#include "harness/lab/columns.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/nearest.h"
#include "common/text.h"

enum column_value {
    TEXT,    /* char[] */
    INTEGER, /* int */
    NUMBER,  /* double */
    YES,     /* bool */
    SEALED,  /* bool: open or sealed */
    OPERATION,
    KIND, /* of a task */
    SAFETY,
    THREADS,
    ONE_CASE,    /* an index, -1: none */
    CASES,       /* the indices n_cases, cases */
    CHECK_CASES, /* n_check, check_cases */
    PARAMS,      /* of a case */
};

struct column {
    const char *name;
    enum column_value value;
    size_t at;
};

#define LAB(name, value)                                                                           \
    {                                                                                              \
#name, value, offsetof(struct lab, name)                                                   \
    }
#define TASK(name, value)                                                                          \
    {                                                                                              \
#name, value, offsetof(struct lab_task, name)                                              \
    }
#define CASE(name, value)                                                                          \
    {                                                                                              \
#name, value, offsetof(struct lab_case, name)                                              \
    }
#define VARIANT(name, value)                                                                       \
    {                                                                                              \
#name, value, offsetof(struct variant, name)                                               \
    }

static const struct column lab_columns[] = {
    LAB(name, TEXT),
    LAB(title, TEXT),
    LAB(handout, TEXT),
    {"answers", SEALED, offsetof(struct lab, sealed)},
    LAB(profile, YES),
    LAB(report, TEXT),
    LAB(report_words, INTEGER),
    {"tasks", INTEGER, offsetof(struct lab, n_tasks)},
    {NULL, TEXT, 0},
};
static const struct column task_columns[] = {
    TASK(name, TEXT),
    TASK(title, TEXT),
    TASK(kind, KIND),
    TASK(file, TEXT),
    TASK(op, OPERATION),
    TASK(baseline, TEXT),
    TASK(reference, TEXT),
    TASK(fastest, TEXT),
    TASK(flags, TEXT),
    TASK(libraries, TEXT),
    TASK(symbols, TEXT),
    TASK(instructions, TEXT),
    TASK(needs, TEXT),
    TASK(threads, THREADS),
    TASK(safety, SAFETY),
    TASK(cases, CASES),
    TASK(check_cases, CHECK_CASES),
    TASK(speed_case, ONE_CASE),
    TASK(baseline_case, ONE_CASE),
    TASK(threads_case, ONE_CASE),
    TASK(even_ranks, YES),
    TASK(traffic_case, ONE_CASE),
    TASK(traffic, TEXT),
    TASK(points_correct, NUMBER),
    TASK(points_speed, NUMBER),
    TASK(points_answers, NUMBER),
    TASK(points_traffic, NUMBER),
    TASK(bonus, YES),
    TASK(target, NUMBER),
    TASK(target_copy, NUMBER),
    TASK(versions, INTEGER),
    TASK(build_seconds, INTEGER),
    TASK(task_seconds, INTEGER),
    {NULL, TEXT, 0},
};
static const struct column case_columns[] = {
    CASE(name, TEXT), CASE(hidden, YES), CASE(op, OPERATION), CASE(params, PARAMS), {NULL, TEXT, 0},
};
static const struct column variant_columns[] = {
    VARIANT(name, TEXT),  VARIANT(file, TEXT),      VARIANT(op, OPERATION), VARIANT(title, TEXT),
    VARIANT(flags, TEXT), VARIANT(libraries, TEXT), VARIANT(needs, TEXT),   {NULL, TEXT, 0},
};
static const struct column *const tables[] = {lab_columns, task_columns, case_columns,
                                              variant_columns};

enum { MOST = 40 };

/* What is printed where, and the columns in their order. */
struct printing {
    FILE *f;
    int n;
    const struct column *columns[MOST];
    const struct lab *lab; /* of tasks */
};

static void print_cases(const struct printing *p, const int *indices, int n)
{
    for (int i = 0; i < n; i++)
        fprintf(p->f, "%s%s", i ? " " : "", p->lab->cases[indices[i]].name);
}

/* A tab within a text would be taken for a column's end. */
static void print_text(FILE *f, const char *text)
{
    for (; *text; text++)
        fputc(*text == '\t' ? ' ' : *text, f);
}

static void print_safety(FILE *f, int safety)
{
    fprintf(f, "%s%s%s%s", safety & SAFETY_ADDRESS ? "address" : "",
            safety & SAFETY_ADDRESS && safety & SAFETY_THREADS ? " " : "",
            safety & SAFETY_THREADS ? "threads" : "", safety & SAFETY_DEVICE ? "device" : "");
}

static void print_params(FILE *f, const struct hpc_params *params)
{
    char text[HPC_PARAMS_MAX * 240];
    hpc_params_print(params, text, sizeof text);
    print_text(f, text);
}

static void print_value(const struct printing *p, const struct column *c, const void *row)
{
    const void *at = (const char *)row + c->at;
    const int *integer = at;
    const struct lab_task *task = row;
    switch (c->value) {
    case TEXT:
        print_text(p->f, at);
        break;
    case INTEGER:
        fprintf(p->f, "%d", *integer);
        break;
    case NUMBER:
        fprintf(p->f, "%g", *(const double *)at);
        break;
    case YES:
        fputs(*(const bool *)at ? "yes" : "no", p->f);
        break;
    case SEALED:
        fputs(*(const bool *)at ? "sealed" : "open", p->f);
        break;
    case OPERATION: {
        const struct hpc_op *op = *(const struct hpc_op *const *)at;
        fputs(op ? op->name : "", p->f);
        break;
    }
    case KIND:
        fputs(task->kind == TASK_ANSWERS ? "answers" : "variant", p->f);
        break;
    case SAFETY:
        print_safety(p->f, task->safety);
        break;
    case THREADS:
        fprintf(p->f, *integer ? "%d" : "all", *integer);
        break;
    case ONE_CASE:
        print_cases(p, integer, *integer >= 0);
        break;
    case CASES:
        print_cases(p, task->cases, task->n_cases);
        break;
    case CHECK_CASES:
        print_cases(p, task->check_cases, task->n_check);
        break;
    case PARAMS:
        print_params(p->f, at);
        break;
    }
}

static void print_row(const struct printing *p, const void *row)
{
    for (int i = 0; i < p->n; i++) {
        if (i)
            fputc('\t', p->f);
        print_value(p, p->columns[i], row);
    }
    fputc('\n', p->f);
}

/* One column by its name. */
static bool choose(struct printing *p, const struct column *table, const char *name,
                   struct hpc_error *err)
{
    const char *names[MOST];
    int n = 0;
    for (; table[n].name; n++) {
        names[n] = table[n].name;
        if (strcmp(table[n].name, name) == 0 && p->n < MOST)
            return p->columns[p->n++] = &table[n], true;
    }
    const char *near = nearest_word(name, names, n);
    if (near)
        return hpc_fail(err, "--tsv: no column \"%.40s\"; did you mean %s?", name, near);
    struct text known = {0};
    for (int i = 0; i < n; i++)
        text_list(&known, ", ", names[i]);
    hpc_fail(err, "--tsv: no column \"%.40s\"; expected one of %s", name, text_string(&known));
    text_free(&known);
    return false;
}

/* The columns that are chosen; of none, all, whose names are the first line. */
static bool choose_all(struct printing *p, enum columns_of of, const char *chosen,
                       struct hpc_error *err)
{
    char *copy = hpc_strdup(chosen ? chosen : ""), *rest = NULL;
    bool good = true;
    for (char *s = strtok_r(copy, ",", &rest); s && good; s = strtok_r(NULL, ",", &rest))
        good = choose(p, tables[of], s, err);
    free(copy);
    for (const struct column *c = tables[of]; !chosen && c->name; c++) {
        fprintf(p->f, "%s%s", p->n ? "\t" : "", c->name);
        p->columns[p->n++] = c;
    }
    if (!chosen)
        fputc('\n', p->f);
    return good;
}

static bool print_labs(struct printing *out, struct project *p, struct hpc_error *err)
{
    char names[64][LAB_NAME];
    int n = lab_names(p->root, names, 64);
    for (int i = 0; i < n; i++) {
        if (!project_lab(p, names[i], err))
            return false;
        print_row(out, p->lab);
    }
    return true;
}

static bool print_variants(const struct printing *out, struct project *p, const char *name,
                           struct hpc_error *err)
{
    if (!project_catalogue(p, err) || (name && !project_variant(p, name, err)))
        return false;
    for (int i = 0; i < p->catalogue->n; i++) {
        const struct variant *v = &p->catalogue->variant[i];
        if (v->at_hand && (!name || strcmp(v->name, name) == 0))
            print_row(out, v);
    }
    return true;
}

static bool print_lab(struct printing *out, struct project *p, enum columns_of of, const char *name,
                      struct hpc_error *err)
{
    if (!project_lab(p, name, err))
        return false;
    out->lab = p->lab;
    for (int i = 0; of == COLUMNS_TASKS && i < p->lab->n_tasks; i++)
        print_row(out, &p->lab->tasks[i]);
    for (int i = 0; of == COLUMNS_CASES && i < p->lab->n_cases; i++)
        print_row(out, &p->lab->cases[i]);
    return true;
}

bool columns_print(FILE *f, struct project *p, enum columns_of of, const char *name,
                   const char *chosen, struct hpc_error *err)
{
    struct printing out = {.f = f};
    if (!choose_all(&out, of, chosen, err))
        return false;
    return of == COLUMNS_LABS       ? print_labs(&out, p, err)
           : of == COLUMNS_VARIANTS ? print_variants(&out, p, name, err)
                                    : print_lab(&out, p, of, name, err);
}
