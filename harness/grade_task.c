#define _GNU_SOURCE
#include "harness/grade_task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/answers.h"
#include "harness/build_task.h"
#include "harness/case.h"
#include "harness/exchange.h"
#include "harness/interrupt.h"
#include "harness/measure_task.h"
#include "harness/reference.h"
#include "harness/score.h"
#include "harness/ui.h"

#define PAIRS       15
#define QUICK_PAIRS 5
#define CALLS       2 /* of each correctness case: the second shows what the first left behind */

double task_points(const struct lab_task *task)
{
    return task->points_correct + task->points_speed + task->points_answers;
}

static void end(struct task_result *result, enum verdict verdict, const char *reason)
{
    result->verdict = verdict;
    snprintf(result->reason, sizeof result->reason, "%s", reason);
}

/* All of the task's points wait. */
static void postpone(struct task_result *result)
{
    result->pending = result->max_points;
    result->max_points = 0;
}

bool try_case(const struct lab_task *task, const struct lab_case *c,
              const struct build_result *built, uint64_t seed, int calls, enum verdict *verdict,
              char *reason, int reason_size, char *hint, int hint_size)
{
    struct ready_case ready;
    struct hpc_error err;
    int threads = task_threads(task);
    *verdict = VERDICT_PASS;
    if (!case_ready(c, seed, threads, &ready, &err)) {
        *verdict = VERDICT_ENVIRONMENT;
        snprintf(reason, reason_size, "%s", err.text);
        return false;
    }
    struct exchange_spec spec = {.runner = built->output,
                                 .op = c->op,
                                 .problem = ready.problem,
                                 .seed = ready.seed,
                                 .env = {threads, machine_here()->simd, NULL},
                                 .limits = task->limits};
    build_runner_needs(built, &spec);
    struct exchange *x = exchange_open(&spec, verdict, reason, (size_t)reason_size);
    if (!x)
        return false;
    bool good = true;
    for (int i = 1; good && i <= calls; i++) {
        struct exchange_call call;
        struct hpc_mismatch m = {0};
        bool admitted = true;
        good = exchange_run(x, (uint64_t)i, true, &call, verdict, reason, (size_t)reason_size);
        if (!good || c->op->check(ready.problem, call.in, call.out, &admitted, &m))
            continue;
        good = false;
        *verdict = VERDICT_WRONG;
        snprintf(hint, hint_size, "%s", m.hint);
        if (m.wrong)
            snprintf(reason, reason_size,
                     "call %d: %s is %.9g, should be %.9g within %.2g (%zu elements are off)", i,
                     m.what, m.got, m.want, m.bound, m.wrong);
        else
            snprintf(reason, reason_size, "call %d: %s is %.9g, should be %.9g within %.2g", i,
                     m.what, m.got, m.want, m.bound);
    }
    enum verdict at_close;
    char close_reason[400];
    if (!exchange_close(x, &at_close, close_reason, sizeof close_reason, NULL, 0) && good) {
        *verdict = at_close;
        snprintf(reason, reason_size, "%s", close_reason);
        good = false;
    }
    return good;
}

/* All cases; the first failure's verdict, reason, hint and command stay in the result. */
static void correctness(const struct grading *g, const struct lab_task *task,
                        const struct build_result *built, struct task_result *result)
{
    for (int i = 0; i < task->n_cases && !hpc_interrupted(); i++) {
        const struct lab_case *c = &g->lab->cases[task->cases[i]];
        enum verdict verdict;
        char reason[400] = "", hint[400] = "";
        ui_progress("%s: case %s (%d of %d)", task->name, c->name, i + 1, task->n_cases);
        result->correctness.cases++;
        if (try_case(task, c, built, g->seed, CALLS, &verdict, reason, sizeof reason, hint,
                     sizeof hint)) {
            result->correctness.passed++;
            continue;
        }
        if (result->correctness.first_failure[0])
            continue;
        snprintf(result->correctness.first_failure, sizeof result->correctness.first_failure,
                 "case %s: %.360s", c->name, reason);
        end(result, verdict, result->correctness.first_failure);
        snprintf(result->hint, sizeof result->hint, "%s", hint);
        snprintf(result->reproduce, sizeof result->reproduce,
                 "./hpclab run %s/%s --impl %s --case %s --seed %llu", g->lab->name, task->name,
                 g->implementation, c->name, (unsigned long long)g->seed);
    }
}

static const struct sanitizer {
    enum task_safety bit;
    enum build_kind kind;
    const char *name;
} sanitizers[] = {{SAFETY_ADDRESS, BUILD_ADDRESS, "address"},
                  {SAFETY_THREADS, BUILD_THREADS, "threads"}};
enum { N_SANITIZERS = sizeof sanitizers / sizeof *sanitizers };

/* Into the hint for a wrong result or a crash: what a sanitizer sees. */
static void ask_sanitizers(const struct grading *g, const struct lab_task *task,
                           struct task_result *result)
{
    for (int k = 0; k < N_SANITIZERS; k++) {
        struct build_result built;
        if (!(task->safety & sanitizers[k].bit))
            continue;
        build_task(g->root, g->lab, task, g->implementation, sanitizers[k].kind, &built);
        for (int i = 0; built.verdict == VERDICT_PASS && i < task->n_cases; i++) {
            const struct lab_case *c = &g->lab->cases[task->cases[i]];
            enum verdict verdict;
            char reason[400] = "", hint[400] = "";
            ui_progress("%s: %s sanitizer, case %s", task->name, sanitizers[k].name, c->name);
            if (hpc_interrupted())
                return;
            if (!try_case(task, c, &built, g->seed, 1, &verdict, reason, sizeof reason, hint,
                          sizeof hint) &&
                verdict == VERDICT_UNSAFE) {
                char before[400];
                snprintf(before, sizeof before, "%s", result->hint);
                snprintf(result->hint, sizeof result->hint, "%.150s%sa sanitizer sees: %.220s",
                         before, before[0] ? "; " : "", reason);
                return;
            }
        }
    }
}

/* The cases again under one sanitizer. Appends "address: clean; " or what was found. */
static void safety_pass(const struct grading *g, const struct lab_task *task,
                        const struct sanitizer *sanitizer, struct task_result *result)
{
    const char *name = sanitizer->name;
    struct build_result built;
    size_t used = strlen(result->safety);
    char *note = result->safety + used;
    size_t size = sizeof result->safety - used;
    ui_progress("%s: building with the %s sanitizer", task->name, name);
    build_task(g->root, g->lab, task, g->implementation, sanitizer->kind, &built);
    if (built.verdict != VERDICT_PASS) {
        snprintf(note, size, "%s%s: unchecked (%.90s)", used ? "; " : "", name, built.reason);
        return;
    }
    for (int i = 0; i < task->n_cases && !hpc_interrupted(); i++) {
        const struct lab_case *c = &g->lab->cases[task->cases[i]];
        enum verdict verdict;
        char reason[400] = "", hint[400] = "";
        ui_progress("%s: %s sanitizer, case %s", task->name, name, c->name);
        if (try_case(task, c, &built, g->seed, 1, &verdict, reason, sizeof reason, hint,
                     sizeof hint))
            continue;
        if (verdict == VERDICT_WRONG || verdict == VERDICT_ENVIRONMENT)
            continue; /* rounding differs under a sanitizer; the plain runner's answer counts */
        char line[400];
        snprintf(line, sizeof line, "case %s: %.380s", c->name, reason);
        end(result, verdict, line);
        snprintf(result->reproduce, sizeof result->reproduce,
                 "./hpclab run %s/%s --impl %s --case %s --seed %llu --safety %s", g->lab->name,
                 task->name, g->implementation, c->name, (unsigned long long)g->seed, name);
        snprintf(note, size, "%s%s: found a fault", used ? "; " : "", name);
        return;
    }
    snprintf(note, size, "%s%s: clean", used ? "; " : "", name);
}

static void safety(const struct grading *g, const struct lab_task *task, struct task_result *result)
{
    if (g->quick) {
        snprintf(result->safety, sizeof result->safety, "unchecked (--quick)");
        return;
    }
    for (int k = 0; k < N_SANITIZERS && result->verdict == VERDICT_PASS; k++)
        if (task->safety & sanitizers[k].bit)
            safety_pass(g, task, &sanitizers[k], result);
}

static void speed(const struct grading *g, const struct lab_task *task,
                  const struct build_result *built, struct task_result *result)
{
    struct hpc_error err;
    char source[120];
    double target = reference_target(g->root, g->lab, task, machine_here(), source, sizeof source);
    struct timed_runner runner = {.path = built->output,
                                  .label = task->name,
                                  .seed = g->seed + 1,
                                  .threshold = target,
                                  .pairs = g->quick ? QUICK_PAIRS : PAIRS,
                                  .quick = g->quick};
    struct measure_result *m = hpc_calloc(1, sizeof *m);
    if (!measure_task(g->root, g->lab, task, &runner, m, &err)) {
        m->verdict = VERDICT_ENVIRONMENT;
        snprintf(m->reason, sizeof m->reason, "%.390s", err.text);
    }
    result->speed = m->speed;
    result->speed.target = target;
    snprintf(result->speed.target_source, sizeof result->speed.target_source, "%s", source);
    if (m->verdict != VERDICT_PASS) {
        end(result, m->verdict, m->reason);
        if (m->hint[0])
            snprintf(result->hint, sizeof result->hint, "%s", m->hint);
    }
    free(m);
    if (result->verdict == VERDICT_PASS) {
        /* The interval's kinder end counts. */
        result->points += task->points_speed * score_fraction(result->speed.ratio.high, target);
    } else if (result->verdict == VERDICT_NOISY || result->verdict == VERDICT_ENVIRONMENT ||
               result->verdict == VERDICT_IMPOSSIBLE || result->verdict == VERDICT_SKIPPED) {
        result->pending = task->points_speed;
        result->max_points -= task->points_speed;
    } else {
        result->points = 0; /* a timed call was wrong, or worse */
    }
}

static void grade_answers(const struct grading *g, const struct lab_task *task,
                          struct task_result *result)
{
    struct marking m = {.root = g->root,
                        .implementation = g->implementation,
                        .lab = g->lab,
                        .task = task,
                        .seed = g->seed,
                        .quick = g->quick};
    for (const struct marker *k = markers; k->name; k++)
        if (!strcmp(k->name, task->marker)) {
            k->mark(&m, result);
            return;
        }
    end(result, VERDICT_ENVIRONMENT, "lab.ini names a marker that does not exist");
}

void grade_task(const struct grading *g, const struct lab_task *task, struct task_result *result)
{
    memset(result, 0, sizeof *result);
    snprintf(result->name, sizeof result->name, "%s", task->name);
    snprintf(result->title, sizeof result->title, "%s", task->title);
    result->max_points = task_points(task);
    char why[200];
    if (!needs_met(task->needs, why, sizeof why)) {
        end(result, VERDICT_PENDING, why);
        postpone(result);
        return;
    }
    if (task->kind == TASK_ANSWERS) {
        grade_answers(g, task, result);
        return;
    }
    struct build_result built;
    ui_progress("%s: building", task->name);
    build_task(g->root, g->lab, task, g->implementation, BUILD_PLAIN, &built);
    if (built.verdict != VERDICT_PASS) {
        end(result, built.verdict, built.reason);
        if (built.verdict == VERDICT_PENDING || built.verdict == VERDICT_ENVIRONMENT)
            postpone(result);
        return;
    }
    correctness(g, task, &built, result);
    bool unexplained = !result->hint[0] || strstr(result->reason, "nan,"); /* a race, perhaps */
    if (unexplained && !g->quick &&
        (result->verdict == VERDICT_WRONG || result->verdict == VERDICT_CRASH))
        ask_sanitizers(g, task, result);
    if (hpc_interrupted())
        end(result, VERDICT_SKIPPED, "interrupted");
    if (result->verdict != VERDICT_PASS)
        return;
    safety(g, task, result);
    /* Right but unsafe earns half of what is right, and nothing for speed. */
    result->points = task->points_correct * (result->verdict == VERDICT_PASS ? 1 : 0.5);
    if (result->verdict == VERDICT_PASS && task->points_speed > 0)
        speed(g, task, &built, result);
}
