/* hpclab run: one variant on one problem: checked, timed, against its floor. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "harness/build_task.h"
#include "harness/case.h"
#include "harness/exchange.h"
#include "harness/grade_task.h"
#include "harness/interrupt.h"
#include "harness/measure.h"
#include "harness/stats.h"
#include "harness/ui.h"
#include "harness/verbs.h"

static const char usage[] =
    "usage: hpclab run VARIANT [KEY=VALUE ..] [--impl student|reference] [--case [LAB/]CASE]\n"
    "                  [--seed N] [--threads N] [--calls N] [--safety address|threads] [--plain]\n"
    "One variant on one problem: checked, timed, against its floor. VARIANT is mlp/flat (./hpclab\n"
    "list --variants) or lab3/openmp_trainer, a task. KEY=VALUE changes the problem (./hpclab "
    "list\n"
    "--keys mlp_sgd); --case takes a lab's. --impl student runs your file of the task that is "
    "named\n"
    "as the variant. --safety runs it under a sanitizer instead of timing it.\n"
    "Examples: ./hpclab run mlp/flat layers=30,5,1 activations=tanh,sigmoid data=breast_cancer\n"
    "          ./hpclab run lab3/openmp_trainer --impl student --case odd --seed 7\n";

struct options {
    const char *name, *implementation, *case_name, *safety;
    int threads, calls;
    uint64_t seed;
    struct hpc_params words;
};

static struct lab lab; /* large; one a process */

static bool read_number(const char *name, const char *text, uint64_t low, uint64_t high,
                        uint64_t *value, struct hpc_error *err)
{
    char *stop;
    errno = 0;
    *value = strtoull(text, &stop, 10);
    if (errno || *stop || stop == text || *text == '-' || *value < low || *value > high)
        return hpc_fail(err, "--%s %s: expected a number from %llu to %llu", name, text,
                        (unsigned long long)low, (unsigned long long)high);
    return true;
}

/* 1: go on; 0: help was printed; -1: err. */
static int read_options(int argc, char **argv, struct options *o, struct hpc_error *err)
{
    static const struct option longs[] = {
        {"impl", required_argument, NULL, 'i'},
        {"case", required_argument, NULL, 'c'},
        {"seed", required_argument, NULL, 's'},
        {"threads", required_argument, NULL, 't'},
        {"calls", required_argument, NULL, 'n'},
        {"safety", required_argument, NULL, 'a'},
        {"plain", no_argument, NULL, 'p'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    uint64_t number;
    bool plain = false;
    optind = 0;
    opterr = 0;
    o->calls = 9;
    o->seed = hpc_random_seed();
    for (int c; (c = getopt_long(argc, argv, ":h", longs, NULL)) != -1;) {
        if (c == 'i')
            o->implementation = optarg;
        else if (c == 'c')
            o->case_name = optarg;
        else if (c == 'a')
            o->safety = optarg;
        else if (c == 'p')
            plain = true;
        else if (c == 'h')
            return fputs(usage, stdout), 0;
        else if (c == 's') {
            if (!read_number("seed", optarg, 0, UINT64_MAX, &o->seed, err))
                return -1;
        } else if (c == 't') {
            if (!read_number("threads", optarg, 1, 1024, &number, err))
                return -1;
            o->threads = (int)number;
        } else if (c == 'n') {
            if (!read_number("calls", optarg, 1, 1000, &number, err))
                return -1;
            o->calls = (int)number;
        } else
            return hpc_fail(err, "run: %s %s; see ./hpclab run --help",
                            c == ':' ? "a value is missing after" : "unknown option",
                            argv[optind - 1]),
                   -1;
    }
    ui_init(plain);
    if (optind == argc)
        return hpc_fail(err, "run: which variant? ./hpclab list --variants shows them"), -1;
    o->name = argv[optind++];
    for (; optind < argc; optind++)
        if (!hpc_params_set_word(&o->words, argv[optind], "command line", err))
            return -1;
    if (o->implementation && strcmp(o->implementation, "student") &&
        strcmp(o->implementation, "reference"))
        return hpc_fail(err, "--impl %s: expected student or reference", o->implementation), -1;
    if (o->safety && strcmp(o->safety, "address") && strcmp(o->safety, "threads"))
        return hpc_fail(err, "--safety %s: expected address or threads", o->safety), -1;
    return 1;
}

/* What is to be run: a task of a lab (task set) or a variant of the catalogue. */
struct target {
    const struct lab_task *task;
    struct variant variant;
    const struct hpc_op *op;
    int threads;
    struct jail_limits limits;
    const char *whose;
};

/* The task that `lab3/openmp_trainer` names, or with --impl student the one named as mlp/NAME. */
static bool find_task(const char *root, const struct options *o, struct target *t,
                      struct hpc_error *err)
{
    char names[64][LAB_NAME];
    const char *slash = strchr(o->name, '/');
    int n = lab_names(root, names, 64);
    bool student = o->implementation && !strcmp(o->implementation, "student");
    for (int i = 0; slash && i < n; i++) {
        bool named = strlen(names[i]) == (size_t)(slash - o->name) &&
                     !strncmp(names[i], o->name, (size_t)(slash - o->name));
        if (!named && !student)
            continue;
        if (!lab_load(root, names[i], &lab, err))
            return false;
        const struct lab_task *task = lab_task_find(&lab, slash + 1);
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
        t->threads = task_threads(task);
        t->limits = task->limits;
        t->whose = student || !o->implementation ? "student" : "reference";
        return true;
    }
    return true;
}

static bool find_target(const char *root, const struct options *o, struct target *t,
                        struct hpc_error *err)
{
    static struct variant variants[VARIANTS_MAX];
    if (!find_task(root, o, t, err))
        return false;
    if (t->task)
        return true;
    if (o->implementation && !strcmp(o->implementation, "student"))
        return hpc_fail(err, "run: no lab has a task for \"%s\"; ./hpclab list labN shows tasks",
                        o->name);
    int n = variants_load(root, variants, VARIANTS_MAX, err);
    for (int i = 0; i < n; i++)
        if (!strcmp(variants[i].name, o->name)) {
            t->variant = variants[i];
            t->op = variants[i].op;
            t->threads = machine_here()->cores;
            t->limits = (struct jail_limits){.cpu_seconds = 3600,
                                             .wall_seconds = 600,
                                             .memory_bytes = 0,
                                             .file_bytes = 64 << 20,
                                             .output_bytes = 64 << 10,
                                             .processes = 256};
            t->whose = "reference";
            return true;
        }
    return n < 0 ? false
                 : hpc_fail(err, "run: no variant \"%s\"; ./hpclab list --variants shows them",
                            o->name);
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

static bool find_case(const char *root, const struct options *o, const struct target *t,
                      struct lab_case *c, struct hpc_error *err)
{
    memset(c, 0, sizeof *c);
    snprintf(c->name, sizeof c->name, "run");
    c->op = t->op;
    const char *name = o->case_name, *slash = name ? strchr(name, '/') : NULL;
    if (slash) {
        char lab_name[LAB_NAME];
        snprintf(lab_name, sizeof lab_name, "%.*s", (int)(slash - name), name);
        if (t->task && strcmp(lab.name, lab_name))
            return hpc_fail(err, "--case %s: the task is of %s", name, lab.name);
        if (!t->task && !lab_load(root, lab_name, &lab, err))
            return false;
        name = slash + 1;
    } else if (name && !t->task)
        return hpc_fail(err, "--case %s: whose? write LAB/%s", name, name);
    if (!name && !add_example(t->op, &c->params, err))
        return false;
    bool found = !name;
    for (int i = 0; name && i < lab.n_cases && !found; i++)
        if (!strcmp(lab.cases[i].name, name)) {
            *c = lab.cases[i];
            found = true;
        }
    if (!found)
        return hpc_fail(err, "--case %s: %s has no such case", name, lab.name);
    if (c->op != t->op)
        return hpc_fail(err, "--case %s is a problem of %s, and %s computes %s", name, c->op->name,
                        o->name, t->op->name);
    for (int i = 0; i < o->words.n; i++)
        if (!hpc_params_set(&c->params, o->words.p[i].key, o->words.p[i].value, o->words.p[i].where,
                            err))
            return false;
    return true;
}

static bool build_target(const char *root, const struct options *o, const struct target *t,
                         struct build_result *built, struct hpc_error *err)
{
    enum build_kind kind = !o->safety                      ? BUILD_PLAIN
                           : !strcmp(o->safety, "address") ? BUILD_ADDRESS
                                                           : BUILD_THREADS;
    ui_progress("building %s", o->name);
    if (t->task)
        build_task(root, &lab, t->task, t->whose, kind, built);
    else if (!build_catalogue(root, t->variant.name, kind, built, err))
        return false;
    ui_progress_end();
    if (built->verdict == VERDICT_PASS)
        return true;
    return hpc_fail_env(err, "run: %s: %s: %s", o->name, verdict_names[built->verdict],
                        built->reason);
}

static int fault(const char *name, enum verdict verdict, const char *reason, const char *hint)
{
    ui_progress_end();
    printf("  %s%s%s %s\n", ui_style(UI_BAD), verdict_names[verdict], ui_style(UI_PLAIN), reason);
    if (hint && hint[0])
        printf("  hint: %s\n", hint);
    fprintf(stderr, "hpclab: run: %s: %s\n", name, verdict_names[verdict]);
    return HPC_EXIT_BELOW;
}

static void print_times(const struct target *t, const struct ready_case *ready, double *seconds,
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

static int run_target(const struct options *o, const struct target *t, const struct lab_case *c,
                      const struct build_result *built)
{
    struct ready_case ready;
    struct hpc_error err;
    enum verdict verdict;
    char reason[400] = "", output[4096] = "", words[800];
    if (!case_ready(c, o->seed, t->threads, &ready, &err))
        return hpc_report(&err);
    hpc_params_print(&c->params, words, sizeof words);
    printf("%s (%s)  %s  seed %llu\n", o->name, t->whose, words, (unsigned long long)o->seed);
    struct exchange_spec spec = {.runner = built->output,
                                 .op = c->op,
                                 .problem = ready.problem,
                                 .seed = ready.seed,
                                 .env = {t->threads, machine_here()->simd},
                                 .limits = t->limits};
    build_runner_needs(built, &spec);
    struct exchange *x = exchange_open(&spec, &verdict, reason, sizeof reason);
    if (!x)
        return fault(o->name, verdict, reason, NULL);
    double *seconds = hpc_calloc((size_t)o->calls, sizeof *seconds);
    struct hpc_mismatch m = {0};
    bool good = true, right = true, admitted = true;
    int n = 0;
    for (; n < o->calls && good && right && !hpc_interrupted(); n++) {
        struct exchange_call call;
        ui_progress("call %d of %d", n + 1, o->calls);
        good = exchange_run(x, (uint64_t)n + 1, true, &call, &verdict, reason, sizeof reason);
        seconds[n] = good ? call.seconds : 0;
        if (good && n < 3)
            right = c->op->check(ready.problem, call.in, call.out, &admitted, &m);
        else if (good)
            right = c->op->check_quick(ready.problem, call.in, call.out, &m);
    }
    char at_close[400];
    enum verdict close_verdict;
    bool closed =
        exchange_close(x, &close_verdict, at_close, sizeof at_close, output, sizeof output);
    ui_progress_end();
    if (output[0])
        printf("  it printed: %s\n", output);
    int status = HPC_EXIT_OK;
    if (!good) {
        status = fault(o->name, verdict, reason, NULL);
    } else if (!right) {
        snprintf(reason, sizeof reason, "%s is %.9g, should be %.9g within %.2g", m.what, m.got,
                 m.want, m.bound);
        status = fault(o->name, VERDICT_WRONG, reason, m.hint);
    } else if (!closed) {
        status = fault(o->name, close_verdict, at_close, NULL);
    } else {
        printf("  %s right   %s%s\n", ui_tick(),
               admitted ? "every element of the first three calls, all calls finite"
                        : "the draw amplifies one ulp too much to say; try another seed",
               o->safety ? ", and the sanitizer found nothing" : "");
        if (!o->safety && n)
            print_times(t, &ready, seconds, n);
    }
    free(seconds);
    return status;
}

int verb_run(const char *root, int argc, char **argv)
{
    struct options o = {0};
    struct target t = {0};
    struct lab_case c;
    struct build_result built;
    struct hpc_error err;
    int go = read_options(argc, argv, &o, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    if (!find_target(root, &o, &t, &err) || !find_case(root, &o, &t, &c, &err) ||
        !build_target(root, &o, &t, &built, &err))
        return hpc_report(&err);
    if (o.threads)
        t.threads = o.threads;
    return run_target(&o, &t, &c, &built);
}
