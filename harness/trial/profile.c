/* Where a task's solution in C spends its speed case. */
#include "harness/machine/machine.h"
#include "harness/trial/internal.h"

bool trial_profile(struct trial *t, uint64_t seed, struct exchange_profile *p, struct outcome *o)
{
    const struct build_result *built = trial_runner(t, BUILD_PLAIN);
    const struct lab_case *c = &t->project->lab->cases[t->task->speed_case];
    struct ready_case ready;
    struct hpc_error err;
    *o = built->outcome;
    if (o->verdict != VERDICT_PASS)
        return false;
    if (!case_ready(c, seed, t->threads, &ready, &err))
        return outcome_set(o, VERDICT_ENVIRONMENT, "%s", err.text);
    struct exchange_spec spec = {.runner = built->output,
                                 .op = c->op,
                                 .problem = ready.problem,
                                 .seed = ready.seed,
                                 .env = {t->threads, machine_here()->simd, NULL},
                                 .limits = t->limits};
    build_runner_needs(built, &spec);
    struct exchange *x = exchange_open(&spec, o);
    const bool seen = x && exchange_profile(x, p, o);
    if (x)
        exchange_close(x, o, NULL, 0);
    return seen;
}
