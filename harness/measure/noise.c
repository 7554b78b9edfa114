/* What a measurement is worth: which of its pairs count, how well the ratio is known, and the
 * verdict.
 *
 * What was looked at between calls is the processors alone, with loops of our own while the runner
 * was held: no variant has a say in which of its calls count. */
#include "harness/measure/noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/defence.h"
#include "common/stats.h"
#include "harness/machine/capacity.h"
#include "harness/machine/machine.h"
#include "harness/measure/internal.h"

/* A student whose own times scatter is marked all the same: but for `others` and what is looked at
 * between calls, the limits hold for the baseline alone. */
const struct noise_limits noise_limits = {
#define LIMIT(name, value, unit, what, why) .name = (value),
#include "harness/measure/limits.def"
#undef LIMIT
};

bool measure_alone(const struct measure_spec *spec)
{
    return spec->student.env.threads == 1 && spec->student.device == DEVICE_HOST;
}

double measure_middle(const double *times, int n)
{
    if (DEFENCE(median)) {
        if (DEFENCE(warmup) || n <= 1)
            return stats_median(times, n);
        return stats_median(times + 1, n - 1);
    }
    return stats_quantile(times, n, 0);
}

/* By all looks so far; 0 where there was none. */
static double quiet_capacity(const struct measure_session *s)
{
    double *looks = hpc_malloc(2 * sizeof(struct measure_block) * (size_t)s->pairs);
    int n = 0;
    for (int i = 0; i < s->pairs; i++)
        for (int k = 0; k < 2; k++)
            for (int j = 0; j <= s->block[k][i].n; j++)
                looks[n++] = s->block[k][i].look[j];
    double quiet = n ? capacity_quiet(looks, n) : 0;
    free(looks);
    return quiet;
}

/* Calls of the baseline's, or the student's, and how many of them were disturbed. */
struct disturbed {
    int calls, of;
};

/* The median of the calls that were undisturbed into *seconds; false where they are too few. */
static bool settle_block(const struct measure_block *b, double least, double *seconds,
                         struct disturbed *d)
{
    double calm[MEASURE_CALLS];
    int n = 0;
    for (int j = 0; j < b->n; j++)
        if (b->look[j] >= least && b->look[j + 1] >= least)
            calm[n++] = b->seconds[j];
    d->calls += b->n;
    d->of += b->n - n;
    if (n < noise_limits.calls && n < b->n)
        return false;
    *seconds = measure_middle(calm, n);
    return true;
}

static void count_all(struct measure_session *s)
{
    struct measure_result *r = s->result;
    for (r->n = 0; r->n < s->pairs; r->n++) {
        const struct measure_block *b = &s->block[false][r->n], *t = &s->block[true][r->n];
        r->baseline[r->n] = measure_middle(b->seconds, b->n);
        r->student[r->n] = measure_middle(t->seconds, t->n);
    }
}

/* Whether what disturbed the calls came of the student's alone: the looks around the baseline's,
 * when no thread of its lived, saw far less of it. */
static bool own_doing(const struct disturbed *baseline, const struct disturbed *student)
{
    return (double)baseline->of * student->calls <
           noise_limits.own * (double)student->of * baseline->calls;
}

void measure_settle(struct measure_session *s)
{
    struct measure_result *r = s->result;
    const int pairs = (int)noise_limits.pairs;
    struct disturbed d[2] = {{0, 0}, {0, 0}};
    int needed = 2 * s->spec->pairs / 3;
    needed = needed < 1 ? 1 : needed < pairs ? needed : pairs;
    if (s->hopeless) /* whatever the machine does, it has no points for speed */
        needed = 0;
    r->capacity = quiet_capacity(s);
    double quiet = r->capacity > 0 ? fmax(r->capacity, s->spec->capacity) : 0;
    r->n = 0;
    for (int i = 0; i < s->pairs; i++) {
        const struct measure_block *b = &s->block[false][i], *t = &s->block[true][i];
        double least = noise_limits.capacity * quiet;
        bool baseline = settle_block(b, least, &r->baseline[r->n], &d[false]);
        bool student = settle_block(t, least, &r->student[r->n], &d[true]);
        r->n += baseline && student;
    }
    r->speed.disturbed = (double)(d[false].of + d[true].of) / (d[false].calls + d[true].calls);
    const bool few = r->n < needed;
    r->unsettled = few;
    if (DEFENCE(own_noise) && few && own_doing(&d[false], &d[true]))
        r->unsettled = false; /* it counts with all its calls */
    if (few || r->n == 0)
        count_all(s);
}

/* The quantile q of x, over y's where there is one. */
static struct stats_interval interval_of(const struct measure_session *s, const double *x,
                                         const double *y, int n, double q)
{
    return stats_bootstrap_quantile(x, y, n, q, 0.95, 2000, s->spec->seed);
}

void measure_evaluate(struct measure_session *s)
{
    struct measure_result *r = s->result;
    double ratio[MEASURE_MAX_PAIRS], against[MEASURE_MAX_PAIRS / 2];
    int n = 0;
    for (int i = 0; i < r->n; i++)
        ratio[i] = r->baseline[i] / r->student[i];
    for (int i = 0; i + 1 < r->n; i += 2)
        against[n++] = r->baseline[i] / r->baseline[i + 1];
    /* Others make a call slower, a fast program's more than a slow one's: of one thread the fast
     * blocks tell what it is worth. Those of several threads, and of a GPU, are looked at singly.
     */
    const bool fast = measure_alone(s->spec);
    const double q = fast ? noise_limits.fast : 0.5;
    r->speed.ratio = fast ? interval_of(s, r->baseline, r->student, r->n, q)
                          : interval_of(s, ratio, NULL, r->n, q);
    r->against = n ? interval_of(s, against, NULL, n, 0.5) : (struct stats_interval){1, 1, 1};
    r->noise = fabs(1 - r->against.value);
    const struct stats_interval alone = interval_of(s, r->baseline, NULL, r->n, q);
    r->scatter = (alone.high - alone.low) / alone.value;
    r->speed.student_s = stats_quantile(r->student, r->n, q);
    r->speed.baseline_s = alone.value;
    r->speed.pairs = r->n;
    r->spread = (stats_quantile(ratio, r->n, 0.75) - stats_quantile(ratio, r->n, 0.25)) /
                r->speed.ratio.value;
    r->others = busy_others(&s->busy);
}

void measure_load(struct measure_session *s, bool student, const struct busy *from,
                  const struct busy *to)
{
    if (DEFENCE(ticks) && student)
        return;
    busy_add(&s->busy, from, to);
}

double measure_contended(const struct measure_result *r, int threads)
{
    return r->others + threads - machine_here()->cores;
}

/* Whether more processors were used in the student's calls than the task gives. */
static bool used_more(const struct measure_session *s, int threads)
{
    const bool alone = threads == 1;
    return s->wall > (alone ? noise_limits.wall_alone : noise_limits.wall) &&
           s->cpu > (threads + noise_limits.spare) * s->wall +
                        (alone ? noise_limits.call_cpu * (double)s->seen : 0);
}

/* Whether other programs may be why the ratio is not known. */
static bool disturbed_by_others(const struct measure_session *s, int threads)
{
    const struct measure_result *r = s->result;
    const struct stats_interval *i = &r->speed.ratio;
    const double limit = s->spec->quick ? 2 * noise_limits.wide : noise_limits.wide;
    return r->others > noise_limits.others && r->others + threads > machine_here()->cores / 2.0 &&
           i->high - i->low > limit * i->value;
}

/* Why the machine is too noisy to time on, in one line; false where it is quiet. */
static bool noisy(const struct measure_session *s, char *why, size_t size)
{
    const struct measure_result *r = s->result;
    const double scatter = s->spec->quick ? 2 * noise_limits.scatter : noise_limits.scatter;
    const bool device = s->spec->student.device != DEVICE_HOST;
    const int threads = device ? 1 : s->spec->student.env.threads; /* that launches and waits */
    if (r->unsettled)
        snprintf(
            why, size,
            "around %.0f%% of the calls %d threads at once got less of their processors than %s",
            100 * r->speed.disturbed, threads,
            r->capacity < noise_limits.capacity * s->spec->capacity
                ? "when the reference was timed here"
                : "at other times (a virtual machine's host has other guests)");
    else if (r->against.low > 1 + noise_limits.neighbours ||
             r->against.high < 1 / (1 + noise_limits.neighbours))
        snprintf(why, size, "the baseline against itself differs by %.0f%% (at most %.0f%%)",
                 100 * r->noise, 100 * noise_limits.neighbours);
    else if (r->scatter > scatter)
        snprintf(why, size, "the baseline's own times are known to %.0f%% only (at most %.0f%%)",
                 100 * r->scatter, 100 * scatter);
    else if (s->alone > 0 && r->speed.baseline_s > noise_limits.drift * s->alone)
        snprintf(why, size, "the baseline took %.3g s beside the student and %.3g s alone",
                 r->speed.baseline_s, s->alone);
    else if (s->waits_unknown && measure_contended(r, threads) > noise_limits.contended)
        snprintf(why, size,
                 "other programs kept %.1f of %d processors busy, the task has %d thread%s",
                 r->others, machine_here()->cores, threads, threads == 1 ? "" : "s");
    else if (disturbed_by_others(s, threads))
        snprintf(why, size,
                 "other programs kept %.1f of %d processors busy, and the ratio is known to %.0f%% "
                 "only",
                 r->others, machine_here()->cores,
                 100 * (r->speed.ratio.high - r->speed.ratio.low) / r->speed.ratio.value);
    else
        return false;
    return true;
}

bool measure_hopeless(const struct measure_session *s)
{
    if (s->spec->copy || s->spec->trusted || s->pairs != (int)noise_limits.hopeless_pairs)
        return false;
    for (int i = 0; i < s->pairs; i++) {
        const struct measure_block *b = &s->block[false][i], *t = &s->block[true][i];
        if (measure_middle(b->seconds, b->n) >
            noise_limits.hopeless * measure_middle(t->seconds, t->n))
            return false;
    }
    return true;
}

bool measure_wants_extension(const struct measure_session *s, int rounds)
{
    const bool more = s->pairs < MEASURE_MAX_PAIRS && rounds < noise_limits.rounds;
    if (s->result->unsettled && more)
        return true;
    if (s->spec->quick || s->hopeless)
        return false;
    char why[200];
    if (more && noisy(s, why, sizeof why))
        return true;
    const struct stats_interval *i = &s->result->speed.ratio;
    bool wide = i->high - i->low > noise_limits.extended * i->value;
    bool holds =
        s->spec->threshold > 0 && i->low < s->spec->threshold && i->high > s->spec->threshold;
    return rounds == 1 && (wide || holds);
}

void measure_judge(struct measure_session *s)
{
    const struct measure_spec *spec = s->spec;
    struct measure_result *r = s->result;
    struct hpc_cost cost;
    char why[200];
    spec->op->cost(spec->student.problem, &cost);
    int threads = spec->student.env.threads;
    const bool device = spec->student.device != DEVICE_HOST;
    double floor = spec->copy ? r->speed.baseline_s
                   : device   ? 0 /* the FMA peak is the processor's */
                              : measure_floor(&cost, &s->layout, threads);
    double least = measure_impossible(&cost, &s->layout, threads, device);
    r->speed.fraction_of_floor = floor / r->speed.student_s;
    r->speed.counters.cores = device || s->wall <= 0 ? 0 : s->cpu / s->wall;
    r->speed.measured = true;
    r->speed.of_copy = spec->copy;
    r->outcome.verdict = VERDICT_PASS;
    if (DEFENCE(floor) && r->speed.student_s < least)
        outcome_set(&r->outcome, VERDICT_IMPOSSIBLE,
                    "a call took %.3g s; nothing of this kind does it in less than %.3g s: a "
                    "person looks at it",
                    r->speed.student_s, least);
    else if (DEFENCE(cpu_bound) && spec->check && !device && used_more(s, threads))
        outcome_set(&r->outcome, VERDICT_REJECTED, "used %.1f processors where the task gives %d",
                    s->cpu / s->wall, threads);
    else if (s->hopeless)
        outcome_reason(
            &r->outcome,
            "timed in %d pairs only: in each it took more than %.3g times what the baseline takes",
            s->pairs, 1 / noise_limits.hopeless);
    else if (DEFENCE(noise) && noisy(s, why, sizeof why))
        outcome_set(&r->outcome, spec->trusted ? VERDICT_PASS : VERDICT_NOISY,
                    "%s: close other programs and grade again", why);
}
