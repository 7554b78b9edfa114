/* What the CPU device's checker says of a task in CUDA: safety, hints, traffic. It runs on the CPU
 * wherever a lab is graded, on a GPU's machine too. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/defence.h"
#include "harness/grade/internal.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/view/view.h"

static FILE *open_list(const struct grading *g, const struct lab_task *task, char *name,
                       size_t size)
{
    snprintf(name, size, "results/%s/%s.txt", g->project->lab->name, task->name);
    char *path = hpc_printf("%s/%s", g->project->root, name);
    FILE *list = fopen(path, "w");
    free(path);
    return list;
}

/* The checker's own lines go to results/LAB/TASK.jsonl, which pages are made of. */
static char *open_reports(const struct grading *g, struct trial *t)
{
    char *path = hpc_printf("%s/results/%s/%s.jsonl", g->project->root, g->project->lab->name,
                            t->task->name);
    t->reports = fopen(path, "we");
    return path;
}

/* Races, as two lanes of time, end the list. */
static void close_reports(const struct grading *g, struct trial *t, char *path, FILE *list)
{
    struct text timelines = {0};
    char *file = hpc_printf("labs/%s/%s", g->project->lab->name, t->task->file);
    if (t->reports)
        fclose(t->reports);
    t->reports = NULL;
    view_timelines(path, g->project->root, file, &timelines);
    if (list)
        fputs(text_string(&timelines), list);
    text_free(&timelines);
    free(file);
    free(path);
}

#define ENOUGH_SECONDS 15 /* after which a fault that was found will do */

/* What the checker found in the cases so far. */
struct finding {
    int faults, cases; /* in so many cases */
    int looked, all;   /* cases that there was time for, and that there are */
    struct checker_fault first, unset, host;
    const struct lab_case *where; /* of the first fault, or of an end before its time; else NULL */
    const struct lab_case *unset_where;
    struct outcome end; /* of that end; PASS where there was none */
};

/* Whether what was found makes no output wrong. */
static bool is_harmless(const struct checker_fault *f)
{
    return strcmp(f->kind, "leak") == 0 || strcmp(f->kind, "host-in-run") == 0;
}

/* A call of a library failed, which a program may look at, and do otherwise. */
static bool of_library(const struct checker_fault *f)
{
    return strcmp(f->kind, "library") == 0;
}

/* Every case of the checker's, those that the task names, else all, until a runner ends before its
 * time. Where one fault will do, to the first that makes outputs wrong; with --quick no longer than
 * that has time, and `failing` before all others. */
static void look(const struct grading *g, struct trial *t, FILE *list, bool one,
                 const struct lab_case *failing, struct finding *f)
{
    const struct lab_task *task = t->task;
    const struct lab_case *cases[LAB_MAX_CASES + 1];
    memset(f, 0, sizeof *f);
    const bool named = task->n_check > 0;
    const int n = f->all = grade_order(g, task, named ? task->check_cases : task->cases,
                                       named ? task->n_check : task->n_cases, failing, cases);
    const double begin = clock_now();
    double before = begin;
    for (int i = 0; i < n && !hpc_interrupted() && !(one && f->faults && !is_harmless(&f->first));
         i++) {
        const struct lab_case *c = cases[i];
        struct checker_reports reports;
        struct outcome o;
        const double now = clock_now();
        if (g->quick &&
            now - begin + grade_growth(g, task, c) * (now - before) > GRADE_QUICK_SECONDS)
            return;
        if (f->faults && now - begin > ENOUGH_SECONDS)
            return;
        before = now;
        f->looked++;
        ui_progress("%s: device checker, case %s (%d of %d)", task->name, c->name, i + 1, n);
        if (list)
            fprintf(list, "case %s\n", c->name);
        bool clean = trial_check(t, c, g->seed, list, &reports, &o);
        if (reports.unset.kind[0] && !f->unset.kind[0]) {
            f->unset = reports.unset;
            f->unset_where = c;
        }
        if (reports.host.kind[0])
            f->host = reports.host;
        if (reports.faults) {
            if (!f->faults || (one && is_harmless(&f->first))) {
                f->first = reports.first;
                f->where = c;
            }
            f->faults += reports.faults;
            f->cases++;
        }
        if (DEFENCE(last_word) && o.verdict == VERDICT_PASS && !reports.ended) {
            outcome_set(&o, VERDICT_UNSAFE,
                        "a report of the checker's is missing: did the program close stderr?");
        } else if (clean || o.verdict == VERDICT_PASS ||
                   (o.verdict == VERDICT_WRONG && reports.faults))
            continue;
        if (!f->where)
            f->where = c;
        /* The bounds leave room for sums in another order. */
        const bool other = o.verdict == VERDICT_WRONG;
        outcome_set(&f->end, other ? VERDICT_UNSAFE : o.verdict, "%s%s",
                    other ? "right without it: " : "", o.reason);
        return;
    }
}

/* Whether indices hold what they must; else the verdict says where they do not. */
static bool far_right(const struct grading *g, struct trial *t, struct task_result *result)
{
    if (t->task->n_cases < 2) /* a task of one case asks for that size alone */
        return true;
    ui_progress("%s: an index over 2^31", t->task->name);
    enum trial_far why = FAR_WRAPS;
    const uint64_t far = trial_far(t, g->seed, &why);
    if (!far)
        return true;
    snprintf(result->safety, sizeof result->safety, "device: clean, but for an index over 2^%d",
             far >> 32 ? 32 : 31);
    if (why == FAR_REFUSED) {
        outcome_set(&result->outcome, VERDICT_UNSAFE,
                    "right with a million outputs, and with %llu a launch fails: a "
                    "grid has at most 2^31 - 1 blocks in x, which a block for each output is more "
                    "than",
                    (unsigned long long)far);
        outcome_hint(&result->outcome,
                     "blocks of 128 to 1024 threads, an output a thread: a warp is 32 of them, and "
                     "in a block of one thread the other 31 stand idle");
        return false;
    }
    outcome_set(&result->outcome, VERDICT_UNSAFE,
                "right with a million outputs, wrong with %llu, of which the last blocks were run: "
                "%s",
                (unsigned long long)far,
                why == FAR_ROUNDED ? "a float holds 24 bits and rounds that number; is the "
                                     "number of blocks, or an index, a float?"
                : far >> 32        ? "an unsigned variable, or a product of two as blockIdx.x * "
                                     "blockDim.x, holds no more than 2^32 - 1, and wraps"
                                   : "an int holds no more than 2^31 - 1, and wraps");
    outcome_hint(&result->outcome, "%s",
                 why == FAR_ROUNDED
                     ? "blocks rounded up, in integers: (n + block - 1) / block"
                     : "whatever holds an index of x or y is 64 bits wide, what i + j is kept in "
                       "too; long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x: one "
                       "factor is made so before it is multiplied");
    return false;
}

static void tell_faults(const struct finding *f, const char *list, struct task_result *result)
{
    result->by_host = f->host.kind[0] != '\0';
    const struct checker_fault *told = result->by_host ? &f->host : &f->first;
    outcome_set(&result->outcome, result->by_host ? VERDICT_REJECTED : VERDICT_UNSAFE,
                "case %s: %s", f->where->name, told->text);
    outcome_hint(&result->outcome, "%s%s%s", told->advice, f->faults > 1 ? "; all reports: " : "",
                 f->faults > 1 ? list : "");
    snprintf(result->safety, sizeof result->safety, "device: %d report%s in %d case%s, %s",
             f->faults, f->faults == 1 ? "" : "s", f->cases, f->cases == 1 ? "" : "s", list);
}

/* Of a task that the checker is not asked about: whether the host computes, or its memory is read
 * by kernels, which a GPU refuses, where the checker knows all that the file has. */
static void look_at_host(const struct grading *g, struct trial *t, struct task_result *result)
{
    const struct lab_case *c = &g->project->lab->cases[t->task->cases[0]];
    static struct checker_reports reports;
    struct outcome o;
    snprintf(result->safety, sizeof result->safety, "unchecked (lab.ini)");
    if (trial_runner(t, BUILD_CHECK)->outcome.verdict != VERDICT_PASS)
        return;
    trial_check(t, c, g->seed, NULL, &reports, &o);
    result->by_host = reports.host.kind[0] != '\0';
    const struct checker_fault *told = result->by_host ? &reports.host : &reports.first;
    if (!result->by_host && strcmp(told->kind, "host-pointer") != 0)
        return;
    outcome_set(&result->outcome, result->by_host ? VERDICT_REJECTED : VERDICT_UNSAFE,
                "case %s: %s", c->name, told->text);
    outcome_hint(&result->outcome, "%s", told->advice);
    grade_reproduce(g, t->task, c, " --safety checker", result);
}

void grade_check(const struct grading *g, struct trial *t, struct task_result *result)
{
    const struct lab_task *task = t->task;
    struct finding f;
    char name[120];
    if (!(task->safety & SAFETY_DEVICE)) {
        look_at_host(g, t, result);
        return;
    }
    ui_progress("%s: building with the device checker", task->name);
    const struct outcome *build = &trial_runner(t, BUILD_CHECK)->outcome;
    if (build->verdict != VERDICT_PASS) {
        snprintf(result->safety, sizeof result->safety, "device: unchecked (%.150s)",
                 build->reason);
        if (grade_unseen(build->verdict)) {
            outcome_set(&result->outcome, VERDICT_UNSAFE, "not seen by the checker: %s",
                        build->reason);
        } else if (build->verdict == VERDICT_ENVIRONMENT) {
            outcome_set(&result->outcome, VERDICT_ENVIRONMENT, "the checker: %s", build->reason);
        }
        return;
    }
    FILE *list = open_list(g, task, name, sizeof name);
    char *reports = open_reports(g, t);
    look(g, t, list, false, NULL, &f);
    close_reports(g, t, reports, list);
    if (list)
        fclose(list);
    if (!f.where && !far_right(g, t, result))
        return;
    if (!f.where) {
        if (f.looked < f.all)
            snprintf(result->safety, sizeof result->safety,
                     "device: clean in %d of %d cases, the others unchecked (--quick)", f.looked,
                     f.all);
        else
            snprintf(result->safety, sizeof result->safety, "device: clean");
        if (f.unset.kind[0] && !of_library(&f.unset)) /* zeros may be meant, not what is beside */
            outcome_hint(&result->outcome, "right, and yet: %s", f.unset.text);
        return;
    }
    if (f.faults) {
        tell_faults(&f, name, result);
    } else {
        outcome_set(&result->outcome, f.end.verdict, "case %s under the checker: %s", f.where->name,
                    f.end.reason);
        snprintf(result->safety, sizeof result->safety, "device: ended early");
    }
    grade_reproduce(g, task, f.where, " --safety checker", result);
}

void grade_ask_checker(const struct grading *g, struct trial *t, const struct lab_case *failing,
                       struct task_result *result)
{
    struct finding f;
    char name[120];
    const struct outcome *build = &trial_runner(t, BUILD_CHECK)->outcome;
    if (build->verdict != VERDICT_PASS)
        return;
    FILE *list = open_list(g, t->task, name, sizeof name);
    char *reports = open_reports(g, t);
    const struct jail_limits limits = t->limits;
    grade_hurry(g, &t->limits);
    look(g, t, list, true, failing, &f);
    t->limits = limits;
    close_reports(g, t, reports, list);
    if (list)
        fclose(list);
    if ((!f.faults || is_harmless(&f.first)) && f.unset.kind[0] &&
        !(of_library(&f.unset) && result->outcome.verdict != VERDICT_WRONG)) {
        f.faults = 1;
        f.first = f.unset;
        f.where = f.unset_where;
    }
    if (!f.faults || is_harmless(&f.first)) {
        if (!result->outcome.hint[0] && strstr(result->outcome.reason, "returned ") &&
            !strstr(result->outcome.reason, " is refused, "))
            outcome_hint(&result->outcome,
                         "a call of CUDA failed there: cudaGetErrorString() of what it returned, "
                         "or of cudaGetLastError() after a launch, says why");
        return;
    }
    char elsewhere[LAB_NAME + 20];
    /* where wrong outputs lie is a guess beside what was seen */
    const bool guess = strncmp(result->outcome.hint, "only ", 5) == 0 &&
                       strstr(result->outcome.hint, " are wrong");
    const char *before = guess ? "" : result->outcome.hint;
    outcome_hint(&result->outcome, "the checker sees: %s%s%s%s", f.first.text,
                 grade_elsewhere(f.where, failing, elsewhere, sizeof elsewhere),
                 before[0] ? "; " : ": ", before[0] ? before : f.first.advice);
}
