/* hpclab bench: who takes part, and one table after another. */
#define _GNU_SOURCE
#include "harness/bench/bench.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/interrupt.h"
#include "common/random.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/bench/internal.h"
#include "harness/lab/case.h"
#include "harness/lab/starters.h"
#include "harness/record/record.h"

struct values {
    const char *task;
    uint64_t seed;
    bool reference, quick, plain;
};
#define AT(member) .at = offsetof(struct values, member)
static const struct option_row rows[] = {
    {"only", "TASK", "this task alone", OPTION_TEXT, AT(task)},
    {"reference", NULL, "the references too, where they are at hand", OPTION_SWITCH, AT(reference)},
    {"quick", NULL, "fewer sizes and calls", OPTION_SWITCH, AT(quick)},
    {"seed", "N", "the same inputs again", OPTION_SEED, AT(seed)},
    {"plain", NULL, "no colour, no progress", OPTION_SWITCH, AT(plain)},
    {0},
};
const struct option_table bench_options = {
    .command = "./hpclab bench",
    .words = "[LAB]",
    .title = "times over sizes and threads, a roofline, pictures of them",
    .about =
        "Times your variants of a lab (the one selected last, where none is named) and the "
        "baselines over sizes and threads, with intervals; speed-up with Amdahl's fit and "
        "efficiency; a roofline under ceilings measured now; the memory's staircase; for 2D "
        "convolutions the ratio over layers and sparsity, by traffic where there is no GPU. Tables "
        "are written to results/LAB/bench/ line by line, pictures by gnuplot where it is here.",
    .ending =
        "Outputs are not compared here: ./grade says whether they are right. But a starter that "
        "nobody has begun is left out where it does nothing.",
    .examples = "./hpclab bench lab3\n./hpclab bench lab2 --only blocked --quick",
    .most = 1,
    .expected = "one lab at a time",
    .rows = rows,
};

/* On the problem of this task, with its threads and limits. */
static void set_task(struct contestant *w, const struct lab_task *task)
{
    w->task = task;
    w->trial->threads = task_threads(task);
    w->trial->limits = task->limits;
}

/* A variant of several tasks takes part once, for the first that is timed. */
static void take_part(struct bench *b, const struct lab_task *task, const char *whose,
                      const char *name)
{
    struct contestant *w = &b->who[b->n];
    const bool listed = strchr(whose, '/') != NULL;
    for (int i = 0; i < b->n; i++)
        if (strcmp(b->who[i].name, name) == 0) {
            if (b->who[i].task->speed_case < 0 && task->speed_case >= 0)
                set_task(&b->who[i], task);
            return;
        }
    text_fit(w->name, sizeof w->name, "%s", name);
    w->trial = trial_open(b->project, listed ? NULL : task, whose);
    w->yours = !listed && strcmp(whose, "student") == 0;
    set_task(w, task);
    b->n++;
}

/* The student's file of each task, its baseline, and with --reference that. */
static void find_contestants(struct bench *b, const struct values *o)
{
    const struct lab *lab = b->project->lab;
    char name[BENCH_NAME], why[200];
    for (int i = 0; i < lab->n_tasks; i++) {
        const struct lab_task *t = &lab->tasks[i];
        const struct variant *reference = catalogue_find(b->project->catalogue, t->reference),
                             *baseline = catalogue_find(b->project->catalogue, t->baseline);
        if (t->kind != TASK_VARIANT || (o->task && strcmp(o->task, t->name) != 0))
            continue;
        if (!needs_met(t->needs, why, sizeof why)) {
            printf("  left out: %s %s\n", t->name, why);
            continue;
        }
        text_fit(name, sizeof name, "%s, baseline", t->baseline);
        if (baseline && !needs_met(baseline->needs, why, sizeof why))
            printf("  left out: %s %s\n", name, why);
        else if (t->baseline[0])
            take_part(b, t, t->baseline, name);
        text_fit(name, sizeof name, "%s, yours", t->name);
        take_part(b, t, "student", name);
        text_fit(name, sizeof name, "%s, reference", t->reference);
        if (o->reference && reference && reference->at_hand)
            take_part(b, t, t->reference, name);
    }
}

/* A starter that nobody has begun and that does nothing has times of nothing: others are a program,
 * and one's own is timed before it is right. */
static bool not_begun(struct bench *b, const struct contestant *w)
{
    const struct lab_case *c = bench_timed(b, w->task) ? bench_usual(b, w->task) : NULL;
    return w->yours && c &&
           starter_untouched(b->project->root, b->project->lab->name, w->task->file) &&
           !bench_right(b, w, c);
}

/* Those that do not build, or are not begun, are left out, with a line. */
static void build_all(struct bench *b)
{
    int kept = 0;
    for (int i = 0; i < b->n; i++) {
        struct contestant w = b->who[i];
        const bool count = !bench_timed(b, w.task);
        const enum build_kind kind = count                   ? BUILD_CHECK
                                     : lab_task_cuda(w.task) ? BUILD_CUDA
                                                             : BUILD_PLAIN;
        ui_progress("building %s", w.name);
        struct outcome o = trial_runner(w.trial, kind)->outcome;
        ui_progress_end();
        const bool built = o.verdict == VERDICT_PASS;
        if (built && !not_begun(b, &w)) {
            b->who[kept++] = w;
            continue;
        }
        hpc_harmless(o.reason);
        if (built)
            printf("  left out: %s: labs/%s/%s" RECORD_STARTER "\n", w.name, b->project->lab->name,
                   w.task->file);
        else
            printf("  left out: %s: %s: %s\n", w.name, verdict_names[o.verdict], o.reason);
        trial_close(w.trial);
    }
    b->n = kept;
}

static bool any_timed(const struct bench *b)
{
    for (int i = 0; i < b->n; i++)
        if (bench_timed(b, b->who[i].task) && bench_usual(b, b->who[i].task))
            return true;
    return false;
}

/* Whether ratios.csv will have a line of what is not timed here. */
static bool any_counted(const struct bench *b)
{
    for (int i = 0; i < b->n; i++)
        if (b->who[i].task->op->layers)
            return true;
    return false;
}

static bool run_all(struct bench *b, struct hpc_error *err)
{
    const bool timed = any_timed(b);
    bool good = bench_staircase(b, err);
    if (!timed && any_counted(b))
        printf("  no task here is timed without a GPU: see ratios.csv for what is counted\n");
    else if (!timed && b->n)
        printf("  no task here is timed without a GPU: ./grade %s counts what each moves\n",
               b->project->lab->name);
    good = good &&
           (!timed || (bench_roofline(b, err) && bench_sizes(b, err) && bench_threads(b, err)));
    return good && bench_ratios(b, err);
}

/* Tables of another run say nothing of this one. */
static bool begin_folder(struct bench *b, struct hpc_error *err)
{
    folder_remove(b->folder);
    return folder_make(b->folder, err);
}

static bool known_task(const struct lab *lab, const char *name, struct hpc_error *err)
{
    const struct lab_task *t = name ? lab_task_find(lab, name) : NULL;
    if (!name || (t && t->kind == TASK_VARIANT))
        return true;
    char *hint = lab_program_hint(lab, name);
    hpc_fail(err, "--only %s: %s has no variant task of that name%s", name, lab->name, hint);
    free(hint);
    return false;
}

int verb_bench(struct project *p, int argc, char **argv)
{
    struct hpc_error err;
    struct values o = {.seed = hpc_random_seed()};
    const int go = options_read(&bench_options, &argc, &argv, &o, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    ui_init(o.plain);
    struct bench *b = hpc_calloc(1, sizeof *b);
    *b = (struct bench){.project = p, .seed = o.seed, .quick = o.quick};
    bool good = project_select(p, argc ? argv[0] : NULL, &err) &&
                known_task(p->lab, o.task, &err) &&
                lab_device(p->lab, p->selection.device, &b->device, &err);
    if (good) {
        b->folder = hpc_printf("%s/results/%s/bench", p->root, p->lab->name);
        printf("%s  bench, seed %llu\n", p->lab->name, (unsigned long long)b->seed);
        find_contestants(b, &o);
        build_all(b);
        good = begin_folder(b, &err) && run_all(b, &err);
        ui_progress_end();
    }
    if (good && hpc_interrupted())
        good = hpc_fail_env(&err, "interrupted: what was measured is in %s", b->folder);
    if (good)
        printf("\ntables and %d picture%s are in %s/\n%s./hpclab report %s puts them into a page\n",
               b->made, b->made == 1 ? "" : "s", b->folder,
               b->no_gnuplot ? "gnuplot is not here: no pictures\n" : "", p->lab->name);
    for (int i = 0; i < b->n; i++)
        trial_close(b->who[i].trial);
    for (int i = 0; i < b->n_series; i++)
        free(b->series[i]);
    free(b->folder);
    free(b);
    return good ? HPC_EXIT_OK : hpc_report(&err);
}
