#include "common/stats.h"
#include "common/size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/random.h"

#define STATS_STREAM                                                                               \
    0x7374617473ull /* keeps bootstrap draws apart from all other draws of a seed */
#define FEW 64

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Quantile of n sorted values. */
static double sorted_quantile(const double *x, int n, double q)
{
    double place = q * (n - 1);
    int below = (int)floor(place);
    int above = below + 1 < n ? below + 1 : below;
    return x[below] + (place - below) * (x[above] - x[below]);
}

double stats_quantile(const double *x, int n, double q)
{
    HPC_ASSERT(n > 0 && q >= 0.0 && q <= 1.0);
    size_t bytes = (size_t)n * sizeof *x;
    double *sorted = hpc_malloc(bytes);
    memcpy(sorted, x, bytes);
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
    double value = sorted_quantile(sorted, n, q);
    free(sorted);
    return value;
}

double stats_median(const double *x, int n)
{
    return stats_quantile(x, n, 0.5);
}

/* Of n values that it sorts. For so few as the pairs of a timing, thousands of times drawn anew,
 * qsort() takes four times as long as moving each to its place. */
static double sorting_quantile(double *x, int n, double q)
{
    if (n > FEW)
        qsort(x, (size_t)n, sizeof *x, compare);
    for (int i = 1; n <= FEW && i < n; i++) {
        const double moved = x[i];
        int at = i;
        for (; at > 0 && x[at - 1] > moved; at--)
            x[at] = x[at - 1];
        x[at] = moved;
    }
    return sorted_quantile(x, n, q);
}

struct stats_interval stats_bootstrap_quantile(const double *x, const double *y, int n, double q,
                                               double level, int resamples, uint64_t seed)
{
    HPC_ASSERT(n > 0 && resamples > 0 && level > 0.0 && level < 1.0);
    double *values = hpc_malloc((size_t)resamples * sizeof *values);
    double *drawn = hpc_malloc(2 * (size_t)n * sizeof *drawn);
    struct hpc_random r;
    hpc_random_init(&r, seed, STATS_STREAM);
    for (int i = 0; i < resamples; i++) {
        for (int k = 0; k < n; k++) {
            const uint32_t pair = hpc_random_below(&r, (uint32_t)n);
            drawn[k] = x[pair];
            drawn[n + k] = y ? y[pair] : 1;
        }
        values[i] = sorting_quantile(drawn, n, q) / (y ? sorting_quantile(drawn + n, n, q) : 1);
    }
    qsort(values, (size_t)resamples, sizeof *values, compare);
    struct stats_interval interval = {
        .value = stats_quantile(x, n, q) / (y ? stats_quantile(y, n, q) : 1),
        .low = sorted_quantile(values, resamples, (1.0 - level) / 2.0),
        .high = sorted_quantile(values, resamples, (1.0 + level) / 2.0),
    };
    free(drawn);
    free(values);
    return interval;
}

struct stats_interval stats_bootstrap_median(const double *x, int n, double level, int resamples,
                                             uint64_t seed)
{
    return stats_bootstrap_quantile(x, NULL, n, 0.5, level, resamples, seed);
}

void fit_open(struct fit *f, int n)
{
    HPC_ASSERT(n >= 1 && n <= FIT_MAX);
    *f = (struct fit){.n = n};
    f->ata = hpc_calloc((size_t)n * (size_t)n, sizeof *f->ata);
    f->atb = hpc_calloc((size_t)n, sizeof *f->atb);
}

void fit_close(struct fit *f)
{
    free(f->ata);
    free(f->atb);
    *f = (struct fit){0};
}

void fit_add(struct fit *f, const double *row, double b)
{
    for (int i = 0; i < f->n; i++) {
        for (int j = 0; j <= i; j++)
            f->ata[i * f->n + j] += row[i] * row[j];
        f->atb[i] += row[i] * b;
    }
    f->bb += b * b;
    f->rows++;
}

/* The lower half of a (n x n) becomes its factor L. False where a is not positive definite. */
static bool factorise(int n, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            if (i == j && !(sum > 1e-10 * a[i * n + i]))
                return false;
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    return true;
}

bool fit_solve(struct fit *f, double *c, double *left)
{
    const int n = f->n;
    if (f->rows < (size_t)n || !factorise(n, f->ata))
        return false;
    double explained = 0;
    for (int i = 0; i < n; i++) { /* L z = atb; |z|^2 is what is explained of bb */
        double sum = f->atb[i];
        for (int k = 0; k < i; k++)
            sum -= f->ata[i * n + k] * c[k];
        c[i] = sum / f->ata[i * n + i];
        explained += c[i] * c[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = c[i];
        for (int k = i + 1; k < n; k++)
            sum -= f->ata[k * n + i] * c[k];
        c[i] = sum / f->ata[i * n + i];
    }
    *left = f->bb > 0 ? sqrt(fmax(0, f->bb - explained) / f->bb) : 0;
    return isfinite(f->bb); /* by a NaN in b nothing is determined */
}
