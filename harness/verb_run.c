/* hpclab run: one variant on one problem: checked, timed, against its floor. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/build_task.h"
#include "harness/case.h"
#include "harness/exchange.h"
#include "harness/grade_task.h"
#include "harness/interrupt.h"
#include "harness/measure.h"
#include "harness/run.h"
#include "harness/stats.h"
#include "harness/ui.h"
#include "harness/verbs.h"

static const char usage[] =
    "usage: hpclab run VARIANT [KEY=VALUE ..] [--impl student|reference] [--case [LAB/]CASE]\n"
    "                  [--seed N] [--threads N] [--calls N] [--call N] [--safety address|threads]\n"
    "                  [--plain]\n"
    "One variant on one problem: checked, timed, against its floor. VARIANT is mlp/flat (./hpclab\n"
    "list --variants) or lab3/openmp_trainer, a task. KEY=VALUE changes the problem (./hpclab "
    "list\n"
    "--keys mlp_sgd); --case takes a lab's. --impl student runs your file of the task that is "
    "named\n"
    "as the variant. --calls says how often, --call with the inputs of which call it begins, as a\n"
    "report names it. --safety runs it under a sanitizer instead of timing it.\n"
    "Examples: ./hpclab run mlp/flat layers=30,5,1 activations=tanh,sigmoid data=breast_cancer\n"
    "          ./hpclab run lab3/openmp_trainer --impl student --case odd --seed 7\n";

static bool build_target(const char *root, const struct run_options *o, const struct run_target *t,
                         struct build_result *built, struct hpc_error *err)
{
    enum build_kind kind = !o->safety                      ? BUILD_PLAIN
                           : !strcmp(o->safety, "address") ? BUILD_ADDRESS
                                                           : BUILD_THREADS;
    ui_progress("building %s", o->name);
    if (t->task)
        build_task(root, t->lab, t->task, t->whose, kind, built);
    else if (!build_catalogue(root, t->variant.name, kind, built, err))
        return false;
    ui_progress_end();
    if (built->verdict == VERDICT_PASS)
        return true;
    return hpc_fail_env(err, "run: %s: %s: %s", o->name, verdict_names[built->verdict],
                        built->reason);
}

#define CHECKED 3 /* calls whose every element is compared */

static int fault(const char *name, enum verdict verdict, const char *reason, const char *hint)
{
    ui_progress_end();
    printf("  %s%s%s %s\n", ui_style(UI_BAD), verdict_names[verdict], ui_style(UI_PLAIN), reason);
    if (hint && hint[0])
        printf("  hint: %s\n", hint);
    fprintf(stderr, "hpclab: run: %s: %s\n", name, verdict_names[verdict]);
    return HPC_EXIT_BELOW;
}

static void print_times(const struct run_target *t, const struct ready_case *ready, double *seconds,
                        int n)
{
    struct hpc_cost cost;
    struct hpc_layout layout;
    char median[16], low[16], high[16], floor_text[16];
    double s = stats_median(seconds, n);
    t->op->cost(ready->problem, &cost);
    t->op->layout(ready->problem, &layout);
    printf("  time     %s  [%s, %s], median and quartiles of %d calls, %d thread%s\n",
           ui_seconds(s, median, sizeof median),
           ui_seconds(stats_quantile(seconds, n, 0.25), low, sizeof low),
           ui_seconds(stats_quantile(seconds, n, 0.75), high, sizeof high), n, t->threads,
           t->threads == 1 ? "" : "s");
    if (cost.flops <= 0)
        return;
    double floor = measure_floor(&cost, &layout, t->threads);
    printf("  rate     %.3g GFLOP/s, at least %.3g GB/s\n", cost.flops / s / 1e9,
           cost.bytes / s / 1e9);
    printf("  floor    %s at the FMA peak measured just now: %.1f%% of it is reached\n",
           ui_seconds(floor, floor_text, sizeof floor_text), 100 * floor / s);
}

struct outcome {
    bool ran, right, admitted; /* run() returned; its outputs were right; the draw could tell */
    enum verdict verdict;
    char reason[400], output[4096];
    struct hpc_mismatch mismatch;
    double *seconds;
    int n;
};

/* Up to o->calls calls, the first CHECKED of them checked in full. */
static void make_calls(const struct run_options *o, const struct hpc_op *op,
                       const struct exchange_spec *spec, struct outcome *r)
{
    struct exchange *x = exchange_open(spec, &r->verdict, r->reason, sizeof r->reason);
    r->right = r->admitted = true;
    r->ran = x != NULL;
    for (; r->n < o->calls && r->ran && r->right && !hpc_interrupted(); r->n++) {
        struct exchange_call call;
        ui_progress("call %d of %d", r->n + 1, o->calls);
        r->ran = exchange_run(x, o->call + (uint64_t)r->n, true, &call, &r->verdict, r->reason,
                              sizeof r->reason);
        if (!r->ran)
            break;
        r->seconds[r->n] = call.seconds;
        if (r->n < CHECKED)
            r->right = op->check(spec->problem, call.in, call.out, &r->admitted, &r->mismatch);
        else
            r->right = op->check_quick(spec->problem, call.in, call.out, &r->mismatch);
    }
    enum verdict verdict;
    char reason[400];
    bool closed =
        !x || exchange_close(x, &verdict, reason, sizeof reason, r->output, sizeof r->output);
    ui_progress_end();
    if (!closed && r->ran && r->right) {
        r->ran = false;
        r->verdict = verdict;
        snprintf(r->reason, sizeof r->reason, "%s", reason);
    }
    if (r->right)
        return;
    const struct hpc_mismatch *m = &r->mismatch;
    r->verdict = VERDICT_WRONG;
    snprintf(r->reason, sizeof r->reason, "%s is %.9g, should be %.9g within %.2g", m->what, m->got,
             m->want, m->bound);
}

static int run_calls(const struct run_options *o, const struct run_target *t,
                     const struct lab_case *c, const struct build_result *built)
{
    struct ready_case ready;
    struct hpc_error err;
    char words[800];
    if (!case_ready(c, o->seed, t->threads, &ready, &err))
        return hpc_report(&err);
    hpc_params_print(&c->params, words, sizeof words);
    printf("%s (%s)  %s  seed %llu\n", o->name, t->whose, words, (unsigned long long)o->seed);
    struct exchange_spec spec = {.runner = built->output,
                                 .op = c->op,
                                 .problem = ready.problem,
                                 .seed = ready.seed,
                                 .env = {t->threads, machine_here()->simd, NULL},
                                 .limits = t->limits};
    build_runner_needs(built, &spec);
    struct outcome *r = hpc_calloc(1, sizeof *r);
    r->seconds = hpc_calloc((size_t)o->calls, sizeof *r->seconds);
    make_calls(o, c->op, &spec, r);
    if (r->output[0])
        printf("  it printed: %s\n", r->output);
    int status = HPC_EXIT_OK;
    if (!r->ran || !r->right) {
        status = fault(o->name, r->verdict, r->reason, r->right ? NULL : r->mismatch.hint);
    } else {
        printf("  %s right   %s%s\n", ui_tick(),
               r->admitted ? "every element of the first three calls, all calls finite"
                           : "the draw amplifies one ulp too much to say; try another seed",
               o->safety ? ", and the sanitizer found nothing" : "");
        if (!o->safety && r->n)
            print_times(t, &ready, r->seconds, r->n);
    }
    free(r->seconds);
    free(r);
    return status;
}

int verb_run(const char *root, int argc, char **argv)
{
    struct run_options o = {0};
    struct run_target t = {0};
    struct lab_case c;
    struct build_result built;
    struct hpc_error err;
    int go = run_read_options(argc, argv, &o, &err);
    if (go == 0)
        return fputs(usage, stdout), HPC_EXIT_OK;
    if (go < 0)
        return hpc_report(&err);
    t.lab = hpc_calloc(1, sizeof *t.lab);
    bool good = run_find(root, &o, &t, &c, &err) && build_target(root, &o, &t, &built, &err);
    if (o.threads)
        t.threads = o.threads;
    int status = good ? run_calls(&o, &t, &c, &built) : hpc_report(&err);
    free(t.lab);
    return status;
}
