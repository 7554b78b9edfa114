/* How far an honest result may lie from the exact one; check.c derives it. */
#include <math.h>

#include "conv2d/op/op.h"

static const double u = 0x1p-24, u_tf32 = 0x1p-9, u_half = 0x1p-11;

static double longest(const struct convpool_problem *p)
{
    const double more = p->pool - 1;
    return p->conv.c * (p->conv.r + more) * (p->conv.s + more) + p->pool * p->pool + 2;
}

double conv_bound(const struct convpool_problem *p, double y, double absolute)
{
    const double m = longest(p), gamma = m * u / (1 - m * u);
    double bound = gamma * absolute + u * fabs(y);
    if (p->conv.type == CONV_TF32)
        bound += u_tf32 * absolute;
    if (p->conv.type == CONV_F16)
        bound += u_half * (fabs(y) + (p->pool > 1 ? absolute : 0)) + CONV_HALF_LEAST;
    return bound;
}

double conv_unit(const struct convpool_problem *p, double squares)
{
    const double type = p->conv.type == CONV_F32 ? u * sqrt(longest(p)) : u_half;
    return type * sqrt(squares);
}

bool conv_near(const struct convpool_problem *p, double got, double y, double absolute)
{
    return fabs(got - y) <= 4 * conv_bound(p, y, absolute) + 1e-30;
}

bool conv_equals(const struct convpool_problem *p, const double *got, const double *x,
                 const double *w, double factor)
{
    struct conv_sums other = conv_oracle_plain(p, x, w);
    bool same = true;
    for (size_t i = 0; same && i < other.count; i++)
        same = conv_near(p, got[i] / factor, other.y[i], other.absolute[i]);
    conv_sums_free(&other);
    return same;
}
