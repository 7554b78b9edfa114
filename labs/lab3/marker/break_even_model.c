#include "labs/lab3/marker/break_even_model.h"

#include <math.h>

#include "common/defence.h"
#include "common/stats.h"

#define STEADY 1.25 /* flat's times of one width, on a machine that keeps its pace */
#define EVEN   1.1  /* a ratio between 1 / EVEN and EVEN is neither won nor lost */

double break_even_convert(double ratio, double from, double to)
{
    double waiting = 1 / ratio - 0.5;
    return waiting > 0 ? 1 / (0.5 + waiting * to / from) : ratio;
}

static bool stands(const struct break_even_ratio *ratio, int n, int answer)
{
    for (int i = 0; i < answer; i++)
        if (ratio[i].low > EVEN)
            return false; /* wins there already */
    return answer == n || ratio[answer].high > 1 / EVEN;
}

double break_even_credit(const struct break_even_ratio *ratio, int n, int answer)
{
    if (answer < 0 || answer > n)
        return 0;
    if (stands(ratio, n, answer))
        return 1;
    return (answer > 0 && stands(ratio, n, answer - 1)) ||
                   (answer < n && stands(ratio, n, answer + 1))
               ? 0.5
               : 0;
}

bool break_even_flat(const struct break_even_ratio *ratio, int n)
{
    for (int i = 0; i < n; i++)
        if (ratio[i].mid > EVEN || ratio[i].mid < 1 / EVEN)
            return false;
    return true;
}

double break_even_factor(const struct break_even_ratio *ratio, double answer)
{
    return fmax(1, fmax(ratio->low / answer, answer / ratio->high));
}

double break_even_speedup(const struct break_even_ratio *at_said,
                          const struct break_even_ratio *at_here, double answer, double said,
                          double here)
{
    const double factor = fmax(break_even_factor(at_said, answer),
                               break_even_factor(at_here, break_even_convert(answer, said, here)));
    return factor <= BREAK_EVEN_FACTOR                       ? 1
           : factor <= BREAK_EVEN_FACTOR * BREAK_EVEN_FACTOR ? 0.5
                                                             : 0;
}

bool break_even_inverse(const struct break_even_ratio *ratio, double answer)
{
    return break_even_factor(ratio, answer) > BREAK_EVEN_FACTOR &&
           (answer < 1) != (ratio->mid < 1) &&
           break_even_factor(ratio, 1 / answer) <= BREAK_EVEN_FACTOR;
}

/* By what factor the middle half of n positive numbers differs. */
static double spread(const double *x, int n)
{
    return stats_quantile(x, n, 0.75) / stats_quantile(x, n, 0.25);
}

/* Whether the machine changed between n ratios: flat, or the distance of the processors, did. */
static bool machine_changed(const struct break_even_curve *c, int w)
{
    return !(spread(c->flat[w], c->n) <= STEADY && spread(c->ns[w], c->n) <= BREAK_EVEN_FACTOR);
}

bool break_even_at(struct break_even *s, struct break_even_curve *c, double ns)
{
    bool close = true;
    for (int w = 0; w < BREAK_EVEN_WIDTHS; w++) {
        double x[BREAK_EVEN_RATIOS];
        struct break_even_ratio *at = &c->at[w];
        for (int i = 0; i < c->n; i++)
            x[i] = break_even_convert(c->ratio[w][i], c->ns[w][i], ns);
        *at = (struct break_even_ratio){.low = stats_quantile(x, c->n, 0.25),
                                        .mid = stats_median(x, c->n),
                                        .high = stats_quantile(x, c->n, 0.75)};
        if (at->high <= BREAK_EVEN_FACTOR * at->low)
            continue;
        if (DEFENCE(own_scatter) && !machine_changed(c, w))
            at->low = at->high = at->mid;
        else
            close = outcome_set(&s->outcome, VERDICT_NOISY,
                                "at width %d openmp_inner was between %.2f and %.2f times as fast "
                                "as flat: close other programs and grade again",
                                break_even_widths[w], at->low, at->high);
    }
    return close;
}
