#include "harness/trial/trial.h"

#include <stdlib.h>
#include <string.h>

#include "common/defence.h"
#include "harness/machine/machine.h"
#include "harness/trial/internal.h"

#define CALLS 2 /* of a case: the second shows what the first left behind */

/* Of a variant that no lab limits. */
static const struct jail_limits wide_limits = {
    .cpu_seconds = 3600,
    .wall_seconds = 600,
    .file_bytes = 64 << 20,
    .output_bytes = 64 << 10,
    .processes = 256,
};

struct trial *trial_open(const struct project *project, const struct lab_task *task,
                         const char *whose)
{
    struct trial *t = hpc_calloc(1, sizeof *t);
    const struct variant *v = task ? NULL : catalogue_find(project->catalogue, whose);
    t->project = project;
    t->task = task;
    t->whose = whose;
    t->op = task ? task->op : v ? v->op : NULL;
    t->threads = task ? task_threads(task) : machine_here()->cores;
    t->limits = task ? task->limits : wide_limits;
    return t;
}

void trial_close(struct trial *t)
{
    free(t);
}

const struct build_result *trial_runner(struct trial *t, enum build_kind kind)
{
    if (kind == BUILD_CUDA && t->task && !lab_task_cuda(t->task))
        kind = BUILD_PLAIN;
    struct build_result *built = &t->built[kind];
    if (t->tried[kind])
        return built;
    t->tried[kind] = true;
    if (strchr(t->whose, '/'))
        build_catalogue(t->project, t->whose, kind, built);
    else
        build_task(t->project, t->task, t->whose, kind, built);
    return built;
}

const struct build_result *trial_baseline(struct trial *t)
{
    if (!t->tried_baseline)
        build_catalogue(t->project, t->task->baseline,
                        lab_task_cuda(t->task) ? BUILD_CUDA : BUILD_PLAIN, &t->baseline);
    t->tried_baseline = true;
    return &t->baseline;
}

const struct build_result *trial_copy(struct trial *t)
{
    if (!t->tried_copy)
        build_copy(t->project->root, t->op, &t->copy);
    t->tried_copy = true;
    return &t->copy;
}

bool trial_case(struct trial *t, enum build_kind kind, const struct lab_case *c, uint64_t seed,
                struct outcome *o)
{
    const struct build_result *built = trial_runner(t, kind);
    if (built->outcome.verdict != VERDICT_PASS) {
        *o = built->outcome;
        return false;
    }
    struct case_try try = {.c = c,
                           .built = built,
                           .seed = seed,
                           .threads = t->threads,
                           .limits = t->limits,
                           .calls = built->sanitized ? 1 : CALLS,
                           .outcome = *o};
    bool good = try_case(&try);
    free(try.output);
    *o = try.outcome;
    if (DEFENCE(sanitizer_probe) && o->verdict == VERDICT_CRASH &&
        (kind == BUILD_ADDRESS || kind == BUILD_THREADS))
        trial_sanitizer_works(t, kind, c, seed, o);
    return good;
}
