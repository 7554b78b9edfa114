#include "harness/measure_task.h"

#include "harness/build_task.h"
#include "harness/case.h"
#include "harness/machine.h"

bool measure_task(const char *root, const struct lab *lab, const struct lab_task *task,
                  const struct timed_runner *runner, struct measure_result *result,
                  struct hpc_error *err)
{
    struct ready_case student, baseline;
    struct build_result built;
    int threads = task_threads(task);
    int baseline_case = task->baseline_case >= 0 ? task->baseline_case : task->speed_case;
    if (!case_ready(&lab->cases[task->speed_case], runner->seed, threads, &student, err) ||
        !case_ready(&lab->cases[baseline_case], runner->seed, threads, &baseline, err) ||
        !build_catalogue(root, task->baseline, BUILD_PLAIN, &built, err))
        return false;
    struct hpc_env env = {threads, machine_here()->simd, NULL};
    struct measure_spec spec = {
        .op = task->op,
        .seed = student.seed,
        .student = {runner->path, env, task->limits, student.problem},
        .baseline = {built.output, env, task->limits, baseline.problem},
        .pairs = runner->pairs,
        .threshold = runner->threshold,
        .quick = runner->quick,
        .check = true,
        .trusted = runner->trusted,
        .label = runner->label,
    };
    measure_pairs(&spec, result);
    return true;
}
