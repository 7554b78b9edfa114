#include "harness/trial/trial.h"

#include <stdlib.h>
#include <string.h>

#define CALLS 2 /* of a case: the second shows what the first left behind */

struct trial *trial_open(const struct project *project, const struct lab_task *task,
                         const char *whose)
{
    struct trial *t = hpc_calloc(1, sizeof *t);
    t->project = project;
    t->task = task;
    t->whose = whose;
    return t;
}

void trial_close(struct trial *t)
{
    free(t);
}

/* A variant of the catalogue; a name that it does not know is an outcome like any other. */
static void build_named(struct trial *t, enum build_kind kind, struct build_result *built)
{
    struct hpc_error err;
    if (!build_catalogue(t->project, t->whose, kind, built, &err) &&
        built->outcome.verdict == VERDICT_PASS)
        outcome_set(&built->outcome, VERDICT_ENVIRONMENT, "%s", err.text);
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
        build_named(t, kind, built);
    else
        build_task(t->project, t->task, t->whose, kind, built);
    return built;
}

bool trial_case(struct trial *t, enum build_kind kind, const struct lab_case *c, uint64_t seed,
                struct outcome *o)
{
    struct case_try try = {
        .task = t->task, .c = c, .built = trial_runner(t, kind), .seed = seed, .outcome = *o};
    if (try.built->outcome.verdict != VERDICT_PASS) {
        *o = try.built->outcome;
        return false;
    }
    try.calls = try.built->sanitized ? 1 : CALLS;
    bool good = try_case(&try);
    free(try.output);
    *o = try.outcome;
    return good;
}
