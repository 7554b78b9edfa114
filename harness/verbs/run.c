/* hpclab run: one variant on one problem: checked, timed, against its floor. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/trial/trial.h"
#include "common/interrupt.h"
#include "harness/verbs/run_words.h"
#include "common/stats.h"
#include "common/ui.h"
#include "harness/verbs/verbs.h"

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
    enum build_kind kind = o->debug                        ? BUILD_DEBUG
                           : !o->safety                    ? build_plain(device)
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

#define CHECKED       3 /* calls whose every element is compared */
#define COPY_CALLS    5
#define DEBUG_SECONDS 600
#define DEBUG_OUTPUT  (1 << 20) /* bytes */

static int fault(const char *name, enum verdict verdict, const char *reason, const char *hint)
{
    ui_progress_end();
    printf("  %s%s%s %s\n", ui_style(UI_BAD), verdict_names[verdict], ui_style(UI_PLAIN), reason);
    if (hint && hint[0])
        printf("  hint: %s\n", hint);
    fprintf(stderr, "hpclab: run: %s: %s\n", name, verdict_names[verdict]);
    return verdict == VERDICT_ENVIRONMENT ? HPC_EXIT_ENVIRONMENT : HPC_EXIT_BELOW;
}

static void print_floor(struct trial *trial, const struct case_try *try, double seconds)
{
    const enum hpc_place device = try->built->device;
    struct hpc_cost cost;
    struct hpc_layout layout;
    char text[16];
    trial->op->cost(try->ready.problem, &cost);
    trial->op->layout(try->ready.problem, &layout);
    if (device == DEVICE_CPU) {
        printf("  device   the CPU device: such a time says nothing about a GPU\n");
        return;
    }
    if (cost.flops <= 0)
        return;
    printf("  rate     %.3g GFLOP/s, at least %.3g GB/s\n", cost.flops / seconds / 1e9,
           cost.bytes / seconds / 1e9);
    bool gpu = device == DEVICE_CUDA;
    double floor = gpu ? trial_copy_seconds(trial, try, COPY_CALLS)
                       : measure_floor(&cost, &layout, trial->threads);
    if (floor > 0)
        printf("  floor    %s %s: %.1f%% of it is reached\n", ui_seconds(floor, text, sizeof text),
               gpu ? "for a copy of as many bytes" : "at the FMA peak measured just now",
               100 * floor / seconds);
}

static void print_times(struct trial *trial, const struct case_try *try)
{
    char median[16], low[16], high[16], threads[32] = ", on the GPU";
    const int n = try->n, cores = trial->threads;
    double s = stats_median(try->seconds, n);
    if (try->built->device != DEVICE_CUDA)
        snprintf(threads, sizeof threads, ", %d thread%s", cores, cores == 1 ? "" : "s");
    printf("  time     %s  [%s, %s], median and quartiles of %d calls%s\n",
           ui_seconds(s, median, sizeof median),
           ui_seconds(stats_quantile(try->seconds, n, 0.25), low, sizeof low),
           ui_seconds(stats_quantile(try->seconds, n, 0.75), high, sizeof high), n, threads);
    print_floor(trial, try, s);
}

/* What there is to say of calls that are over; the exit status. */
static int print_outcome(struct trial *trial, const struct run_options *o,
                         const struct case_try *try, bool good)
{
    const bool device = try->built->device != DEVICE_HOST;
    const bool checker = try->built->sanitized && device;
    int faults =
        checker && try->output ? run_print_reports(try->output, try->key, try->elements) : 0;
    if (!checker && try->output && try->output[0])
        printf("  it printed:\n%.*s%s", o->debug ? DEBUG_OUTPUT : 4000, try->output,
               try->output[strlen(try->output) - 1] == '\n' ? "" : "\n");
    if (try->dump && (try->n > 0 || try->wrong))
        printf("  written  the first call's arrays, as %s\n", try->dump);
    if (try->table)
        printf("%s", try->table);
    if (!good) {
        const char *hint = try->wrong ? try->mismatch.hint : "";
        if (!hint[0] && !checker && device)
            hint = "add --safety checker: the checker sees races and accesses out of bounds";
        return fault(o->name, try->outcome.verdict, try->outcome.reason, hint);
    }
    if (faults)
        return fault(o->name, VERDICT_UNSAFE, "right, but see what the device checker reports",
                     NULL);
    printf("  %s right   %s%s\n", ui_tick(),
           !try->admitted ? "every draw amplifies one ulp too much to say"
           : try->n <= 1  ? "every element"
                          : "every element of the first three calls, all calls finite",
           checker     ? ", and the device checker found nothing"
           : o->safety ? ", and the sanitizer found nothing"
                       : "");
    if (!o->safety && !o->debug && try->n)
        print_times(trial, try);
    return HPC_EXIT_OK;
}

static int run_calls(struct trial *trial, const struct run_options *o, const struct lab_case *c,
                     const char *whose, const struct build_result *built)
{
    struct hpc_error err;
    char words[800];
    const bool checker = built->sanitized && built->device != DEVICE_HOST;
    struct case_try try = {.c = c,
                           .built = built,
                           .seed = o->seed,
                           .threads = o->threads ? o->threads : trial_case_threads(trial, built),
                           .limits = trial->limits,
                           .first = o->call,
                           .calls = checker || o->debug ? 1 : o->calls, /* of which traffic is */
                           .checked = CHECKED,
                           .dump = o->dump,
                           .keep_output = true,
                           .fill = trial->task, /* what grading saw is seen again */
                           .tabulate = true,
                           .progress = true};
    if (o->debug) {
        try.limits.wall_seconds = try.limits.cpu_seconds = DEBUG_SECONDS;
        try.limits.output_bytes = DEBUG_OUTPUT;
    }
    if (!try_ready(&try, &err))
        return hpc_report(&err);
    hpc_params_print(&c->params, words, sizeof words);
    printf("%s (%s)  %s  seed %llu\n", o->name, whose, words, (unsigned long long)o->seed);
    try.seconds = hpc_calloc((size_t)try.calls, sizeof *try.seconds);
    bool good = o->gdb ? try_debugger(&try) : try_calls(&try);
    ui_progress_end();
    int status = print_outcome(trial, o, &try, good);
    free(try.output);
    free(try.table);
    free(try.seconds);
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
        return HPC_EXIT_OK;
    if (go < 0 || !run_find(p, &o, &t, &c, &err))
        return hpc_report(&err);
    struct trial *trial = trial_open(p, t.task, t.task ? t.whose : t.variant->name);
    const struct build_result *built = build_target(trial, &o, &t, &err);
    if (o.threads)
        trial->threads = o.threads;
    int status = built ? run_calls(trial, &o, &c, t.whose, built) : hpc_report(&err);
    trial_close(trial);
    return status;
}
