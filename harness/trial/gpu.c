/* Whether it was the GPU: one that hangs, or that a kernel broke, fails whoever comes next. */
#include "harness/exchange/exchange.h"
#include "harness/lab/case.h"
#include "harness/machine/machine.h"
#include "harness/trial/trial.h"

#define PROBE_SECONDS 10 /* for a driver to start, and a small kernel */

bool trial_gpu_works(struct trial *t, uint64_t seed, struct outcome *o)
{
    struct build_result built;
    struct ready_case ready;
    struct hpc_error err;
    struct exchange_call call;
    struct outcome at_close;
    const struct lab_task *task = t->task;
    int threads = task_threads(task);
    if (!build_probe(t->project->root, task->op, &built, &err) ||
        !case_ready(&t->project->lab->cases[task->cases[0]], seed, threads, &ready, &err))
        return true;
    struct exchange_spec spec = {.runner = built.output,
                                 .op = task->op,
                                 .problem = ready.problem,
                                 .seed = ready.seed,
                                 .env = {threads, machine_here()->simd, NULL},
                                 .limits = task->limits};
    build_runner_needs(&built, &spec);
    spec.limits.wall_seconds = spec.limits.cpu_seconds = PROBE_SECONDS;
    struct exchange *x = exchange_open(&spec, o);
    bool good = x && exchange_run(x, 1, false, &call, o);
    if (x)
        exchange_close(x, &at_close, NULL, 0);
    return good || (o->verdict != VERDICT_TIMEOUT && o->verdict != VERDICT_CRASH &&
                    o->verdict != VERDICT_ENVIRONMENT);
}
