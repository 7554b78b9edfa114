/* Outputs that are right but for elements of x at its ends, which do not count in them. */
#include <math.h>
#include <stdio.h>

#include "common/text.h"
#include "conv1d/op/op.h"

/* Output i of x[from .. end) alone, and the size of its products. */
static double output_of(const struct conv1d_problem *p, const void *const in[], int64_t i,
                        int64_t from, int64_t end, double *size)
{
    const float *x = in[CONV1D_X], *w = in[CONV1D_W];
    double sum = 0;
    *size = 0;
    for (int64_t j = -p->radius; j <= p->radius; j++)
        if (i + j >= 0 && i + j < (int64_t)p->n) {
            const double term = (double)w[j + p->radius] * (double)x[i + j];
            sum += i + j >= from && i + j < end ? term : 0;
            *size += fabs(term);
        }
    return sum;
}

/* How many are left out at each end, by where the wrong outputs end in each half: an element is
 * missed by those that it is within the radius of. */
static void left_out(const struct conv1d_problem *p, const struct conv1d_wrong *wrong,
                     int64_t *begin, int64_t *end)
{
    const int64_t n = (int64_t)p->n;
    *begin = 0;
    *end = n;
    for (int i = 0; i < wrong->listed; i++) {
        const int64_t at = wrong->index[i];
        if (at < n / 2 && at - p->radius + 1 > *begin)
            *begin = at - p->radius + 1;
        if (at >= n / 2 && at + p->radius < *end)
            *end = at + p->radius;
    }
}

bool conv1d_inputs_hint(const struct conv1d_problem *p, const void *const in[], const float *got,
                        const struct conv1d_wrong *wrong, char *hint, size_t size)
{
    const int64_t n = (int64_t)p->n;
    int64_t begin, end;
    left_out(p, wrong, &begin, &end);
    if (wrong->wrong != (uint64_t)wrong->listed || n <= 4 * p->radius || (begin == 0 && end == n))
        return false;
    for (int i = 0; i < wrong->listed; i++) {
        double all;
        const int64_t at = wrong->index[i];
        const double want = output_of(p, in, at, begin, end, &all);
        if (!(fabs((double)got[at] - want) <= 1e-5 * all))
            return false;
    }
    snprintf(hint, size, "equals the sums without ");
    if (begin > 0)
        text_fit(hint, size, "%sthe first %lld elements of x%s", hint, (long long)begin,
                 begin == p->radius ? ", as many as mask/2" : "");
    if (end < n)
        text_fit(hint, size, "%s%sthe last %lld elements of x%s", hint, begin > 0 ? " and " : "",
                 (long long)(n - end), n - end == p->radius ? ", as many as mask/2" : "");
    text_fit(hint, size, "%s: x[i + j] counts where 0 <= i + j < n", hint);
    return true;
}
