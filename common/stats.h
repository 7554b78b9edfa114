/* Statistics of paired timings. */
#ifndef HPC_COMMON_STATS_H
#define HPC_COMMON_STATS_H

#include <stdint.h>

/* Median of n > 0 values; the mean of the two middle ones when n is even. Does not change x. */
double stats_median(const double *x, int n);
/* Quantile q in [0, 1], linear between order statistics (Hyndman and Fan's type 7). */
double stats_quantile(const double *x, int n, double q);
double stats_geometric_mean(const double *x, int n);

struct stats_interval {
    double value, low, high;
};
/* Median of the n ratios with a percentile bootstrap interval of the given level (0.95) over pairs:
 * `resamples` resamples, deterministic for a seed. n == 1 gives low = high = value. */
struct stats_interval stats_bootstrap_median(const double *x, int n, double level, int resamples,
                                             uint64_t seed);
#endif
