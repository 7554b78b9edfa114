/* Whether a solution has several threads do a case's work: by the processor time of each thread, as
 * the kernel tells it. */
#include "harness/machine/machine.h"
#include "harness/trial/internal.h"

#define LEAST_THREADS 2
#define LEAST_OTHERS  0.1   /* of the work, by threads other than the one that does most */
#define LEAST_SECONDS 0.025 /* of processor time, before it is judged */
#define CALLS         8
/* Each at a process of its own: a thread that spins while another waits for a processor, which
 * other programs have, uses the more of them. */
#define LOOKS 8

/* Calls until there is enough to judge, at most CALLS. False with *o when one fails. */
static bool share(struct exchange *x, double *all, double *most, struct outcome *o)
{
    struct exchange_call call;
    *all = *most = 0;
    exchange_hold(x);
    exchange_threads_begin(x); /* loading and open() are no work */
    exchange_release(x);
    for (uint64_t i = 1; i <= CALLS; i++) {
        if (!exchange_run(x, i, false, &call, o))
            return false;
        exchange_hold(x);
        exchange_threads(x, all, most);
        exchange_release(x);
        if (*all >= LEAST_SECONDS)
            break;
    }
    return true;
}

/* The processor time of all threads in one process, and of the one that used most. */
static bool look(const struct exchange_spec *spec, double *all, double *most, struct outcome *o)
{
    struct outcome at_close = {0};
    struct exchange *x = exchange_open(spec, o);
    bool good = x && share(x, all, most, o);
    if (x && !exchange_close(x, &at_close, NULL, 0) && good) {
        *o = at_close;
        good = false;
    }
    return good;
}

bool trial_threads(struct trial *t, const struct lab_case *c, uint64_t seed, struct outcome *o)
{
    const struct build_result *built = trial_runner(t, BUILD_PLAIN);
    const int threads = t->threads > LEAST_THREADS ? t->threads : LEAST_THREADS;
    struct ready_case ready;
    struct hpc_error err;
    double least = 1; /* of the work, by the thread that does most */
    if (!case_ready(c, seed, threads, &ready, &err))
        return outcome_set(o, VERDICT_ENVIRONMENT, "%s", err.text);
    struct exchange_spec spec = {.runner = built->output,
                                 .op = c->op,
                                 .problem = ready.problem,
                                 .seed = ready.seed,
                                 .env = {threads, machine_here()->simd, NULL},
                                 .limits = t->limits};
    build_runner_needs(built, &spec);
    for (int i = 0; i < LOOKS; i++) {
        double all = 0, most = 0;
        if (!look(&spec, &all, &most, o))
            return false;
        if (all - most >= LEAST_OTHERS * all)
            return true;
        least = most < least * all ? most / all : least;
    }
    outcome_hint(
        o, "share this case's loops among the threads, also where that does not pay: the task "
           "is about it");
    return outcome_set(
        o, VERDICT_REJECTED,
        "case %s: one thread did %.0f%% of the work, expected at most %.0f%% with %d "
        "threads",
        c->name, 100 * least, 100 * (1 - LEAST_OTHERS), threads);
}
