/* hpclab lint: everything that a lab lacks, for who writes it, in one list. */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/course/course.h"
#include "harness/record/reference.h"

static const struct option_row rows[] = {{0}};
const struct option_table lint_options = {
    .command = "./hpclab lint",
    .words = "LAB",
    .title = "lists what a lab lacks, for who writes it",
    .about = "Looks at a lab's handout, starters, hidden cases, symbols, marks of answers, "
             "entries of reference/, and at its mutants: wrong solutions that are told, and those "
             "that pass with all points and no word. Nothing is built or run.",
    .ending = "Ends with 0 when it lacks nothing, 1 when it lacks something.",
    .examples = "./hpclab lint lab3",
    .least = 1,
    .most = 1,
    .expected = "one lab, such as lab3",
    .rows = rows,
};

struct lint {
    const struct project *p;
    int n;
};

static void lacks(struct lint *l, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void lacks(struct lint *l, const char *where, const char *format, ...)
{
    struct text t = {0};
    va_list args;
    va_start(args, format);
    text_vadd(&t, format, args);
    va_end(args);
    char *label = hpc_printf("%s %s:", ui_cross(), where);
    ui_paragraph(2, label, text_string(&t));
    free(label);
    text_free(&t);
    l->n++;
}

static bool is_there(const struct lint *l, const char *path)
{
    char *whole = hpc_printf("%s/%s", l->p->root, path);
    const bool found = access(whole, R_OK) == 0;
    free(whole);
    return found;
}

static void look_at_lab(struct lint *l)
{
    const struct lab *lab = l->p->lab;
    struct hpc_error err;
    char *handout = command_text(l->p->root, lab->handout, &err);
    if (!handout)
        lacks(l, lab->name, "no handout: %s", err.text);
    for (int i = 0; i < lab->n_tasks && handout; i++)
        if (!strstr(handout, lab->tasks[i].file))
            lacks(l, lab->handout, "does not name %s, the file of %s", lab->tasks[i].file,
                  lab->tasks[i].name);
    free(handout);
}

static void look_at_reference(struct lint *l, const struct lab_task *t)
{
    char source[120];
    if (t->points_speed <= 0 || t->target_copy > 0 || t->target > 0)
        return;
    if (t->speed_case < 0)
        lacks(l, t->name, "points for speed, and no speed_case");
    else if (reference_target(l->p, t, machine_here(), source, sizeof source) == 0 ||
             strncmp(source, "reference/", 10) != 0)
        lacks(l, t->name, "no reference is timed on %s (%s)", machine_here()->name, source);
    char *stale = reference_stale(l->p, t, machine_here());
    if (stale)
        lacks(l, t->name, "reference/%s.json is stale: %s", machine_here()->name, stale);
    free(stale);
}

static void look_at_variant(struct lint *l, const struct lab_task *t)
{
    const struct lab *lab = l->p->lab;
    const struct variant *v = catalogue_find(l->p->catalogue, t->reference);
    int hidden = 0;
    for (int i = 0; i < t->n_cases; i++)
        hidden += lab->cases[t->cases[i]].hidden;
    if (!hidden)
        lacks(l, t->name, "no hidden case: its inputs are all known");
    if (t->reference[0] && (!v || !v->at_hand))
        lacks(l, t->name, "its reference %s is not at hand", t->reference);
    if (!t->symbols[0] && !lab_task_cuda(t))
        lacks(l, t->name, "no symbols: whatever it calls is allowed");
    look_at_reference(l, t);
}

static void look_at_answers(struct lint *l, const struct lab_task *t)
{
    char *marker = hpc_printf("labs/%s/marker.c", l->p->lab->name);
    char *expected = hpc_printf("labs/%s/expected.ini", l->p->lab->name);
    if (!is_there(l, marker) && !is_there(l, expected))
        lacks(l, t->name, "neither %s nor %s says what is right", marker, expected);
    free(expected);
    free(marker);
}

/* What a patch's first line, "expect: VERDICTS; ..", promises of a wrong or slow solution: that a
 * grading tells it, by its verdict, by points that it does not get, or in words. One of which words
 * are `unsaid` is right, and there to be left in peace. */
enum telling { TOLD, UNTOLD, RIGHT };
static enum telling telling_of(const char *text)
{
    static const char *const by[] = {"; points: <", "; reason: ", "; hint: "};
    const size_t n = strcspn(text, "\n");
    if (strncmp(text, "expect: pass", 12) != 0)
        return TOLD;
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (memmem(text, n, by[i], strlen(by[i])))
            return TOLD;
    return memmem(text, n, "; unsaid: ", 10) ? RIGHT : UNTOLD;
}

/* Wrong solutions of the task: a patch each. */
static void look_at_mutants(struct lint *l, const struct lab_task *t)
{
    char *folder = hpc_printf("tests/mutants/%s/%s", l->p->lab->name, t->name);
    char *whole = hpc_printf("%s/%s", l->p->root, folder);
    struct dirent **entries;
    int told = 0, n = scandir(whole, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        struct hpc_error err;
        const char *dot = strrchr(entries[i]->d_name, '.');
        char *text =
            dot && !strcmp(dot, ".patch") ? command_text(whole, entries[i]->d_name, &err) : NULL;
        const enum telling telling = text ? telling_of(text) : RIGHT;
        if (telling == UNTOLD)
            lacks(l, t->name, "%s/%s is wrong or slow, passes with all points, and is told nothing",
                  folder, entries[i]->d_name);
        told += telling == TOLD;
        free(text);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    if (!told)
        lacks(l, t->name, "no wrong solution is tried: %s/*.patch", folder);
    free(whole);
    free(folder);
}

int verb_lint(struct project *p, int argc, char **argv)
{
    struct lint l = {.p = p};
    struct hpc_error err;
    int go = options_read(&lint_options, &argc, &argv, NULL, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    if (!project_lab(p, argv[0], &err))
        return hpc_report(&err);
    const struct lab *lab = p->lab;
    char *name = hpc_printf("%s  ", lab->name);
    ui_paragraph(0, name, lab->title);
    free(name);
    look_at_lab(&l);
    for (int i = 0; i < lab->n_tasks; i++) {
        const struct lab_task *t = &lab->tasks[i];
        char *starter = hpc_printf("labs/%s/starter/%s", lab->name, t->file);
        if (!is_there(&l, starter))
            lacks(&l, t->name, "no starter: %s", starter);
        free(starter);
        if (t->kind == TASK_VARIANT)
            look_at_variant(&l, t);
        else
            look_at_answers(&l, t);
        look_at_mutants(&l, t);
    }
    if (l.n)
        printf("%s lacks %d %s\n", lab->name, l.n, l.n == 1 ? "thing" : "things");
    else
        printf("%s lacks nothing\n", lab->name);
    return l.n ? HPC_EXIT_BELOW : HPC_EXIT_OK;
}
