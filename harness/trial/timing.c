#include "harness/trial/timing.h"

#include "harness/trial/runner.h"
#include "harness/lab/case.h"
#include "harness/machine/machine.h"

/* A GPU's calls take a part of a millisecond, and the copies around them a thousand times that. */
#define DEVICE_PAIRS 7
#define DEVICE_CALLS 5

/* What the task's runner is timed against: its baseline or, on a device, a copy. */
static bool build_baseline(const char *root, const struct lab_task *task, bool copy,
                           struct build_result *built, struct hpc_error *err)
{
    enum build_kind kind = lab_task_cuda(task) ? BUILD_CUDA : BUILD_PLAIN;
    return copy ? build_copy(root, task->op, built, err)
                : build_catalogue(root, task->baseline, kind, built, err);
}

bool measure_task(const char *root, const struct lab *lab, const struct lab_task *task,
                  const struct timed_runner *runner, struct measure_result *result,
                  struct hpc_error *err)
{
    struct ready_case student, baseline;
    struct build_result built;
    int threads = task_threads(task);
    bool copy = task->target_copy > 0, gpu = lab_task_cuda(task);
    int baseline_case = task->baseline_case >= 0 ? task->baseline_case : task->speed_case;
    if (!case_ready(&lab->cases[task->speed_case], runner->seed, threads, &student, err) ||
        !case_ready(&lab->cases[baseline_case], runner->seed, threads, &baseline, err) ||
        !build_baseline(root, task, copy, &built, err))
        return false;
    enum hpc_device device = gpu ? DEVICE_CUDA : DEVICE_HOST;
    struct hpc_env env = {threads, machine_here()->simd, NULL};
    struct measure_spec spec = {
        .op = task->op,
        .seed = student.seed,
        .student = {runner->path, env, task->limits, device, student.problem},
        .baseline = {built.output, env, task->limits, built.device, baseline.problem},
        .pairs = gpu && runner->pairs > DEVICE_PAIRS ? DEVICE_PAIRS : runner->pairs,
        .calls = gpu ? DEVICE_CALLS : 0,
        .threshold = runner->threshold,
        .quick = runner->quick,
        .watched = !gpu && threads > 1,
        .capacity = runner->capacity,
        .check = true,
        .copy = copy,
        .trusted = runner->trusted,
        .label = runner->label,
    };
    measure_pairs(&spec, result);
    return true;
}
