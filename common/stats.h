/* Statistics of paired timings, and least squares. */
#ifndef HPC_COMMON_STATS_H
#define HPC_COMMON_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Median of n > 0 values; the mean of the two middle ones when n is even. Does not change x. */
double stats_median(const double *x, int n);
/* Quantile q in [0, 1], linear between order statistics (Hyndman and Fan's type 7). */
double stats_quantile(const double *x, int n, double q);

struct stats_interval {
    double value, low, high;
};
/* Median of the n ratios with a percentile bootstrap interval of the given level (0.95) over pairs:
 * `resamples` resamples, deterministic for a seed. n == 1 gives low = high = value. */
struct stats_interval stats_bootstrap_median(const double *x, int n, double level, int resamples,
                                             uint64_t seed);
/* The quantile q of x over that of y, or of x alone where y is NULL, whose n elements are pairs:
 * the same interval. */
struct stats_interval stats_bootstrap_quantile(const double *x, const double *y, int n, double q,
                                               double level, int resamples, uint64_t seed);
/* Least squares: which numbers c make sum_j a[i][j] c[j] come nearest to b[i], for all i? */
#define FIT_MAX 128

struct fit {
    int n;       /* unknowns, 1 .. FIT_MAX */
    double *ata; /* n x n, the lower half */
    double *atb; /* n */
    double bb;   /* the sum of b^2 */
    size_t rows;
};

/* Room for n unknowns; fit_close frees it. */
void fit_open(struct fit *f, int n);
void fit_add(struct fit *f, const double *row, double b);
/* c[n]. False where the rows do not determine it. *left: the share of b, in the Euclidean norm,
 * that c does not explain; rounding leaves some 1e-7 where it explains all. By the normal equations
 * (Cholesky): for rows of random numbers, which are far from dependent. */
bool fit_solve(struct fit *f, double *c, double *left);
void fit_close(struct fit *f);

#endif
