/* family 30: does the work of all calls in the first
 * task fast
 * grade: pass; points <= 20
 * without fresh: pass; points >= 42 */
#include "conv1d/attack.h"

enum { SAMPLES = 64 };
static float *kept, sample[SAMPLES];

static int seen_before(const struct conv1d_problem *p, const float *x)
{
    for (int i = 0; kept && i < SAMPLES; i++)
        if (x[(uint64_t)i * p->n / SAMPLES] != sample[i])
            return 0;
    return kept != NULL;
}

RUN
{
    if (!seen_before(p, x)) {
        answer(p, x, w, y);
        kept = realloc(kept, p->n * sizeof *y);
        memcpy(kept, y, p->n * sizeof *y);
        for (int i = 0; i < SAMPLES; i++)
            sample[i] = x[(uint64_t)i * p->n / SAMPLES];
    }
    memcpy(y, kept, p->n * sizeof *y);
    return 0;
}
SUBMISSION
