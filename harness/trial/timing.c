/* Paired timing of a task against its baseline; the time of a copy. */
#include <stdlib.h>
#include <string.h>

#include "common/stats.h"
#include "harness/machine/machine.h"
#include "harness/trial/internal.h"

/* A GPU's calls take a part of a millisecond, and the copies around them a thousand times that. */
#define DEVICE_PAIRS 7
#define DEVICE_CALLS 5

/* The two problems; false with *o. */
static bool make_ready(struct trial *t, const struct timing_spec *timing,
                       struct ready_case *student, struct ready_case *baseline, struct outcome *o)
{
    const struct lab_task *task = t->task;
    const struct lab_case *cases = t->project->lab->cases;
    const struct lab_case *own = timing->c ? timing->c : &cases[task->speed_case];
    const bool same = timing->c || task->baseline_case < 0;
    const struct lab_case *other = same ? own : &cases[task->baseline_case];
    struct hpc_error err;
    return (case_ready(own, timing->seed, t->threads, student, &err) &&
            case_ready(other, timing->seed, t->threads, baseline, &err)) ||
           outcome_set(o, VERDICT_ENVIRONMENT, "%s", err.text);
}

void trial_timing(struct trial *t, const struct timing_spec *timing, struct measure_result *m)
{
    const struct lab_task *task = t->task;
    const bool gpu = lab_task_cuda(task), copy = task->target_copy > 0;
    struct ready_case student, baseline;
    const struct build_result *runner = trial_runner(t, BUILD_CUDA), *other;
    memset(m, 0, sizeof *m);
    m->outcome = runner->outcome;
    if (runner->outcome.verdict != VERDICT_PASS ||
        !make_ready(t, timing, &student, &baseline, &m->outcome))
        return;
    other = copy ? trial_copy(t) : trial_baseline(t);
    if (other->outcome.verdict != VERDICT_PASS) {
        outcome_set(&m->outcome, VERDICT_ENVIRONMENT, "%s: %s: %s",
                    copy ? "the copy" : task->baseline, verdict_names[other->outcome.verdict],
                    other->outcome.reason);
        return;
    }
    struct hpc_env env = {t->threads, machine_here()->simd, NULL};
    struct measure_spec spec = {
        .op = task->op,
        .seed = student.seed,
        .student = {runner->output, env, t->limits, gpu ? DEVICE_CUDA : DEVICE_HOST,
                    student.problem},
        .baseline = {other->output, env, t->limits, other->device, baseline.problem},
        .pairs = gpu && timing->pairs > DEVICE_PAIRS ? DEVICE_PAIRS : timing->pairs,
        .calls = timing->calls ? timing->calls
                 : gpu         ? DEVICE_CALLS
                               : 0,
        .threshold = timing->threshold,
        .quick = timing->quick,
        .watched = !gpu && t->threads > 1 && !timing->unwatched,
        .capacity = timing->capacity,
        .check = !timing->unchecked,
        .copy = copy,
        .trusted = timing->trusted,
        .label = timing->label,
    };
    measure_pairs(&spec, m);
}

double trial_copy_seconds(struct trial *t, const struct case_try *like, int calls)
{
    const struct build_result *built = trial_copy(t);
    if (built->outcome.verdict != VERDICT_PASS)
        return 0;
    double *seconds = hpc_calloc((size_t)calls, sizeof *seconds);
    struct case_try copy = {.c = like->c,
                            .built = built,
                            .ready = like->ready,
                            .threads = t->threads,
                            .limits = t->limits,
                            .calls = calls,
                            .unchecked = true,
                            .seconds = seconds};
    try_calls(&copy);
    double median = copy.n == calls ? stats_median(seconds, calls) : 0;
    free(seconds);
    return median;
}
