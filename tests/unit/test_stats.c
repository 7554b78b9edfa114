/* common/stats.h: series whose answers are known, and the interval's coverage. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "common/random.h"
#include "common/stats.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-12)

static void medians(void **state)
{
    (void)state;
    const double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, one[] = {7};
    NEAR(stats_median(odd, 3), 2);
    NEAR(stats_median(even, 4), 2.5);
    NEAR(stats_median(one, 1), 7);
    NEAR(odd[0], 3); /* the series stays as it was */
    NEAR(odd[1], 1);
}

static void quantiles(void **state)
{
    (void)state;
    /* Type 7 by hand: place q (n - 1) = 0.25 * 4 = 1 -> 20; 0.1 * 4 = 0.4 -> 10 + 0.4 * 10 = 14. */
    const double x[] = {50, 20, 40, 10, 30};
    NEAR(stats_quantile(x, 5, 0.0), 10);
    NEAR(stats_quantile(x, 5, 0.1), 14);
    NEAR(stats_quantile(x, 5, 0.25), 20);
    NEAR(stats_quantile(x, 5, 0.5), 30);
    NEAR(stats_quantile(x, 5, 0.9), 46);
    NEAR(stats_quantile(x, 5, 1.0), 50);
}

static void constant_series(void **state)
{
    (void)state;
    const double x[] = {1.5, 1.5, 1.5, 1.5};
    for (int n = 1; n <= 4; n++) {
        struct stats_interval i = stats_bootstrap_median(x, n, 0.95, 200, 9);
        assert_true(i.low == 1.5 && i.value == 1.5 && i.high == 1.5);
    }
}

static void one_outlier_moves_nothing(void **state)
{
    (void)state;
    double x[15];
    for (int i = 0; i < 15; i++)
        x[i] = 1.0 + 0.001 * i;
    x[3] = 9.49;
    struct stats_interval i = stats_bootstrap_median(x, 15, 0.95, 2000, 1);
    assert_true(i.value < 1.02 && i.low >= 1.0 && i.high < 1.02);
}

/* Two series of 15 pairs, whose common factor is no part of their quotient where it is constant. */
static void quotients_of_quantiles(void **state)
{
    (void)state;
    double x[15], y[15];
    for (int i = 0; i < 15; i++) {
        x[i] = 3 * (1 + 0.01 * i);
        y[i] = 1 + 0.01 * (14 - i);
    }
    struct stats_interval i = stats_bootstrap_quantile(x, y, 15, 0.1, 0.95, 2000, 1);
    NEAR(i.value, 3);
    assert_true(i.low < 3 && i.low > 2.7 && i.high > 3 && i.high < 3.3);
    i = stats_bootstrap_quantile(x, x, 15, 0.1, 0.95, 200, 1);
    assert_true(i.low == 1 && i.value == 1 && i.high == 1);
    i = stats_bootstrap_quantile(x, NULL, 15, 0.1, 0.95, 2000, 1);
    NEAR(i.value, 3 * 1.014);
    assert_true(i.low >= 3 && i.high < 3.3);
}

static void same_seed_same_interval(void **state)
{
    (void)state;
    double x[9];
    struct hpc_random r;
    hpc_random_init(&r, 4, 4);
    for (int i = 0; i < 9; i++)
        x[i] = hpc_random_normal(&r);
    struct stats_interval a = stats_bootstrap_median(x, 9, 0.95, 20, 11);
    struct stats_interval b = stats_bootstrap_median(x, 9, 0.95, 20, 11);
    assert_true(a.low == b.low && a.high == b.high);
    assert_true(a.low <= a.value && a.value <= a.high && a.low < a.high);
    int others = 0; /* another seed draws other resamples: some of ten intervals differ */
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct stats_interval c = stats_bootstrap_median(x, 9, 0.95, 20, seed);
        others += c.low != a.low || c.high != a.high;
    }
    assert_true(others > 0);
}

/* Ratios as a grading sees them: log-normal around a truth, 15 pairs. */
static void coverage(void **state)
{
    (void)state;
    const double truth = 1.3;
    int covered = 0, series = 500;
    struct hpc_random r;
    hpc_random_init(&r, 2024, 0);
    for (int s = 0; s < series; s++) {
        double x[15];
        for (int i = 0; i < 15; i++)
            x[i] = truth * exp(0.03 * hpc_random_normal(&r));
        struct stats_interval i = stats_bootstrap_median(x, 15, 0.95, 1000, (uint64_t)s);
        covered += i.low <= truth && truth <= i.high;
    }
    assert_in_range(covered, 450, 490); /* 90% to 98% */
}

/* More than are sorted one by one: the median of many is known better than one of them. */
static void many_values(void **state)
{
    (void)state;
    double x[200];
    struct hpc_random r;
    hpc_random_init(&r, 2024, 0);
    for (int i = 0; i < 200; i++)
        x[i] = exp(0.03 * hpc_random_normal(&r));
    struct stats_interval i = stats_bootstrap_median(x, 200, 0.95, 1000, 1);
    assert_true(i.low < i.value && i.value < i.high && i.high - i.low < 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians),
        cmocka_unit_test(quantiles),
        cmocka_unit_test(constant_series),
        cmocka_unit_test(one_outlier_moves_nothing),
        cmocka_unit_test(quotients_of_quantiles),
        cmocka_unit_test(same_seed_same_interval),
        cmocka_unit_test(coverage),
        cmocka_unit_test(many_values),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
