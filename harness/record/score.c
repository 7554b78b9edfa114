#include "harness/record/score.h"

#include <math.h>
#include <stdio.h>

#include "common/error.h"

#define KINDNESS 1.05

double score_credit(const struct stats_interval *ratio)
{
    return ratio->high <= KINDNESS * ratio->value ? ratio->high : ratio->value;
}

double score_fraction(double ratio, double target)
{
    HPC_ASSERT(target >= LAB_LEAST_TARGET);
    if (!(ratio > 0.0)) /* NaN too */
        return 0.0;
    return fmin(fmax(log(ratio) / log(target), 0.0), 1.0);
}

double score_points(double points, double share)
{
    return floor(points * share * 100 + 1e-6) / 100;
}

double score_target(double reference_ratio)
{
    return fmax(LAB_LEAST_TARGET, SCORE_REFERENCE_SHARE * reference_ratio); /* NaN: the least */
}

double score_shown_target(double target)
{
    return ceil(target * 100 - 1e-9) / 100;
}

double score_shown_ratio(double ratio, double target)
{
    const double near = round(ratio * 100) / 100, full = score_shown_target(target);
    return ratio < target ? fmin(near, full - 0.01) : fmax(near, full);
}

double score_share_fraction(double share, double target)
{
    HPC_ASSERT(target > 0);
    return score_fraction(2 * share / target, 2);
}

void score_share_explain(double target, char *text, int size)
{
    double half = round(target / sqrt(2) * 100) / 100, none = ceil(target / 2 * 100 - 1e-9) / 100;
    none = score_share_fraction(none, target) > 0.005 ? none - 0.01 : none;
    snprintf(text, (size_t)size,
             "100%% at %.0f%% of the copy's speed or more, %.0f%% at %.0f%%, 0%% at %.0f%%",
             100 * score_shown_target(target), 100 * score_share_fraction(half, target), 100 * half,
             100 * none);
}

void score_explain(double target, char *text, int size)
{
    /* Of ratios with two digits, so that each printed share is the share of the printed ratio. */
    double full = score_shown_target(target);
    double half = round(sqrt(target) * 100.0) / 100.0; /* ln(sqrt(t)) / ln(t) = 1/2 */
    snprintf(text, (size_t)size, "%.0f%% at %.2fx or faster, %.0f%% at %.2fx, %.0f%% at %.2fx",
             100.0 * score_fraction(full, target), full, 100.0 * score_fraction(half, target), half,
             100.0 * score_fraction(1.0, target), 1.0);
}
