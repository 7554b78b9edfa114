/* Which pairs of a measurement count. What was looked at between calls is the processors alone,
 * with a loop of our own while the runner was held: no variant has a say in which of its calls
 * count. */
#include <stdlib.h>

#include "harness/capacity.h"
#include "harness/measure_internal.h"
#include "harness/stats.h"

#define CALLS_NEEDED 3 /* of a block, or all that it has */
#define PAIRS_NEEDED 7 /* or two thirds of a round */

/* What the loop takes on all the student's threads at once when all is quiet, by all looks around
 * the calls of the one side or of the other: a side's vectors may slow a processor's clock. */
static double quiet_seconds(const struct measure_session *s, bool student)
{
    double *looks = hpc_malloc(sizeof(struct measure_block) * (size_t)s->pairs);
    int n = 0;
    for (int i = 0; i < s->pairs; i++)
        for (int j = 0; j <= s->block[student][i].n; j++)
            looks[n++] = s->block[student][i].probe[j];
    double quiet = n ? capacity_quiet(looks, n) : 0;
    free(looks);
    return quiet;
}

/* The median of the calls that were undisturbed into *seconds; false where they are too few. */
static bool settle_block(const struct measure_block *b, double most, double *seconds,
                         int *disturbed)
{
    double calm[MEASURE_CALLS];
    int n = 0;
    for (int j = 0; j < b->n; j++)
        if (b->probe[j] <= most && b->probe[j + 1] <= most)
            calm[n++] = b->seconds[j];
    *disturbed += b->n - n;
    if (n < CALLS_NEEDED && n < b->n)
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
    double quiet[2] = {quiet_seconds(s, false), quiet_seconds(s, true)};
    double slower = quiet[0] > quiet[1] ? quiet[0] : quiet[1];
    int calls = 0, disturbed = 0, needed = 2 * s->spec->pairs / 3;
    needed = needed < 1 ? 1 : needed < PAIRS_NEEDED ? needed : PAIRS_NEEDED;
    r->n = 0;
    for (int i = 0; i < s->pairs; i++) {
        bool good[2];
        for (int k = 0; k < 2; k++) {
            good[k] = settle_block(&s->block[k][i], quiet[k] / CAPACITY_SHARE,
                                   k ? &r->student[r->n] : &r->baseline[r->n], &disturbed);
            calls += s->block[k][i].n;
        }
        r->n += good[0] && good[1];
    }
    r->speed.disturbed = (double)disturbed / calls;
    r->capacity = s->solos && slower > 0 ? capacity_quiet(s->solo, s->solos) / slower : 0;
    r->unsettled = r->n < needed || r->capacity < CAPACITY_SHARE * s->spec->capacity;
    if (r->n < needed)
        count_all(s);
}
