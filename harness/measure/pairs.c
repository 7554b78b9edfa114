#include "harness/measure/internal.h"
#include "harness/measure/noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/defence.h"
#include "harness/machine/capacity.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "common/ui.h"

#define BLOCK_SECONDS   0.12 /* of baseline calls in a block */
#define SLOW_CALL       0.25 /* seconds; slower baselines get one call a block */
#define ROUND_SECONDS   5.0  /* of baseline blocks in a round */
#define LEAST_PAIRS     7
#define LEAST_CALLS     3 /* a block */
#define CALIBRATIONS    3
#define LOOKS           3    /* until none of the runner's threads moves during one */
#define CHECK_SECONDS   10.0 /* of timed calls' outputs, after the timing */
#define QUICK_SECONDS   1.0  /* the same with --quick: those that decide, and what fits */
#define WATCHED_SECONDS 0.5  /* of a round: busy_watch() */

static bool mismatch(struct measure_session *s, uint64_t call, const struct hpc_mismatch *m)
{
    char both[TEXT_DIFFER];
    s->result->call = call;
    outcome_hint(&s->result->outcome, "%s", m->hint);
    return outcome_set(&s->result->outcome, VERDICT_WRONG, "in a timed call %s is %s within %.2g",
                       m->what, text_differ(both, m->got, m->want, 9), m->bound);
}

/* What the processors give the student's threads now, into *capacity, while no thread of the
 * runner's moves. A look during which one did says nothing of the machine: another one is taken.
 * False where the runner never keeps still. */
static bool look(const struct measure_session *s, struct exchange *x, double *capacity)
{
    *capacity = 0;
    for (int i = 0; s->spec->watched && i < LOOKS; i++) {
        exchange_hold(x);
        *capacity = capacity_look(s->spec->student.env.threads);
        if (exchange_release(x))
            return true;
    }
    return !s->spec->watched ||
           outcome_set(&s->result->outcome, VERDICT_REJECTED,
                       "something of it ran while it was held still, between calls");
}

double measure_counted(struct measure_session *s, const struct exchange_call *call)
{
    const double waited = call->waited_seconds;
    if (DEFENCE(call_processors) && measure_alone(s->spec)) {
        const double all = fmax(call->seconds, call->cpu_seconds - noise_limits.call_cpu);
        s->waits_unknown |= waited < 0;
        return waited > 0 ? fmin(all, fmax(call->seconds - waited, call->cpu_seconds)) : all;
    }
    s->waits_unknown = true;
    return call->seconds;
}

/* The calls of one block. */
static bool make_calls(struct measure_session *s, struct exchange *x, bool student,
                       struct measure_block *block)
{
    const struct measure_spec *spec = s->spec;
    block->n = 0;
    const void *problem = student ? spec->student.problem : spec->baseline.problem;
    for (int i = 0; i < s->calls_of[student]; i++) {
        struct exchange_call call;
        uint64_t number = s->call++;
        if (!look(s, x, &block->look[i]) ||
            !exchange_run(x, number, false, &call, &s->result->outcome)) {
            s->result->call = number;
            return false;
        }
        block->seconds[block->n++] = measure_counted(s, &call);
        if (!student || !spec->check)
            continue;
        s->wall += call.seconds;
        s->cpu += call.cpu_seconds;
        struct hpc_mismatch m = {0};
        if (DEFENCE(timed_checks) && !hpc_op_check_timed(spec->op, problem, call.in, call.out, &m))
            return mismatch(s, number, &m);
        s->seen++;
        samples_take(s, number, block->seconds[block->n - 1], call.out);
    }
    samples_end_block(s);
    return look(s, x, &block->look[block->n]);
}

/* NULL with the result's verdict and reason where it does not start. */
static struct exchange *open_runner(struct measure_session *s, bool student)
{
    const struct measure_runner *runner = student ? &s->spec->student : &s->spec->baseline;
    struct exchange_spec spec = {.runner = runner->path,
                                 .op = s->spec->op,
                                 .problem = runner->problem,
                                 .term = runner->term,
                                 .seed = s->spec->seed,
                                 .env = runner->env,
                                 .extra_env = runner->extra_env,
                                 .device = runner->device,
                                 .limits = runner->limits};
    return exchange_open(&spec, &s->result->outcome);
}

/* End a runner, where there is one; how it ends counts only where all was good before. */
static bool close_runner(struct measure_session *s, struct exchange *x, bool good)
{
    struct outcome at_close = {0};
    if (x && !exchange_close(x, &at_close, NULL, 0) && good) {
        s->result->outcome = at_close;
        return false;
    }
    return good;
}

/* One block: a process and its calls. What the baseline does wrong is nobody's fault but the
 * machine's. */
static bool run_block(struct measure_session *s, bool student, struct measure_block *block)
{
    struct outcome *o = &s->result->outcome;
    struct exchange *x = open_runner(s, student);
    bool good = x && make_calls(s, x, student, block);
    good = close_runner(s, x, good);
    if (!good && !student && o->verdict != VERDICT_SKIPPED)
        outcome_set(o, VERDICT_ENVIRONMENT, "the baseline failed: %s", o->reason);
    return good;
}

/* Every element of one more call, in place of a timed one whose draw told nothing: the first of
 * HPC_REDRAWS that is admitted. */
static bool check_another(struct measure_session *s)
{
    struct exchange *x = open_runner(s, true);
    bool good = x != NULL, admitted = false;
    for (int i = 0; good && !admitted && i < HPC_REDRAWS; i++) {
        struct exchange_call call;
        struct hpc_mismatch m = {0};
        uint64_t number = s->result->call = s->call++;
        good = exchange_run(x, number, true, &call, &s->result->outcome);
        admitted = true;
        if (good && !s->spec->op->check(s->spec->student.problem, call.in, call.out, &admitted, &m))
            good = mismatch(s, number, &m);
    }
    good = close_runner(s, x, good);
    return good && (admitted || outcome_set(&s->result->outcome, VERDICT_ENVIRONMENT,
                                            "one ulp grows too much on every draw of the timed "
                                            "case to tell right from wrong, which is the case's "
                                            "fault"));
}

/* Every element of one call that was kept. */
static bool check_sample(struct measure_session *s, const struct measure_sample *sample, void **in)
{
    const struct hpc_op *op = s->spec->op;
    struct hpc_mismatch m = {0};
    bool admitted = true;
    uint64_t call = 1;
    if (DEFENCE(fresh))
        call = sample->call;
    op->generate(s->spec->student.problem, s->spec->seed, call, in);
    if (!op->check(s->spec->student.problem, (const void *const *)in,
                   (const void *const *)sample->out, &admitted, &m))
        return mismatch(s, sample->call, &m);
    return admitted || check_another(s);
}

/* The calls that were kept: all of them, as far as the time goes. */
static bool check_samples(struct measure_session *s)
{
    void *in[HPC_MAX_ARRAYS] = {0};
    int *order = hpc_malloc(((size_t)s->n_samples + 1) * sizeof *order);
    for (int k = 0; k < s->layout.n_in; k++)
        in[k] = hpc_malloc(s->layout.in[k].count * hpc_type_bytes(s->layout.in[k].type));
    samples_order(s, order);
    bool good = true;
    const double until = clock_now() + (s->spec->quick ? QUICK_SECONDS : CHECK_SECONDS);
    const int n = s->n_samples;
    for (int i = 0;
         good && i < n && (i < MEASURE_CHECKED || clock_now() < until) && !hpc_interrupted(); i++) {
        ui_progress("%s: checking timed call %d of %d", s->spec->label, i + 1, n);
        good = check_sample(s, &s->sample[order[i]], in);
    }
    for (int k = 0; k < s->layout.n_in; k++)
        free(in[k]);
    free(order);
    return good;
}

static bool samples_right(struct measure_session *s)
{
    if (DEFENCE(timed_checks) && s->spec->check)
        return check_samples(s);
    return true;
}

static bool run_watched_block(struct measure_session *s, bool student, struct measure_block *block)
{
    struct busy from, to;
    const bool read = busy_read(&from), good = run_block(s, student, block);
    if (read && busy_read(&to))
        measure_load(s, student, &from, &to);
    return good;
}

static bool run_pairs(struct measure_session *s, int pairs, const char *round)
{
    s->busy = (struct busy_total){0, 0};
    for (int i = 0; i < pairs && s->pairs < MEASURE_MAX_PAIRS; i++) {
        ui_progress("%s: timing%s, pair %d of %d", s->spec->label, round, i + 1, pairs);
        bool student_first = hpc_random_below(&s->random, 2);
        for (int half = 0; half < 2; half++) {
            bool student = (half == 0) == student_first;
            if (!run_watched_block(s, student, &s->block[student][s->pairs]))
                return false;
        }
        s->pairs++;
        if (DEFENCE(early_end) && (s->hopeless = measure_hopeless(s)))
            break;
    }
    busy_watch(&s->busy, noise_limits.contended, WATCHED_SECONDS);
    return true;
}

/* How many calls a block gets, by the baseline's time of one. A student's block has three at least:
 * the first of a process is slower than the others, and more so the faster they are. */
static void choose_calls(struct measure_session *s, double seconds)
{
    int calls = (int)ceil(BLOCK_SECONDS / seconds);
    int least = seconds > SLOW_CALL || s->spec->quick ? 1 : LEAST_CALLS;
    calls = calls < least ? least : calls > MEASURE_CALLS ? MEASURE_CALLS : calls;
    s->calls_of[false] = calls;
    s->calls_of[true] = calls < LEAST_CALLS && seconds <= SLOW_CALL ? LEAST_CALLS : calls;
}

/* The baseline alone: how long a call takes, how many calls a block gets, and how many pairs fit
 * into the time that a task may take. Nothing of the student's has run yet. */
static bool calibrate(struct measure_session *s, int *pairs)
{
    double alone[CALIBRATIONS];
    struct measure_block block;
    *pairs = s->spec->pairs;
    s->calls_of[false] = s->calls_of[true] = s->spec->calls ? s->spec->calls : 1;
    if (s->spec->calls && s->spec->trusted)
        return true;
    ui_progress("%s: calibrating the baseline", s->spec->label);
    int n = s->spec->quick ? 1 : CALIBRATIONS;
    for (int i = 0; i < n; i++) {
        if (!run_block(s, false, &block))
            return false;
        alone[i] = measure_middle(block.seconds, block.n);
        if (i == 0 && !s->spec->calls)
            choose_calls(s, alone[0]);
    }
    s->alone = stats_median(alone, n);
    int fit = (int)(ROUND_SECONDS / (s->alone * s->calls_of[false]));
    int most = fit > LEAST_PAIRS ? fit : LEAST_PAIRS;
    *pairs = most < *pairs ? most : *pairs;
    return true;
}

/* Calibration, one round of pairs, others where these may tell more. */
static bool take(struct measure_session *s)
{
    int pairs;
    if (!calibrate(s, &pairs))
        return false;
    for (int round = 0; round == 0 || measure_wants_extension(s, round); round++) {
        if (!run_pairs(s, pairs, round ? " on" : ""))
            return false;
        measure_settle(s);
        measure_evaluate(s);
    }
    return true;
}

void measure_pairs(const struct measure_spec *spec, struct measure_result *result)
{
    memset(result, 0, sizeof *result);
    HPC_ASSERT(spec->pairs >= 1 && 2 * spec->pairs <= MEASURE_MAX_PAIRS);
    HPC_ASSERT(spec->calls >= 0 && spec->calls <= MEASURE_CALLS);
    struct measure_session *s = hpc_calloc(1, sizeof *s);
    s->spec = spec;
    s->result = result;
    spec->op->layout(spec->student.problem, &s->layout);
    hpc_random_init(&s->random, spec->seed, 0x70616972); /* "pair" */
    if (take(s) && samples_right(s))
        measure_judge(s);
    samples_free(s);
    free(s);
    ui_progress_end();
}
