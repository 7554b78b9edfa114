/* From a ratio to points: the one curve, and the code that prints it. */
#ifndef HPC_HARNESS_RECORD_SCORE_H
#define HPC_HARNESS_RECORD_SCORE_H

#include "common/stats.h"
#include "harness/lab/lab.h" /* LAB_LEAST_TARGET */

#define SCORE_REFERENCE_SHARE 0.85

/* clamp(ln(ratio) / ln(target), 0, 1). target >= LAB_LEAST_TARGET. NaN or ratio <= 0 gives 0. */
double score_fraction(double ratio, double target);
/* What a measured ratio counts as: its interval's kinder end where that is at most 5% above its
 * value; a wide interval counts its value, so that a scatter of one's own making earns nothing.
 */
double score_credit(const struct stats_interval *ratio);
/* That share of so many points, in whole hundredths and never more than it: a screen, a record and
 * a history then say and add up the same. 0 <= share <= 1. */
double score_points(double points, double share);
/* The full-marks ratio from the reference's recorded one: max(1.15, 0.85 * reference). */
double score_target(double reference_ratio);
/* Both in hundredths, as every screen and page prints them: a target is rounded up, and a ratio to
 * the nearest that is on its own side of it, so that none below the target reads like it. */
double score_shown_target(double target);
double score_shown_ratio(double ratio, double target);
/* Of a speed that is measured as a share of a copy's: the same curve, with 0 at half the target
 * share. share and target > 0. */
double score_share_fraction(double share, double target);
/* "100% at 85% of the copy's speed or more, 50% at 60%, 0% at 43%" */
void score_share_explain(double target, char *text, int size);
/* "100% at 1.62x or faster, 50% at 1.27x, 0% at 1.00x" */
void score_explain(double target, char *text, int size);

#endif
