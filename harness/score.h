/* From a ratio to points: the one curve, and the code that prints it. */
#ifndef HPC_HARNESS_SCORE_H
#define HPC_HARNESS_SCORE_H

#define SCORE_LEAST_TARGET    1.15
#define SCORE_REFERENCE_SHARE 0.85

/* clamp(ln(ratio) / ln(target), 0, 1). target >= SCORE_LEAST_TARGET. NaN or ratio <= 0 gives 0. */
double score_fraction(double ratio, double target);
/* The full-marks ratio from the reference's recorded one: max(1.15, 0.85 * reference). */
double score_target(double reference_ratio);
/* "100% at 1.62x or faster, 50% at 1.27x, 0% at 1.00x" */
void score_explain(double target, char *text, int size);

#endif
