/* Whether a solution has several threads do a case's work, by the processor time of each, as the
 * kernel tells it; and at the same time, by what each loads and stores between OpenMP's barriers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/defence.h"
#include "harness/machine/machine.h"
#include "harness/trial/internal.h"

#define LEAST_THREADS 2
#define LEAST_OTHERS  0.1   /* of the work, by threads other than the one that does most */
#define LEAST_SECONDS 0.025 /* of processor time, before it is judged */
#define CALLS         8
/* Each at a process of its own, the kindest counts: a thread that spins while another waits for a
 * processor, which other programs have, uses the more of them, and takes more from a queue of the
 * solution's own. */
#define LOOKS 8
/* Of two threads, on average: what they share is a bit under half of the work, and most of it. */
#define LEAST_AT_WORK 1.3
#define FEW_AT_WORK   1.7

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

/* The last line of runner/phases.c's in what the runner printed: threads at work on average, and an
 * address where one was alone. */
static bool read_phases(const char *output, double *at_work, uint64_t *from)
{
    static const char head[] = "\nphases ";
    const char *line = NULL;
    unsigned long long all, longest, address;
    while (output && (output = strstr(output, head)) != NULL)
        line = output++;
    if (!line ||
        sscanf(line, "\nphases %20llu longest %20llu from %16llx", &all, &longest, &address) != 3 ||
        longest == 0)
        return false;
    *at_work = (double)all / (double)longest;
    *from = address;
    return true;
}

/* What the threads at work on average come to, with a word where more could be. */
static bool judge(const struct lab_case *c, double at_work, const char *place, struct outcome *o)
{
    if (at_work > LEAST_THREADS + 0.5) {
        outcome_hint(
            o,
            "it starts more threads than it is given: of case %s's work %.1f do their part "
            "at once, where env->threads is %d",
            c->name, at_work, LEAST_THREADS);
    } else if (at_work < FEW_AT_WORK) {
        outcome_hint(o,
                     "%sin `omp single`, `master` or `critical` one thread works while the others "
                     "wait%s%s; `omp for` gives each thread iterations of its own",
                     at_work < LEAST_AT_WORK ? "" : "a part of the work is not shared: ",
                     *place ? ", as at " : "", place);
    }
    return at_work >= LEAST_AT_WORK ||
           outcome_set(
               o, VERDICT_REJECTED,
               "case %s: the threads take turns: of %d threads %.2f are at work on average, "
               "expected at least %.2f",
               c->name, LEAST_THREADS, at_work, LEAST_AT_WORK);
}

/* One call in which loads and stores are counted. False with *o where it does not end well, or
 * nothing was counted: only a report shows that threads are at work at once, and a submission can
 * tell this call from others. */
static bool count(struct case_try *try, double *at_work, uint64_t *from, struct outcome *o)
{
    const bool ended = try_calls(try), told = ended && read_phases(try->output, at_work, from);
    free(try->output);
    try->output = NULL;
    if (DEFENCE(counted) && !ended) {
        outcome_hint(o, "%s", try->outcome.hint);
        return outcome_set(o, try->outcome.verdict,
                           "case %s, while its loads and stores are counted: %s", try->c->name,
                           try->outcome.reason);
    }
    if (DEFENCE(counted) && !told) {
        outcome_hint(o, "open its regions by `omp parallel`, one at a time");
        return outcome_set(o, VERDICT_REJECTED,
                           "case %s: its threads' loads and stores can't be counted, as some of "
                           "them are in no region of `omp parallel`",
                           try->c->name);
    }
    if (!told)
        *at_work = LEAST_THREADS;
    return true;
}

/* Whether the threads, each with a part of the work, do it at the same time: in OpenMP, whose
 * regions can be told apart. Points for speed, where a task has them, say so by themselves. */
static bool at_once(struct trial *t, const struct lab_case *c, uint64_t seed, struct outcome *o)
{
    struct hpc_error err;
    double at_work = 0;
    uint64_t from = 0;
    char place[1][EXCHANGE_PLACE] = {""};
    struct case_try try = {.c = c,
                           .seed = seed,
                           .threads = LEAST_THREADS,
                           .limits = t->limits,
                           .first = 1,
                           .calls = 1,
                           .unchecked = true,
                           .keep_output = true};
    if (t->task->points_speed > 0 || !strstr(t->task->flags, "-fopenmp"))
        return true;
    try.built = trial_runner(t, BUILD_STORES);
    if (try.built->outcome.verdict == VERDICT_PENDING) /* no compiler here can count */
        return true;
    if (try.built->outcome.verdict != VERDICT_PASS) {
        *o = try.built->outcome;
        return false;
    }
    if (!try_ready(&try, &err))
        return outcome_set(o, VERDICT_ENVIRONMENT, "%s", err.text);
    for (int i = 0; i < LOOKS && at_work < FEW_AT_WORK; i++) {
        double now = 0;
        uint64_t there = 0;
        if (!count(&try, &now, &there, o))
            return false;
        from = now > at_work ? there : from;
        at_work = now > at_work ? now : at_work;
    }
    if (from)
        exchange_places(try.built->output, &from, place, 1);
    return judge(c, at_work, place[0], o);
}

bool trial_threads(struct trial *t, const struct lab_case *c, uint64_t seed, struct outcome *o)
{
    const struct build_result *built = trial_runner(t, BUILD_PLAIN);
    const int threads = t->threads > LEAST_THREADS ? t->threads : LEAST_THREADS;
    struct ready_case ready;
    struct hpc_error err;
    double least = 1; /* of the work, by the thread that does most */
    if (built->outcome.verdict != VERDICT_PASS) {
        *o = built->outcome;
        return false;
    }
    if (!case_ready(c, seed, threads, &ready, &err))
        return outcome_set(o, VERDICT_ENVIRONMENT, "%s", err.text);
    if (c->op->ranks)
        return trial_ranks(t, c, seed, o);
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
            return at_once(t, c, seed, o);
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
