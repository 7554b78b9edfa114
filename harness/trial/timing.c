/* Paired timing of a task's speed case against its baseline. */
#include <string.h>

#include "harness/lab/case.h"
#include "harness/machine/machine.h"
#include "harness/trial/trial.h"

/* A GPU's calls take a part of a millisecond, and the copies around them a thousand times that. */
#define DEVICE_PAIRS 7
#define DEVICE_CALLS 5

/* What the task's runner is timed against: its baseline or, on a device, a copy. */
static bool build_baseline(const struct project *p, const struct lab_task *task, bool copy,
                           struct build_result *built, struct hpc_error *err)
{
    enum build_kind kind = lab_task_cuda(task) ? BUILD_CUDA : BUILD_PLAIN;
    return copy ? build_copy(p->root, task->op, built, err)
                : build_catalogue(p, task->baseline, kind, built, err);
}

/* The two problems and what the baseline runs; false with *err. */
static bool make_ready(struct trial *t, uint64_t seed, struct ready_case *student,
                       struct ready_case *baseline, struct build_result *built,
                       struct hpc_error *err)
{
    const struct lab_task *task = t->task;
    const int threads = task_threads(task), own = task->speed_case;
    const int other = task->baseline_case >= 0 ? task->baseline_case : own;
    return case_ready(&t->project->lab->cases[own], seed, threads, student, err) &&
           case_ready(&t->project->lab->cases[other], seed, threads, baseline, err) &&
           build_baseline(t->project, task, task->target_copy > 0, built, err);
}

void trial_timing(struct trial *t, const struct timing_spec *timing, struct measure_result *m)
{
    const struct lab_task *task = t->task;
    const bool gpu = lab_task_cuda(task);
    const int threads = task_threads(task);
    struct ready_case student, baseline;
    struct build_result built;
    struct hpc_error err;
    const struct build_result *runner = trial_runner(t, BUILD_CUDA);
    memset(m, 0, sizeof *m);
    m->outcome = runner->outcome;
    if (runner->outcome.verdict != VERDICT_PASS)
        return;
    if (!make_ready(t, timing->seed, &student, &baseline, &built, &err)) {
        outcome_set(&m->outcome, VERDICT_ENVIRONMENT, "%s", err.text);
        return;
    }
    struct hpc_env env = {threads, machine_here()->simd, NULL};
    struct measure_spec spec = {
        .op = task->op,
        .seed = student.seed,
        .student = {runner->output, env, task->limits, gpu ? DEVICE_CUDA : DEVICE_HOST,
                    student.problem},
        .baseline = {built.output, env, task->limits, built.device, baseline.problem},
        .pairs = gpu && timing->pairs > DEVICE_PAIRS ? DEVICE_PAIRS : timing->pairs,
        .calls = gpu ? DEVICE_CALLS : 0,
        .threshold = timing->threshold,
        .quick = timing->quick,
        .watched = !gpu && threads > 1,
        .capacity = timing->capacity,
        .check = true,
        .copy = task->target_copy > 0,
        .trusted = timing->trusted,
        .label = timing->label,
    };
    measure_pairs(&spec, m);
}
