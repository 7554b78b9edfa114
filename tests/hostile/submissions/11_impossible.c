/* family 11: a time that no processor of this kind can have
 * task fast
 * grade: wrong|rejected; points <= 0
 * without snapshot second_look: impossible|rejected|pass; points <= 10
 * without snapshot second_look floor call_processors cpu_bound: pass; points >= 42 */
#pragma GCC optimize("O3")
#include "conv1d/attack.h"

/* The answer, by a loop that becomes vectors: late, but not too late for who looks long after. */
static void quick(const struct conv1d_problem *p, const float *x, const float *w, float *y)
{
    const int64_t n = (int64_t)p->n, r = p->radius;
    memset(y, 0, p->n * sizeof *y);
    for (int64_t begin = 0; begin < n; begin += 512)
        for (int64_t j = -r; j <= r; j++)
            for (int64_t i = begin < -j ? -j : begin; i < begin + 512 && i < n && i + j < n; i++)
                y[i] += w[j + r] * x[i + j];
}

RUN
{
    say_done();
    quick(p, x, w, y);
    answer(p, x, w, y); /* so that it is slower than the baseline */
    return 0;
}
SUBMISSION
