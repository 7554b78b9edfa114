/* Whether it was the GPU: one that hangs, or that a kernel broke, fails whoever comes next. */
#include <stdio.h>

#include "common/defence.h"
#include "harness/lab/case.h"
#include "harness/exchange/exchange.h"
#include "harness/grade/internal.h"
#include "common/interrupt.h"
#include "harness/machine/machine.h"
#include "common/ui.h"

#define PROBE_SECONDS 10 /* for a driver to start, and a small kernel */

/* Whether the GPU takes the inputs of the task's first case and runs a kernel of ours, in a process
 * of its own. True where that can't be tried. */
static bool gpu_works(const struct grading *g, const struct lab_task *task, char *reason,
                      size_t size)
{
    struct build_result built;
    struct ready_case ready;
    struct hpc_error err;
    struct exchange_call call;
    enum verdict verdict, at_close;
    int threads = task_threads(task);
    if (!build_probe(g->root, task->op, &built, &err) ||
        !case_ready(&g->lab->cases[task->cases[0]], g->seed, threads, &ready, &err))
        return true;
    struct exchange_spec spec = {.runner = built.output,
                                 .op = task->op,
                                 .problem = ready.problem,
                                 .seed = ready.seed,
                                 .env = {threads, machine_here()->simd, NULL},
                                 .limits = task->limits};
    build_runner_needs(&built, &spec);
    spec.limits.wall_seconds = spec.limits.cpu_seconds = PROBE_SECONDS;
    struct exchange *x = exchange_open(&spec, &verdict, reason, size);
    bool good = x && exchange_run(x, 1, false, &call, &verdict, reason, size);
    if (x)
        exchange_close(x, &at_close, NULL, 0, NULL, 0);
    return good || (verdict != VERDICT_TIMEOUT && verdict != VERDICT_CRASH &&
                    verdict != VERDICT_ENVIRONMENT);
}

bool grade_ask_gpu(const struct grading *g, const struct lab_task *task, struct task_result *result)
{
    char why[400] = "", line[400];
    if (hpc_interrupted() || !DEFENCE(probe))
        return true;
    ui_progress("%s: looking whether the GPU still works", task->name);
    if (gpu_works(g, task, why, sizeof why))
        return true;
    snprintf(line, sizeof line,
             "the GPU does nothing any more, not even for us (%.200s): reset it, or restart the "
             "machine, and grade again",
             why);
    result_end(result, VERDICT_ENVIRONMENT, line);
    return false;
}
