#define _GNU_SOURCE
#include "harness/grade/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/defence.h"
#include "harness/answers/sheet.h"
#include "harness/trial/runner.h"
#include "harness/lab/case.h"
#include "harness/exchange/exchange.h"
#include "harness/grade/internal.h"
#include "common/interrupt.h"
#include "common/ui.h"

#define CALLS 2 /* of each correctness case: the second shows what the first left behind */

/* All of the task's points wait. */
static void postpone(struct task_result *result)
{
    result->pending += result->max_points;
    result->max_points = result->points = 0;
}

/* Whether it was the GPU that failed, not the solution: then its points wait. */
static bool gpu_failed(const struct grading *g, const struct lab_task *task,
                       const struct build_result *built, struct task_result *result)
{
    bool failed = result->verdict == VERDICT_TIMEOUT || result->verdict == VERDICT_CRASH;
    if (built->device != DEVICE_CUDA || !failed || grade_ask_gpu(g, task, result))
        return false;
    postpone(result);
    return true;
}

/* All cases; the first failure's verdict, reason, hint and command stay in the result. */
static void correctness(const struct grading *g, const struct lab_task *task,
                        const struct build_result *built, struct task_result *result)
{
    for (int i = 0; i < task->n_cases && !hpc_interrupted(); i++) {
        const struct lab_case *c = &g->lab->cases[task->cases[i]];
        struct case_try t = {.task = task, .c = c, .built = built, .seed = g->seed, .calls = CALLS};
        ui_progress("%s: case %s (%d of %d)", task->name, c->name, i + 1, task->n_cases);
        result->correctness.cases++;
        if (try_case(&t)) {
            result->correctness.passed++;
            continue;
        }
        if (result->correctness.first_failure[0])
            continue;
        snprintf(result->correctness.first_failure, sizeof result->correctness.first_failure,
                 "case %s: %.360s", c->name, t.reason);
        result_end(result, t.verdict, result->correctness.first_failure);
        snprintf(result->hint, sizeof result->hint, "%s", t.hint);
        result_reproduce(g, task, c, "", result);
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
    result_end(result, VERDICT_ENVIRONMENT, "lab.ini names a marker that does not exist");
}

static void grade_variant(const struct grading *g, const struct lab_task *task,
                          struct task_result *result)
{
    struct build_result built;
    ui_progress("%s: building", task->name);
    build_task(g->root, g->lab, task, g->implementation, build_plain(g->device), &built);
    if (built.verdict != VERDICT_PASS) {
        result_end(result, built.verdict, built.reason);
        if (built.verdict == VERDICT_PENDING || built.verdict == VERDICT_ENVIRONMENT)
            postpone(result);
        return;
    }
    correctness(g, task, &built, result);
    if (gpu_failed(g, task, &built, result))
        return;
    if (result->verdict == VERDICT_ENVIRONMENT)
        postpone(result);
    bool failed = result->verdict == VERDICT_WRONG || result->verdict == VERDICT_CRASH;
    bool unexplained = !result->hint[0] || strstr(result->reason, "nan,"); /* a race, perhaps */
    bool cuda = lab_task_cuda(task);
    if ((failed || result->verdict == VERDICT_UNSAFE) && cuda && !g->quick)
        grade_ask_device(g, task, result);
    else if (failed && unexplained && !g->quick)
        grade_ask_sanitizers(g, task, result);
    else if (failed && cuda && !result->hint[0])
        snprintf(result->hint, sizeof result->hint,
                 "without --quick the checker is asked why; or add --safety device to this:");
    if (result->verdict != VERDICT_PASS)
        return;
    if (!DEFENCE(safety))
        result->safety[0] = '\0';
    else if (cuda)
        grade_device_safety(g, task, result);
    else
        grade_safety(g, task, result);
    /* Right but unsafe earns half of what is right, and nothing else. */
    result->points =
        (task->points_correct + task->points_bonus) * (result->verdict == VERDICT_PASS ? 1 : 0.5);
    if (result->verdict == VERDICT_PASS && task->points_traffic > 0)
        grade_traffic(g, task, result);
    if (result->verdict == VERDICT_PASS && task->points_speed > 0)
        grade_speed(g, task, &built, result);
    gpu_failed(g, task, &built, result);
}

static void start_result(const struct lab_task *task, struct task_result *result)
{
    memset(result, 0, sizeof *result);
    snprintf(result->name, sizeof result->name, "%s", task->name);
    snprintf(result->title, sizeof result->title, "%s", task->title);
    result->max_points = lab_task_points(task);
}

void grade_task(const struct grading *g, const struct lab_task *task, struct task_result *result)
{
    char why[200];
    start_result(task, result);
    if (!needs_met(task->needs, why, sizeof why)) {
        result_end(result, VERDICT_PENDING, why);
        postpone(result);
        return;
    }
    if (task->kind == TASK_ANSWERS)
        grade_answers(g, task, result);
    else
        grade_variant(g, task, result);
    if (hpc_interrupted()) { /* what it came to is not its fault */
        start_result(task, result);
        result_end(result, VERDICT_SKIPPED, "interrupted");
        postpone(result);
    }
    hpc_harmless(result->reason);
    hpc_harmless(result->hint);
    hpc_harmless(result->correctness.first_failure);
}
