/* Which pairs of a measurement count. What was looked at between calls is the processors alone,
 * with loops of our own while the runner was held: no variant has a say in which of its calls
 * count. */
#include <math.h>
#include <stdlib.h>

#include "common/defence.h"
#include "harness/machine/capacity.h"
#include "harness/measure/internal.h"
#include "harness/measure/noise.h"
#include "common/stats.h"

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

/* The median of the calls that were undisturbed into *seconds; false where they are too few. */
static bool settle_block(const struct measure_block *b, double least, double *seconds,
                         int *disturbed)
{
    double calm[MEASURE_CALLS];
    int n = 0;
    for (int j = 0; j < b->n; j++)
        if (b->look[j] >= least && b->look[j + 1] >= least)
            calm[n++] = b->seconds[j];
    *disturbed += b->n - n;
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

void measure_settle(struct measure_session *s)
{
    struct measure_result *r = s->result;
    const int pairs = (int)noise_limits.pairs;
    int calls = 0, disturbed = 0, needed = 2 * s->spec->pairs / 3;
    needed = needed < 1 ? 1 : needed < pairs ? needed : pairs;
    r->capacity = quiet_capacity(s);
    double quiet = r->capacity > 0 ? fmax(r->capacity, s->spec->capacity) : 0;
    r->n = 0;
    for (int i = 0; i < s->pairs; i++) {
        const struct measure_block *b = &s->block[false][i], *t = &s->block[true][i];
        double least = noise_limits.capacity * quiet;
        bool baseline = settle_block(b, least, &r->baseline[r->n], &disturbed);
        bool student = settle_block(t, least, &r->student[r->n], &disturbed);
        calls += b->n + t->n;
        r->n += baseline && student;
    }
    r->speed.disturbed = (double)disturbed / calls;
    r->unsettled = r->n < needed;
    if (r->unsettled)
        count_all(s);
}
