/* Points for speed. */
#include <stdio.h>
#include <stdlib.h>

#include "common/defence.h"
#include "harness/grade/internal.h"
#include "harness/measure/noise.h"
#include "harness/record/reference.h"
#include "harness/record/score.h"

#define PAIRS       15
#define QUICK_PAIRS 5
#define SLOW        0.8 /* of the points for speed, below which it is asked why */

/* Points for speed wait. */
static void postpone(const struct lab_task *task, struct task_result *result)
{
    record_waits(task, task->points_speed, result);
    result->pending_speed += task->bonus ? 0 : task->points_speed;
}

/* The full-marks ratio, and where it comes from. */
static double find_target(const struct grading *g, const struct lab_task *task, char *source,
                          int size)
{
    if (!(task->target_copy > 0))
        return reference_target(g->project, task, machine_here(), source, size);
    snprintf(source, (size_t)size, "lab.ini; the copy was timed in turn with it");
    return task->target_copy;
}

/* How to repeat a timed call. */
static void reproduce(const struct grading *g, const struct lab_task *task, uint64_t seed,
                      uint64_t call, struct task_result *result)
{
    char option[40];
    struct grading timed = *g;
    timed.seed = seed;
    snprintf(option, sizeof option, " --call %llu", (unsigned long long)call);
    grade_reproduce(&timed, task, &g->project->lab->cases[task->speed_case], option, result);
}

/* trial_timing(), with what it depended on before and after: where that was bad, it is noisy. */
static void measure_watched(struct trial *t, const struct timing_spec *timing,
                            struct measure_result *m)
{
    struct conditions before, after;
    char why[160];
    conditions_read(&before, lab_task_cuda(t->task));
    trial_timing(t, timing, m);
    conditions_read(&after, lab_task_cuda(t->task));
    m->speed.before = before;
    m->speed.after = after;
    if (DEFENCE(noise) && m->outcome.verdict == VERDICT_PASS &&
        !conditions_good(&before, &after, noise_limits.throttled, why, sizeof why))
        outcome_set(&m->outcome, VERDICT_NOISY, "%s: grade again when that is over", why);
}

/* Others that grade beside it wait; what can be built before is. */
static void measure_in_turn(const struct grading *g, struct trial *t,
                            const struct timing_spec *timing, struct measure_result *m)
{
    if (g->turn && !(t->task->target_copy > 0))
        trial_baseline(t);
    if (g->turn)
        turn_take(g->turn);
    measure_watched(t, timing, m);
    if (g->turn)
        turn_give(g->turn);
}

void grade_speed(const struct grading *g, struct trial *t, struct task_result *result)
{
    const struct lab_task *task = t->task;
    if (lab_task_cuda(task) && trial_runner(t, build_plain(g->device))->device != DEVICE_CUDA) {
        postpone(task, result);
        if (!result->outcome.reason[0])
            outcome_reason(
                &result->outcome,
                "points for speed wait for a GPU: the CPU device's times say nothing about "
                "one");
        if (!*result->outcome.hint)
            grade_doubles(g, t, result);
        return;
    }
    char source[120];
    double target = find_target(g, task, source, sizeof source);
    if (target <= 0) {
        postpone(task, result);
        if (!result->outcome.reason[0])
            outcome_reason(&result->outcome, "points for speed wait for a reference: %s", source);
        return;
    }
    struct timing_spec timing = {.label = task->name,
                                 .seed = g->seed + 1,
                                 .threshold = target,
                                 .capacity = reference_capacity(g->project, task, machine_here()),
                                 .pairs = g->quick ? QUICK_PAIRS : PAIRS,
                                 .quick = g->quick};
    struct measure_result *m = hpc_calloc(1, sizeof *m);
    measure_in_turn(g, t, &timing, m);
    result->speed = m->speed;
    result->speed.target = target;
    snprintf(result->speed.target_source, sizeof result->speed.target_source, "%s", source);
    if (m->outcome.verdict == VERDICT_PASS && m->outcome.reason[0] && !result->outcome.reason[0])
        outcome_reason(&result->outcome, "%s", m->outcome.reason);
    if (m->outcome.verdict != VERDICT_PASS) {
        outcome_set(&result->outcome, m->outcome.verdict, "%s", m->outcome.reason);
        if (m->outcome.hint[0])
            outcome_hint(&result->outcome, "%s", m->outcome.hint);
        if (!verdict_waits(m->outcome.verdict))
            reproduce(g, task, timing.seed, m->call, result);
    }
    free(m);
    const double ratio = score_credit(&result->speed.ratio);
    const double fraction =
        task->target_copy > 0 ? score_share_fraction(ratio, target) : score_fraction(ratio, target);
    if (result->outcome.verdict == VERDICT_PASS)
        result->points += score_points(task->points_speed, fraction);
    else if (result->outcome.verdict == VERDICT_IMPOSSIBLE)
        ; /* what was too fast to be believed is no machine's fault: its points are not given */
    else if (verdict_waits(result->outcome.verdict))
        postpone(task, result);
    else
        result->points = 0; /* a timed call was wrong, or worse */
    const bool slow = fraction < SLOW, whole = g->looks && !g->turn;
    if (result->speed.measured && !lab_task_cuda(task) && (slow || whole))
        grade_slow(g, t, slow, whole, result);
}
