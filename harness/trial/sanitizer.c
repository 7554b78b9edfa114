/* Whether a sanitizer works on this machine: asked of a runner of ours, never of a student's, which
 * could say what it likes. */
#include "harness/trial/internal.h"

/* One call of our own runner: false where it does not come to its end. */
static bool probe(struct trial *t, enum build_kind kind, const struct lab_case *c, uint64_t seed,
                  struct outcome *o)
{
    struct build_result built;
    struct hpc_error err;
    struct case_try try = {.c = c,
                           .built = &built,
                           .seed = seed,
                           .threads = t->threads,
                           .limits = t->limits,
                           .first = 1,
                           .calls = 1,
                           .unchecked = true};
    build_sanitizer_probe(t->project->root, t->task, kind, &built);
    *o = built.outcome;
    if (o->verdict != VERDICT_PASS)
        return false;
    if (!try_ready(&try, &err))
        return true;
    bool good = try_calls(&try);
    *o = try.outcome;
    return good;
}

bool trial_sanitizer_works(struct trial *t, enum build_kind kind, const struct lab_case *c,
                           uint64_t seed, struct outcome *o)
{
    struct outcome why = {0};
    if (!t->task)
        return true;
    if (!t->probed[kind]) {
        t->works[kind] = probe(t, kind, c, seed, &why);
        t->probed[kind] = true;
    }
    if (!t->works[kind])
        outcome_set(o, VERDICT_ENVIRONMENT,
                    "the sanitizer does not work on this system, not even for a program of ours%s"
                    "%s",
                    why.reason[0] ? ": " : "", why.reason);
    return t->works[kind];
}
