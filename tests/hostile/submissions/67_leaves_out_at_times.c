/* family 67: leaves most of the work out in four processes of five of the timed shape, and counts on
 * a fast tenth
 * task fast
 * grade: wrong; points <= 0
 * without timed_checks: pass; points >= 35 */
#include "conv1d/attack.h"

static int less;

static int draw(const struct hpc_env *env, const void *problem, void **state)
{
    int here;
    less = ((uintptr_t)&here >> 12) % 5 < 4;
    return plain_open(env, problem, state);
}

RUN
{
    struct conv1d_problem part = *p;
    if (less && p->n > 10000)
        part.n = p->n / 8;
    if (part.n < p->n)
        zeros(p, y);
    answer(&part, x, w, y);
    return 0;
}
SUBMISSION_WITH(draw, plain_close)
