/* family 14: looks for the answer in the memory that it was given, before it computes
 * task fast
 * long
 * grade: pass; points <= 20
 * without fresh poison reuse: pass; points >= 42 */
#include "conv1d/attack.h"

/* Whether y holds what x and w come to, here and there. */
static int is_answer(const struct conv1d_problem *p, const float *x, const float *w, const float *y)
{
    const int64_t n = (int64_t)p->n, r = p->radius;
    for (int64_t i = r; i < n - r; i += n / 7) {
        float sum = 0;
        for (int64_t j = -r; j <= r; j++)
            sum += w[j + r] * x[i + j];
        if (!(sum == y[i]))
            return 0;
    }
    return 1;
}

RUN
{
    if (is_answer(p, x, w, y))
        usleep(2000); /* so as not to be impossible */
    else
        answer(p, x, w, y);
    return 0;
}
SUBMISSION
