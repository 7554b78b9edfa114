/* Whether it was the GPU: one that hangs, or that a kernel broke, fails whoever comes next. */
#include "harness/trial/internal.h"

#define PROBE_SECONDS 10 /* for a driver to start, and a small kernel */

bool trial_gpu_works(struct trial *t, uint64_t seed, struct outcome *o)
{
    struct build_result built;
    struct hpc_error err;
    struct case_try try = {.c = &t->project->lab->cases[t->task->cases[0]],
                           .built = &built,
                           .seed = seed,
                           .threads = t->threads,
                           .limits = t->limits,
                           .first = 1,
                           .calls = 1,
                           .unchecked = true};
    try.limits.wall_seconds = try.limits.cpu_seconds = PROBE_SECONDS;
    build_probe(t->project->root, t->op, &built);
    if (built.outcome.verdict != VERDICT_PASS || !try_ready(&try, &err))
        return true;
    try_calls(&try);
    *o = try.outcome;
    return try.n == 1 || (o->verdict != VERDICT_TIMEOUT && o->verdict != VERDICT_CRASH &&
                          o->verdict != VERDICT_ENVIRONMENT);
}
