#define _GNU_SOURCE
#include "harness/grade/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/defence.h"
#include "harness/answers/answers.h"
#include "harness/grade/internal.h"
#include "common/interrupt.h"
#include "common/ui.h"
#include "common/text.h"
#include "harness/lab/starters.h"

/* All of the task's points wait. */
static void postpone(struct task_result *result)
{
    result->pending += result->max_points;
    result->max_points = result->points = 0;
}

/* Whether it was the GPU that failed, not the solution: one that hangs, or that a kernel broke,
 * fails whoever comes next. Then its points wait. */
static bool gpu_failed(const struct grading *g, struct trial *t, struct task_result *result)
{
    bool failed =
        result->outcome.verdict == VERDICT_TIMEOUT || result->outcome.verdict == VERDICT_CRASH;
    struct outcome why = {0};
    if (trial_runner(t, build_plain(g->device))->device != DEVICE_CUDA || !failed ||
        hpc_interrupted())
        return false;
    ui_progress("%s: looking whether the GPU still works", t->task->name);
    if (DEFENCE(probe) && !trial_gpu_works(t, g->seed, &why)) {
        outcome_set(&result->outcome, VERDICT_ENVIRONMENT,
                    "the GPU does nothing any more, not even for us (%.200s): reset it, or restart "
                    "the machine, and grade again",
                    why.reason);
        postpone(result);
        return true;
    }
    return false;
}

/* Whether threads do what the task wants of them. */
static void grade_threads(const struct grading *g, struct trial *t, struct task_result *result)
{
    if (t->task->threads_case < 0)
        return;
    const struct lab_case *c = &g->project->lab->cases[t->task->threads_case];
    ui_progress("%s: who does the work of case %s", t->task->name, c->name);
    if (trial_threads(t, c, g->seed, &result->outcome))
        return;
    grade_reproduce(g, t->task, c, "", result);
    if (result->outcome.verdict == VERDICT_ENVIRONMENT)
        postpone(result);
}

/* Whether what is not right is a file that nobody has written in yet, which is all that there is to
 * say. */
static bool not_begun(const struct grading *g, const struct lab_task *task,
                      struct task_result *result)
{
    if (strcmp(g->implementation, "student") != 0 ||
        !starter_untouched(g->project->root, g->project->lab->name, task->file))
        return false;
    outcome_reason(&result->outcome, "labs/%s/%s" RECORD_STARTER, g->project->lab->name,
                   task->file);
    grade_misnamed(g, task, result);
    result->reproduce[0] = '\0';
    return true;
}

/* Where the outputs of the case that the reason names are wrong. */
static void draw(const struct grading *g, struct trial *t, struct task_result *result)
{
    const struct lab *lab = g->project->lab;
    for (int i = 0; i < t->task->n_cases; i++) {
        const struct lab_case *c = &lab->cases[t->task->cases[i]];
        const size_t n = strlen(c->name);
        const char *said = result->outcome.reason + strlen("case ");
        if (c->hidden || strncmp(result->outcome.reason, "case ", 5) != 0 ||
            strncmp(said, c->name, n) != 0 || said[n] != ':')
            continue;
        char *lines = trial_picture(t, build_plain(g->device), c, g->seed);
        if (lines && *lines)
            text_fit(result->picture, sizeof result->picture, "  of case %s:\n%s", c->name, lines);
        free(lines);
        return;
    }
}

/* Whether the reason says by itself which call failed and why: a launch, or a library's. */
static bool names_the_call(const char *reason)
{
    return strstr(reason, " is refused, ") || strstr(reason, ": the CPU device ended ") ||
           strstr(reason, "_STATUS_") || strstr(reason, ": status ");
}

/* What else is known of a result that is not right: a hint from the checker or a sanitizer. */
static void explain_failure(const struct grading *g, struct trial *t,
                            const struct lab_case *failing, struct task_result *result)
{
    bool failed =
        result->outcome.verdict == VERDICT_WRONG || result->outcome.verdict == VERDICT_CRASH;
    bool explained = strncmp(result->outcome.hint, "equals ", 7) == 0; /* number by number */
    bool cuda = lab_task_cuda(t->task);
    if (failed && not_begun(g, t->task, result))
        return;
    if ((failed || result->outcome.verdict == VERDICT_UNSAFE) && cuda)
        grade_ask_checker(g, t, failing, result);
    else if (failed && !explained && !cuda)
        grade_ask_sanitizers(g, t, failing, result);
    if (result->outcome.verdict == VERDICT_TIMEOUT && failing)
        grade_explain_hang(g, t, failing, result);
    if (cuda && result->outcome.verdict == VERDICT_REJECTED)
        grade_explain_limit(&result->outcome);
    if (failed && failing && !strstr(result->outcome.reason, ": the CPU device ended "))
        grade_diagnose(g, t, failing, result);
    if (failed && cuda)
        grade_exchanged(g, t, result);
    if (g->pictures && result->outcome.verdict == VERDICT_WRONG)
        draw(g, t, result);
    if (failed && cuda && g->quick && !result->outcome.hint[0] &&
        !names_the_call(result->outcome.reason))
        outcome_hint(
            &result->outcome,
            "the checker saw nothing in the 3 s that --quick gives it; without --quick it has the "
            "time for all its cases");
    if (result->outcome.verdict != VERDICT_PASS && result->outcome.verdict != VERDICT_ENVIRONMENT) {
        grade_say_bytes(g, t, result);
        grade_add_warning(g, t, result);
    }
}

/* A call that does not return though those of the cases did. */
static void explain_later_hang(const struct grading *g, struct trial *t, int c,
                               struct task_result *result)
{
    if (result->outcome.verdict == VERDICT_TIMEOUT && !hpc_out_of_time())
        grade_explain_hang(g, t, &g->project->lab->cases[c], result);
}

/* The order of questions: is it built, right, safe, does it move no more than it may, how fast? */
static void question(const struct grading *g, struct trial *t, struct task_result *result)
{
    const struct lab_task *task = t->task;
    ui_progress("%s: building", task->name);
    const struct outcome *build = &trial_runner(t, build_plain(g->device))->outcome;
    if (build->verdict != VERDICT_PASS) {
        outcome_set(&result->outcome, build->verdict, "%s", build->reason);
        grade_build_warning(g, t, result);
        if (build->verdict == VERDICT_PENDING || build->verdict == VERDICT_ENVIRONMENT)
            postpone(result);
        return;
    }
    const struct lab_case *failing = NULL;
    grade_cases(g, t, result, &failing);
    if (gpu_failed(g, t, result))
        return;
    if (result->outcome.verdict == VERDICT_ENVIRONMENT)
        postpone(result);
    explain_failure(g, t, failing, result);
    if (result->outcome.verdict != VERDICT_PASS || hpc_out_of_time()) /* not all were tried */
        return;
    if (DEFENCE(threads_used))
        grade_threads(g, t, result);
    if (result->outcome.verdict != VERDICT_PASS) {
        grade_say_alone(g, t, result);
        explain_later_hang(g, t, task->threads_case, result);
        return;
    }
    if (DEFENCE(safety))
        (lab_task_cuda(task) ? grade_check : grade_sanitize)(g, t, result);
    if (result->outcome.verdict == VERDICT_UNSAFE)
        grade_say_bytes(g, t, result);
    if (task->threads != 1 || !build_silent(trial_runner(t, BUILD_PLAIN)))
        grade_remark(g, t, result);
    if (result->by_host || result->outcome.verdict == VERDICT_WRONG) /* the timed case is */
        return;
    if (result->outcome.verdict == VERDICT_ENVIRONMENT) { /* nobody has looked: never clean */
        postpone(result);
        return;
    }
    /* Right but unsafe earns half of what is right, and nothing else; so does what nobody had the
     * time to look at. */
    const bool late = result->outcome.verdict == VERDICT_PASS && hpc_out_of_time();
    if (late)
        snprintf(result->safety, sizeof result->safety, "unchecked (its time was over)");
    result->points =
        task->points_correct * (result->outcome.verdict == VERDICT_PASS && !late ? 1 : 0.5);
    const double right = result->points;
    if (result->outcome.verdict == VERDICT_PASS && task->traffic_case >= 0)
        grade_traffic(g, t, result);
    if (result->outcome.verdict == VERDICT_PASS && task->points_speed > 0 && !g->untimed) {
        grade_speed(g, t, result);
        explain_later_hang(g, t, task->speed_case, result);
    }
    if (hpc_out_of_time())
        result->points = right;
    gpu_failed(g, t, result);
}

static void grade_variant(const struct grading *g, const struct lab_task *task,
                          struct task_result *result)
{
    struct trial *t = trial_open(g->project, task, g->implementation);
    question(g, t, result);
    trial_close(t);
}

static void grade_answers(const struct grading *g, const struct lab_task *task,
                          struct task_result *result)
{
    struct marking m = {.project = g->project,
                        .implementation = g->implementation,
                        .task = task,
                        .seed = g->seed,
                        .quick = g->quick,
                        .kept = g->kept,
                        .handed_in = g->handed_in,
                        .student = g->student};
    if (g->turn)
        turn_take(g->turn); /* marks may be measured */
    answers_grade(&m, result);
    if (g->turn)
        turn_give(g->turn);
}

static void start_result(const struct lab_task *task, struct task_result *result)
{
    memset(result, 0, sizeof *result);
    snprintf(result->name, sizeof result->name, "%s", task->name);
    snprintf(result->title, sizeof result->title, "%s", task->title);
    result->max_points = lab_task_points(task);
}

/* What it has earned by now stays; nothing waits, since a slow solution is no machine's fault. */
static void end_late(const struct lab_task *task, struct task_result *result)
{
    result->max_points = lab_task_points(task);
    result->pending = result->pending_speed = 0;
    outcome_set(&result->outcome, VERDICT_TIMEOUT,
                "grading it took more than %d s, and was ended: make it faster",
                task->task_seconds);
}

void grade_task(const struct grading *g, const struct lab_task *task, struct task_result *result)
{
    char why[200];
    start_result(task, result);
    if (!needs_met(task->needs, why, sizeof why)) {
        outcome_set(&result->outcome, VERDICT_PENDING, "%s", why);
        postpone(result);
        return;
    }
    if (DEFENCE(budget))
        hpc_budget(task->task_seconds);
    if (task->kind == TASK_ANSWERS)
        grade_answers(g, task, result);
    else
        grade_variant(g, task, result);
    if (g->handed_in)
        grade_missing(g, task, result);
    if (hpc_out_of_time())
        end_late(task, result);
    hpc_budget(0);
    if (hpc_interrupted()) { /* what it came to is not its fault */
        start_result(task, result);
        outcome_set(&result->outcome, VERDICT_SKIPPED, "interrupted");
        postpone(result);
    }
    hpc_harmless(result->outcome.reason);
    hpc_harmless(result->outcome.hint);
    hpc_harmless(result->safety);
    hpc_harmless(result->correctness.first_failure);
}

void grade_skip(const struct lab_task *task, struct task_result *t)
{
    snprintf(t->name, sizeof t->name, "%s", task->name);
    snprintf(t->title, sizeof t->title, "%s", task->title);
    outcome_set(&t->outcome, VERDICT_SKIPPED, "not selected by --only");
}

void grade_again(const struct lab *lab, const char *submission, uint64_t seed,
                 struct task_result *t)
{
    if (!t->reproduce[0])
        return;
    char *from = command_quoted(submission);
    char *again = hpc_printf("./grade %s --from %s --only %s --seed %llu", lab->name, from, t->name,
                             (unsigned long long)seed);
    const bool whole = strlen(again) < sizeof t->reproduce; /* half a quoted word is another one */
    snprintf(t->reproduce, sizeof t->reproduce, "%s", whole ? again : "");
    hpc_harmless(t->reproduce);
    free(again);
    free(from);
}
