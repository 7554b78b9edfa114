/* hpclab run: one variant on one problem: checked, timed, against its floor. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/trial/trial.h"
#include "harness/trial/try.h"
#include "common/interrupt.h"
#include "harness/measure/pairs.h"
#include "harness/verbs/run_words.h"
#include "common/stats.h"
#include "common/ui.h"
#include "harness/verbs/verbs.h"

static const char usage[] =
    "usage: hpclab run VARIANT [KEY=VALUE ..] [--impl student|reference] [--case [LAB/]CASE]\n"
    "                  [--seed N] [--threads N] [--calls N] [--call N]\n"
    "                  [--safety address|threads|checker] [--device auto|cpu|cuda] [--plain]\n"
    "One variant on one problem: checked, timed, against its floor. VARIANT is mlp/flat (./hpclab\n"
    "list --variants) or lab3/openmp_trainer, a task. KEY=VALUE changes the problem (./hpclab "
    "list\n"
    "--keys mlp_sgd); --case takes a lab's. --impl student runs your file of the task that is "
    "named\n"
    "as the variant. --calls says how often, --call with the inputs of which call it begins, as a\n"
    "report names it. --safety runs it under a sanitizer instead of timing it; checker, for a "
    ".cu,\n"
    "is the CPU device's, which counts memory traffic too (its old name is device). --device says\n"
    "where a .cu runs.\n"
    "Examples: ./hpclab run mlp/flat layers=30,5,1 activations=tanh,sigmoid data=breast_cancer\n"
    "          ./hpclab run lab3/openmp_trainer --impl student --case odd --seed 7\n"
    "          ./hpclab run conv1d/tiled_halo n=1e6 mask=9 threads=256 --safety checker\n";

/* The runner that is asked for, which is trial's; NULL with *err. */
static const struct build_result *build_target(struct trial *trial, const struct run_options *o,
                                               const struct run_target *t, struct hpc_error *err)
{
    enum hpc_place device;
    char why[200];
    if (!device_choose(o->device ? o->device : "auto", &device, err))
        return NULL;
    if (!needs_met(t->task ? t->task->needs : t->variant->needs, why, sizeof why)) {
        hpc_fail_env(err, "run: %s %s", o->name, why);
        return NULL;
    }
    enum build_kind kind = !o->safety                      ? build_plain(device)
                           : !strcmp(o->safety, "address") ? BUILD_ADDRESS
                           : !strcmp(o->safety, "checker") ? BUILD_CHECK
                                                           : BUILD_THREADS;
    const char *file = t->task ? t->task->file : t->variant->file;
    if (kind == BUILD_CHECK && !device_source(file)) {
        hpc_fail(err, "--safety checker: %s is not in CUDA; expected address or threads", o->name);
        return NULL;
    }
    ui_progress("building %s", o->name);
    const struct build_result *built = trial_runner(trial, kind);
    ui_progress_end();
    if (built->outcome.verdict == VERDICT_PASS)
        return built;
    hpc_fail_env(err, "%s%s: %s: %s", t->task ? "run: " : "", o->name,
                 verdict_names[built->outcome.verdict], built->outcome.reason);
    return NULL;
}

#define CHECKED    3 /* calls whose every element is compared */
#define COPY_CALLS 5

static int fault(const char *name, enum verdict verdict, const char *reason, const char *hint)
{
    ui_progress_end();
    printf("  %s%s%s %s\n", ui_style(UI_BAD), verdict_names[verdict], ui_style(UI_PLAIN), reason);
    if (hint && hint[0])
        printf("  hint: %s\n", hint);
    fprintf(stderr, "hpclab: run: %s: %s\n", name, verdict_names[verdict]);
    return HPC_EXIT_BELOW;
}

static void print_floor(const char *root, const struct run_target *t,
                        const struct exchange_spec *spec, double seconds)
{
    struct hpc_cost cost;
    struct hpc_layout layout;
    char text[16];
    t->op->cost(spec->problem, &cost);
    t->op->layout(spec->problem, &layout);
    if (spec->device == DEVICE_CPU) {
        printf("  device   the CPU device: such a time says nothing about a GPU\n");
        return;
    }
    if (cost.flops <= 0)
        return;
    printf("  rate     %.3g GFLOP/s, at least %.3g GB/s\n", cost.flops / seconds / 1e9,
           cost.bytes / seconds / 1e9);
    bool gpu = spec->device == DEVICE_CUDA;
    double floor =
        gpu ? run_copy_seconds(root, spec, COPY_CALLS) : measure_floor(&cost, &layout, t->threads);
    if (floor > 0)
        printf("  floor    %s %s: %.1f%% of it is reached\n", ui_seconds(floor, text, sizeof text),
               gpu ? "for a copy of as many bytes" : "at the FMA peak measured just now",
               100 * floor / seconds);
}

static void print_times(const char *root, const struct run_target *t,
                        const struct exchange_spec *spec, double *seconds, int n)
{
    char median[16], low[16], high[16], threads[32] = ", on the GPU";
    double s = stats_median(seconds, n);
    if (spec->device != DEVICE_CUDA)
        snprintf(threads, sizeof threads, ", %d thread%s", t->threads, t->threads == 1 ? "" : "s");
    printf("  time     %s  [%s, %s], median and quartiles of %d calls%s\n",
           ui_seconds(s, median, sizeof median),
           ui_seconds(stats_quantile(seconds, n, 0.25), low, sizeof low),
           ui_seconds(stats_quantile(seconds, n, 0.75), high, sizeof high), n, threads);
    print_floor(root, t, spec, s);
}

struct calls {
    bool ran, right, admitted; /* run() returned; its outputs were right; the draw could tell */
    struct outcome outcome;
    char *output; /* what the runner printed */
    struct hpc_mismatch mismatch;
    double *seconds;
    int n;
};

static void keep_output(void *data, const char *text)
{
    struct calls *r = data;
    r->output = hpc_strdup(text);
}

/* Up to o->calls calls, the first CHECKED of them checked in full. */
static void make_calls(const struct run_options *o, const struct hpc_op *op,
                       const struct exchange_spec *spec, struct calls *r)
{
    struct exchange *x = exchange_open(spec, &r->outcome);
    r->right = r->admitted = true;
    r->ran = x != NULL;
    for (int redraws = 0; r->n < o->calls && r->ran && r->right && !hpc_interrupted(); r->n++) {
        struct exchange_call call;
        ui_progress("call %d of %d", r->n + 1, o->calls);
        r->ran = exchange_run(x, o->call + (uint64_t)(r->n + redraws), true, &call, &r->outcome);
        if (!r->ran)
            break;
        r->seconds[r->n] = call.seconds;
        if (r->n < CHECKED)
            r->right = op->check(spec->problem, call.in, call.out, &r->admitted, &r->mismatch);
        else
            r->right = hpc_op_check_timed(op, spec->problem, call.in, call.out, &r->mismatch);
        if (!r->admitted && redraws < HPC_REDRAWS) { /* the draw tells nothing: another one */
            redraws++;
            r->n--;
        }
    }
    struct outcome at_close = {0};
    bool closed = !x || exchange_close(x, &at_close, NULL, 0);
    ui_progress_end();
    if (!closed && r->ran && r->right) {
        r->ran = false;
        r->outcome = at_close;
    }
    if (r->right)
        return;
    const struct hpc_mismatch *m = &r->mismatch;
    outcome_set(&r->outcome, VERDICT_WRONG, "%s is %.9g, should be %.9g within %.2g", m->what,
                m->got, m->want, m->bound);
}

/* What there is to say of calls that are over; the exit status. */
static int print_outcome(const char *root, const struct run_options *o, const struct run_target *t,
                         const struct exchange_spec *spec, const char *key, struct calls *r)
{
    bool checker = spec->sanitized && spec->device != DEVICE_HOST;
    struct hpc_layout layout;
    double outputs = 0;
    t->op->layout(spec->problem, &layout);
    for (int k = 0; k < layout.n_out; k++)
        outputs += (double)layout.out[k].count;
    int faults = checker && r->output ? run_print_reports(r->output, key, outputs) : 0;
    if (!checker && r->output && r->output[0])
        printf("  it printed: %.4000s\n", r->output);
    if (!r->ran || !r->right) {
        const char *hint = r->right ? "" : r->mismatch.hint;
        if (!hint[0] && !checker && spec->device != DEVICE_HOST)
            hint = "add --safety checker: the checker sees races and accesses out of bounds";
        return fault(o->name, r->outcome.verdict, r->outcome.reason, hint);
    }
    if (faults)
        return fault(o->name, VERDICT_UNSAFE, "right, but see what the device checker reports",
                     NULL);
    printf("  %s right   %s%s\n", ui_tick(),
           !r->admitted ? "every draw amplifies one ulp too much to say"
           : r->n == 1  ? "every element"
                        : "every element of the first three calls, all calls finite",
           checker     ? ", and the device checker found nothing"
           : o->safety ? ", and the sanitizer found nothing"
                       : "");
    if (!o->safety && r->n)
        print_times(root, t, spec, r->seconds, r->n);
    return HPC_EXIT_OK;
}

static int run_calls(const char *root, struct run_options *o, const struct run_target *t,
                     const struct lab_case *c, const struct build_result *built)
{
    struct ready_case ready;
    struct hpc_error err;
    char words[800], key_word[48], key[24];
    if (!case_ready(c, o->seed, t->threads, &ready, &err))
        return hpc_report(&err);
    hpc_params_print(&c->params, words, sizeof words);
    printf("%s (%s)  %s  seed %llu\n", o->name, t->whose, words, (unsigned long long)o->seed);
    struct calls *r = hpc_calloc(1, sizeof *r);
    struct exchange_spec spec = {.runner = built->output,
                                 .op = c->op,
                                 .problem = ready.problem,
                                 .seed = ready.seed,
                                 .env = {t->threads, machine_here()->simd, NULL},
                                 .limits = t->limits,
                                 .printed = keep_output,
                                 .printed_data = r};
    const char *checker_env[] = {key_word, NULL};
    build_runner_needs(built, &spec);
    if (built->sanitized && built->device != DEVICE_HOST) {
        checker_key(key_word, key);
        spec.extra_env = checker_env;
        spec.limits = checker_limits(spec.limits);
        o->calls = 1; /* of which the traffic is */
    }
    r->seconds = hpc_calloc((size_t)o->calls, sizeof *r->seconds);
    make_calls(o, c->op, &spec, r);
    int status = print_outcome(root, o, t, &spec, key, r);
    free(r->output);
    free(r->seconds);
    free(r);
    return status;
}

int verb_run(struct project *p, int argc, char **argv)
{
    struct run_options o = {0};
    struct run_target t = {0};
    struct lab_case c;
    struct hpc_error err;
    int go = run_read_options(argc, argv, &o, &err);
    if (go == 0)
        return fputs(usage, stdout), HPC_EXIT_OK;
    if (go < 0)
        return hpc_report(&err);
    if (!run_find(p, &o, &t, &c, &err))
        return hpc_report(&err);
    struct trial *trial = trial_open(p, t.task, t.task ? t.whose : t.variant->name);
    const struct build_result *built = build_target(trial, &o, &t, &err);
    if (o.threads)
        t.threads = o.threads;
    int status = built ? run_calls(p->root, &o, &t, &c, built) : hpc_report(&err);
    trial_close(trial);
    return status;
}
