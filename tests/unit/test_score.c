/* harness/record/score.h: the curve's properties. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "common/random.h"
#include "harness/record/score.h"

/* Log-uniform in [low, high). */
static double draw(struct hpc_random *r, double low, double high)
{
    return low * exp(hpc_random_double(r) * log(high / low));
}

static void known_values(void **state)
{
    (void)state;
    assert_true(score_fraction(1.0, 2.0) == 0.0);
    assert_true(score_fraction(2.0, 2.0) == 1.0);
    assert_true(fabs(score_fraction(sqrt(2.0), 2.0) - 0.5) < 1e-12);
    assert_true(fabs(score_fraction(4.0, 16.0) - 0.5) < 1e-12);
    assert_true(score_fraction(0.5, 2.0) == 0.0);
    assert_true(score_fraction(100.0, 2.0) == 1.0);
    assert_true(score_fraction(NAN, 2.0) == 0.0);
    assert_true(score_fraction(-1.0, 2.0) == 0.0);
    assert_true(score_fraction(0.0, 2.0) == 0.0);
    assert_true(score_fraction(INFINITY, 2.0) == 1.0);
}

static void targets(void **state)
{
    (void)state;
    assert_true(fabs(score_target(2.0) - 1.7) < 1e-12);
    assert_true(score_target(1.0) == LAB_LEAST_TARGET);
    assert_true(score_target(0.0) == LAB_LEAST_TARGET);
    assert_true(score_target(NAN) == LAB_LEAST_TARGET);
}

static void shares_of_a_copy(void **state)
{
    char text[200];
    (void)state;
    assert_true(score_share_fraction(0.85, 0.85) == 1 && score_share_fraction(1, 0.85) == 1);
    assert_true(score_share_fraction(0.425, 0.85) == 0 && score_share_fraction(0.1, 0.85) == 0);
    assert_true(fabs(score_share_fraction(0.85 / sqrt(2), 0.85) - 0.5) < 1e-12);
    assert_true(score_share_fraction(NAN, 0.85) == 0);
    for (double last = 0, share = 0.3; share < 1; share += 0.001) {
        double now = score_share_fraction(share, 0.85);
        assert_true(now >= last);
        last = now;
    }
    score_share_explain(0.85, text, sizeof text);
    assert_string_equal(text, "100% at 85% of the copy's speed or more, 50% at 60%, 0% at 42%");
}

static void faster_never_scores_less(void **state)
{
    (void)state;
    struct hpc_random r;
    hpc_random_init(&r, 1, 0);
    int between = 0;
    for (int i = 0; i < 100000; i++) {
        double target = draw(&r, LAB_LEAST_TARGET, 1000.0);
        double slow = draw(&r, 0.01, 2000.0), fast = draw(&r, slow, 4000.0);
        double low = score_fraction(slow, target), high = score_fraction(fast, target);
        assert_true(low <= high);
        assert_true(low >= 0.0 && high <= 1.0);
        between += low > 0.0 && high < 1.0;
    }
    assert_true(between > 1000); /* the curve itself was met, not only its ends */
}

static void a_higher_target_never_scores_more(void **state)
{
    (void)state;
    struct hpc_random r;
    hpc_random_init(&r, 2, 0);
    for (int i = 0; i < 10000; i++) {
        double target = draw(&r, LAB_LEAST_TARGET, 100.0), ratio = draw(&r, 0.5, 200.0);
        assert_true(score_fraction(ratio, target * 1.1) <= score_fraction(ratio, target));
    }
}

static void continuous(void **state)
{
    (void)state;
    for (double target = LAB_LEAST_TARGET; target < 100.0; target *= 1.7) {
        double before = score_fraction(0.9, target);
        for (double ratio = 0.9; ratio < 1.1 * target; ratio *= 1.0001) {
            double here = score_fraction(ratio, target);
            assert_true(here - before <= 1.01e-4 / log(LAB_LEAST_TARGET));
            before = here;
        }
        assert_true(before == 1.0);
    }
}

static void explains_what_it_applies(void **state)
{
    (void)state;
    struct hpc_random r;
    hpc_random_init(&r, 3, 0);
    for (int i = 0; i < 2000; i++) {
        double target = i ? draw(&r, LAB_LEAST_TARGET, 100.0) : LAB_LEAST_TARGET;
        double share[3], ratio[3];
        char text[120];
        score_explain(target, text, sizeof text);
        assert_int_equal(sscanf(text, "%lf%% at %lfx or faster, %lf%% at %lfx, %lf%% at %lfx",
                                &share[0], &ratio[0], &share[1], &ratio[1], &share[2], &ratio[2]),
                         6);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(100.0 * score_fraction(ratio[k], target) - share[k]) <= 0.5 + 1e-9);
        assert_true(share[0] == 100.0 && share[2] == 0.0);
        assert_true(share[1] > 40.0 && share[1] < 60.0);
        assert_true(ratio[0] - target < 0.01 + 1e-9);
    }
}

/* As a screen has them: "1.85x of 1.86x". */
static void reads_like_the_target_where_it_is_reached(void **state)
{
    struct hpc_random r;
    int below = 0, reached = 0;
    (void)state;
    hpc_random_init(&r, 4, 0);
    for (int i = 0; i < 20000; i++) {
        const double target = i % 100 ? draw(&r, LAB_LEAST_TARGET, 20) : 0.85 + i % 7 / 10.0,
                     ratio = target * draw(&r, 0.99, 1.01),
                     shown = score_shown_ratio(ratio, target), full = score_shown_target(target);
        assert_true(fabs(shown - ratio) < 0.01 + 1e-9 && full >= target - 1e-9);
        assert_true(ratio < target ? shown < full - 0.009 : shown > full - 1e-9);
        below += ratio < target;
        reached += ratio >= target;
    }
    assert_true(below > 1000 && reached > 1000);
}

/* Whole hundredths: none is lost where it reads as what was earned, and none is given. */
static void points_are_whole_hundredths(void **state)
{
    (void)state;
    assert_true(score_points(100, 1) == 100);
    assert_true(score_points(20, 0.35) == 7); /* 6.999999999999999 */
    for (int i = 1; i < 1000; i++) {
        const double exact = 35 * (i / 1000.0 + 1e-5), points = score_points(35, exact / 35);
        const double cents = points * 100;
        assert_true(points <= exact && exact - points < 0.01);
        assert_true(fabs(cents - round(cents)) < 1e-9);
    }
    assert_true(score_points(100, 0.99997) < 100); /* no history that rounds makes it full */
}

static void a_wide_interval_counts_its_middle(void **state)
{
    (void)state;
    assert_true(score_credit(&(struct stats_interval){1.5, 1.45, 1.55}) == 1.55);
    assert_true(score_credit(&(struct stats_interval){1.0, 0.99, 9.64}) == 1.0);
    assert_true(score_credit(&(struct stats_interval){2.0, 2.0, 2.0}) == 2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_whole_hundredths),
        cmocka_unit_test(a_wide_interval_counts_its_middle),
        cmocka_unit_test(known_values),
        cmocka_unit_test(targets),
        cmocka_unit_test(shares_of_a_copy),
        cmocka_unit_test(faster_never_scores_less),
        cmocka_unit_test(a_higher_target_never_scores_more),
        cmocka_unit_test(continuous),
        cmocka_unit_test(explains_what_it_applies),
        cmocka_unit_test(reads_like_the_target_where_it_is_reached),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("score", tests, NULL, NULL);
}
