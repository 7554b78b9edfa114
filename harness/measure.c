#include "harness/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "harness/busy.h"
#include "harness/interrupt.h"
#include "harness/machine.h"
#include "harness/ui.h"

/* The machine is refused where the baseline's odd pairs differ from its even ones by more than
 * NOISE_LIMIT, or where it runs slower beside the student than alone by more than DRIFT_LIMIT. */
#define NOISE_LIMIT 0.05
#define DRIFT_LIMIT 1.15
/* And where others want more processors than the student's threads leave them, by OTHERS_LIMIT. */
#define OTHERS_LIMIT 0.25
/* An interval wider than this share of its ratio is extended once. */
#define WIDE          0.06
#define SAMPLED       3    /* timed calls whose every element is checked */
#define BLOCK_SECONDS 0.12 /* of baseline calls in a block */
#define SLOW_CALL     0.25 /* seconds; slower baselines get one call a block */
#define ROUND_SECONDS 6.0  /* of baseline blocks in a round */
#define LEAST_PAIRS   7

struct sample {
    uint64_t call;
    void *out[HPC_MAX_ARRAYS];
};

struct session {
    const struct measure_spec *spec;
    struct measure_result *result;
    struct hpc_layout layout;
    struct hpc_random random;
    uint64_t call; /* the next call's number; each is used once */
    int calls;     /* a block */
    long seen;     /* student's calls so far */
    struct sample sample[SAMPLED];
    double wall, cpu;       /* of the student's calls */
    struct busy begin, end; /* of the last round */
};

static bool fail(struct session *s, enum verdict verdict, const char *reason)
{
    s->result->verdict = verdict;
    snprintf(s->result->reason, sizeof s->result->reason, "%s", reason);
    return false;
}

/* Keep this call's outputs with the probability that makes every call equally likely to be among
 * the SAMPLED ones; decided only after the outputs were copied. */
static void keep_sample(struct session *s, uint64_t call, const void *const out[])
{
    s->seen++;
    int slot = s->seen <= SAMPLED ? (int)s->seen - 1
                                  : (int)hpc_random_below(&s->random, (uint32_t)s->seen);
    if (slot >= SAMPLED)
        return;
    s->sample[slot].call = call;
    for (int k = 0; k < s->layout.n_out; k++) {
        size_t bytes = s->layout.out[k].count * hpc_type_bytes(s->layout.out[k].type);
        s->sample[slot].out[k] = hpc_realloc(s->sample[slot].out[k], bytes);
        memcpy(s->sample[slot].out[k], out[k], bytes);
    }
}

static bool mismatch(struct session *s, const struct hpc_mismatch *m)
{
    snprintf(s->result->reason, sizeof s->result->reason,
             "in a timed call %s is %.9g, should be %.9g within %.2g", m->what, m->got, m->want,
             m->bound);
    snprintf(s->result->hint, sizeof s->result->hint, "%s", m->hint);
    s->result->verdict = VERDICT_WRONG;
    return false;
}

/* One block: a process, `calls` calls, their median into *seconds. */
static bool run_block(struct session *s, const struct measure_runner *runner, bool student,
                      double *seconds)
{
    const struct measure_spec *spec = s->spec;
    struct exchange_spec x_spec = {.runner = runner->path,
                                   .op = spec->op,
                                   .problem = runner->problem,
                                   .seed = spec->seed,
                                   .env = runner->env,
                                   .device = runner->device,
                                   .limits = runner->limits};
    enum verdict verdict;
    char reason[400];
    struct exchange *x = exchange_open(&x_spec, &verdict, reason, sizeof reason);
    if (!x)
        return fail(s, verdict, reason);
    double times[64];
    bool good = true;
    for (int i = 0; good && i < s->calls; i++) {
        struct exchange_call call;
        uint64_t number = s->call++;
        if (!exchange_run(x, number, false, &call, &verdict, reason, sizeof reason)) {
            good = fail(s, verdict, reason);
            break;
        }
        times[i] = call.seconds;
        if (!student || !spec->check)
            continue;
        s->wall += call.seconds;
        s->cpu += call.cpu_seconds;
        struct hpc_mismatch m = {0};
        if (!spec->op->check_quick(runner->problem, call.in, call.out, &m))
            good = mismatch(s, &m);
        keep_sample(s, number, call.out);
    }
    if (!exchange_close(x, &verdict, reason, sizeof reason, NULL, 0) && good)
        good = fail(s, verdict, reason);
    if (good)
        *seconds = stats_median(times, s->calls);
    return good;
}

/* Every element of the calls that were drawn. */
static bool check_samples(struct session *s)
{
    const struct hpc_op *op = s->spec->op;
    void *in[HPC_MAX_ARRAYS] = {0};
    for (int k = 0; k < s->layout.n_in; k++)
        in[k] = hpc_malloc(s->layout.in[k].count * hpc_type_bytes(s->layout.in[k].type));
    bool good = true;
    for (int i = 0; good && i < SAMPLED && i < s->seen; i++) {
        struct hpc_mismatch m = {0};
        bool admitted = true;
        ui_progress("%s: checking timed call %d of %d", s->spec->label, i + 1, SAMPLED);
        op->generate(s->spec->student.problem, s->spec->seed, s->sample[i].call, in);
        if (!op->check(s->spec->student.problem, (const void *const *)in,
                       (const void *const *)s->sample[i].out, &admitted, &m))
            good = mismatch(s, &m);
    }
    for (int k = 0; k < s->layout.n_in; k++)
        free(in[k]);
    return good;
}

static bool run_pairs(struct session *s, int pairs, const char *round)
{
    struct measure_result *r = s->result;
    busy_read(&s->begin);
    for (int i = 0; i < pairs && r->n < MEASURE_MAX_PAIRS; i++) {
        if (hpc_interrupted())
            return fail(s, VERDICT_SKIPPED, "interrupted");
        ui_progress("%s: timing%s, pair %d of %d", s->spec->label, round, i + 1, pairs);
        bool student_first = hpc_random_below(&s->random, 2);
        for (int half = 0; half < 2; half++) {
            bool student = (half == 0) == student_first;
            const struct measure_runner *runner = student ? &s->spec->student : &s->spec->baseline;
            if (!run_block(s, runner, student, student ? &r->student[r->n] : &r->baseline[r->n]))
                return false;
        }
        r->n++;
    }
    busy_read(&s->end);
    return true;
}

/* The ratio over all pairs so far, its interval, and the noise. */
static void evaluate(struct session *s)
{
    struct measure_result *r = s->result;
    double ratio[MEASURE_MAX_PAIRS], half[2][MEASURE_MAX_PAIRS];
    int n[2] = {0, 0};
    for (int i = 0; i < r->n; i++) {
        ratio[i] = r->baseline[i] / r->student[i];
        half[i % 2][n[i % 2]++] = r->baseline[i];
    }
    r->speed.ratio = stats_bootstrap_median(ratio, r->n, 0.95, 2000, s->spec->seed);
    r->speed.student_s = stats_median(r->student, r->n);
    r->speed.baseline_s = stats_median(r->baseline, r->n);
    r->speed.pairs = r->n;
    r->spread = (stats_quantile(ratio, r->n, 0.75) - stats_quantile(ratio, r->n, 0.25)) /
                r->speed.ratio.value;
    r->noise = n[1] ? fabs(1 - stats_median(half[1], n[1]) / stats_median(half[0], n[0])) : 0;
}

/* Processors that others had and the student's threads wanted. */
static double contended(const struct session *s)
{
    double wanted = busy_others(&s->begin, &s->end) + s->spec->student.env.threads;
    return wanted - machine_here()->cores;
}

/* Why the machine is too noisy to time on, in one line; false where it is quiet. */
static bool noisy(const struct session *s, double alone, char *why, size_t size)
{
    const struct measure_result *r = s->result;
    if (r->noise > NOISE_LIMIT)
        snprintf(why, size, "the baseline against itself differs by %.0f%% (at most %.0f%%)",
                 100 * r->noise, 100 * NOISE_LIMIT);
    else if (r->speed.baseline_s > DRIFT_LIMIT * alone)
        snprintf(why, size, "the baseline took %.3g s beside the student and %.3g s alone",
                 r->speed.baseline_s, alone);
    else if (contended(s) > OTHERS_LIMIT)
        snprintf(
            why, size, "other programs kept %.1f of %d processors busy, the task has %d threads",
            busy_others(&s->begin, &s->end), machine_here()->cores, s->spec->student.env.threads);
    else
        return false;
    return true;
}

static bool wants_extension(const struct session *s, double alone)
{
    const struct stats_interval *i = &s->result->speed.ratio;
    bool wide = i->high - i->low > WIDE * i->value;
    bool holds =
        s->spec->threshold > 0 && i->low < s->spec->threshold && i->high > s->spec->threshold;
    char why[200];
    return wide || holds || noisy(s, alone, why, sizeof why);
}

/* The baseline alone: how long a call takes, how many calls a block gets, and how many pairs fit
 * into the time that a task may take. Nothing of the student's has run yet. */
static bool calibrate(struct session *s, double *alone, int *pairs)
{
    double solo[3];
    s->calls = s->spec->calls ? s->spec->calls : 1;
    ui_progress("%s: calibrating the baseline", s->spec->label);
    for (int i = 0; i < 3; i++) {
        if (!run_block(s, &s->spec->baseline, false, &solo[i])) {
            char reason[300];
            snprintf(reason, sizeof reason, "the baseline failed: %.270s", s->result->reason);
            return fail(s, VERDICT_ENVIRONMENT, reason);
        }
        if (i == 0 && !s->spec->calls) {
            int calls = (int)ceil(BLOCK_SECONDS / solo[0]);
            int least = solo[0] > SLOW_CALL || s->spec->quick ? 1 : 3;
            s->calls = calls < least ? least : calls > 25 ? 25 : calls;
        }
    }
    *alone = stats_median(solo, 3);
    int fit = (int)(ROUND_SECONDS / (*alone * s->calls));
    fit = fit > LEAST_PAIRS ? fit : LEAST_PAIRS;
    *pairs = fit < s->spec->pairs ? fit : s->spec->pairs;
    return true;
}

static void judge(struct session *s, double alone)
{
    const struct measure_spec *spec = s->spec;
    struct measure_result *r = s->result;
    struct hpc_cost cost;
    char why[200];
    spec->op->cost(spec->student.problem, &cost);
    int threads = spec->student.env.threads;
    const bool device = spec->student.device != DEVICE_HOST;
    double floor = spec->copy ? r->speed.baseline_s : measure_floor(&cost, &s->layout, threads);
    double least = measure_impossible(&cost, &s->layout, threads, device);
    r->speed.fraction_of_floor = floor / r->speed.student_s;
    r->speed.measured = true;
    r->speed.of_copy = spec->copy;
    r->verdict = VERDICT_PASS;
    if (r->speed.student_s < least) {
        r->verdict = VERDICT_IMPOSSIBLE;
        snprintf(r->reason, sizeof r->reason,
                 "a call took %.3g s; nothing of this kind does it in less than %.3g s: a person "
                 "looks at it",
                 r->speed.student_s, least);
    } else if (spec->check && !device && s->wall > 0.2 && s->cpu > (threads + 0.25) * s->wall) {
        r->verdict = VERDICT_REJECTED;
        snprintf(r->reason, sizeof r->reason, "used %.1f processors where the task gives %d",
                 s->cpu / s->wall, threads);
    } else if (!spec->trusted && noisy(s, alone, why, sizeof why)) {
        r->verdict = VERDICT_NOISY;
        snprintf(r->reason, sizeof r->reason, "%s: close other programs and grade again", why);
    }
}

void measure_pairs(const struct measure_spec *spec, struct measure_result *result)
{
    memset(result, 0, sizeof *result);
    HPC_ASSERT(spec->pairs >= 1 && 2 * spec->pairs <= MEASURE_MAX_PAIRS);
    struct session s = {.spec = spec, .result = result};
    spec->op->layout(spec->student.problem, &s.layout);
    hpc_random_init(&s.random, spec->seed, 0x70616972); /* "pair" */
    double alone = 0;
    int pairs = 0;
    if (calibrate(&s, &alone, &pairs) && run_pairs(&s, pairs, "")) {
        evaluate(&s);
        bool more = !spec->quick && wants_extension(&s, alone);
        bool good = !more || run_pairs(&s, pairs, " on");
        if (more && good)
            evaluate(&s);
        if (good && (!spec->check || check_samples(&s)))
            judge(&s, alone);
    }
    for (int i = 0; i < SAMPLED; i++)
        for (int k = 0; k < s.layout.n_out; k++)
            free(s.sample[i].out[k]);
    ui_progress_end();
}
