/* What lab3's prediction is marked by: conversion between distances, credit, and the distance of
 * processors itself. */
#define _GNU_SOURCE
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "labs/lab3/marker/break_even_model.h"
#include "harness/machine/distance.h"
#include "harness/machine/pin.h"

static void near(double a, double b)
{
    if (fabs(a - b) > 1e-12)
        fail_msg("%.15g is not %.15g", a, b);
}

static void test_convert(void **state)
{
    (void)state;
    near(break_even_convert(1, 100, 100), 1);
    near(break_even_convert(1, 100, 400), 0.4);    /* half work, half waiting: 0.5 + 0.5 * 4 */
    near(break_even_convert(0.4, 400, 100), 1);    /* and back */
    near(break_even_convert(2, 100, 1000), 2);     /* nothing to wait for */
    near(break_even_convert(2.5, 100, 1000), 2.5); /* more than two threads' worth: not waiting */
    assert_true(break_even_convert(1e-6, 1000, 1) < 2);
    /* A ratio stays in order: the slower solution stays the slower one, the farther is slower. */
    for (double r = 0.05; r < 1.95; r += 0.05) {
        assert_true(break_even_convert(r, 130, 540) < break_even_convert(r + 0.05, 130, 540));
        assert_true(break_even_convert(r, 130, 540) < r);
        assert_true(break_even_convert(r, 540, 130) > r);
    }
}

static void test_credit(void **state)
{
    (void)state;
    /* Loses at 16, even at 64, wins at 256, unclear at 1024. */
    static const struct break_even_ratio clear[4] = {
        {0.3, 0.3, 0.4}, {0.99, 1.03, 1.05}, {1.3, 1.4, 1.4}, {0.8, 1.0, 1.2}};
    static const double of_clear[5] = {0.5, 1, 1, 0.5, 0};
    static const struct break_even_ratio loses[4] = {
        {0.1, 0.1, 0.1}, {0.3, 0.3, 0.3}, {0.5, 0.5, 0.5}, {0.6, 0.7, 0.8}};
    static const double of_loses[5] = {0, 0, 0, 0.5, 1};
    static const struct break_even_ratio wins[4] = {
        {1.2, 1.2, 1.3}, {1.5, 1.5, 1.5}, {1.8, 1.8, 1.8}, {1.6, 1.7, 1.8}};
    static const double of_wins[5] = {1, 0.5, 0, 0, 0};
    for (int answer = 0; answer <= 4; answer++) {
        near(break_even_credit(clear, 4, answer), of_clear[answer]);
        near(break_even_credit(loses, 4, answer), of_loses[answer]);
        near(break_even_credit(wins, 4, answer), of_wins[answer]);
    }
    near(break_even_credit(wins, 4, -1), 0);
    near(break_even_credit(wins, 4, 5), 0);
}

static void test_factor(void **state)
{
    (void)state;
    static const struct break_even_ratio r = {0.5, 0.7, 1.0};
    near(break_even_factor(&r, 0.5), 1);
    near(break_even_factor(&r, 0.8), 1);
    near(break_even_factor(&r, 0.25), 2);
    near(break_even_factor(&r, 3), 3);
}

/* What a number by lot brings is taken off as BREAK_EVEN_CHANCE. */
static void test_by_lot(void **state)
{
    (void)state;
    static const double ratios[] = {0.15, 0.36, 0.6, 0.9, 1.35};
    double credit = 0;
    int n = 0;
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        const struct break_even_ratio r = {ratios[i], ratios[i], ratios[i]};
        for (double answer = 1.0 / 20; answer < 2; answer *= 1.01, n++)
            credit += break_even_speedup(&r, &r, answer, 100, 100);
    }
    if (fabs(credit / n - BREAK_EVEN_CHANCE) > 0.06)
        fail_msg("%g", credit / n);
}

/* Who says another distance than that of this machine predicts no less by it. */
static void test_distance_said(void **state)
{
    (void)state;
    const double here = 130;
    struct {
        double ratio, said, answer, credit;
    } const rows[] = {
        {0.4, here, 0.4, 1},  {0.4, here, 0.15, 0.5}, {0.4, here, 0.05, 0},  {0.4, 45, 0.8, 1},
        {0.4, 500, 0.12, 1}, /* as it is there */
        {0.15, 20, 1.3, 0.5}, {0.15, 20, 1.5, 0},     {0.15, 20, 1.9, 0},    {0.15, 20, 2, 0},
        {1.8, 2000, 0.4, 1},  {1.8, 2000, 0.1, 0},    {0.15, 2000, 0.01, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double r = rows[i].ratio, there = break_even_convert(r, here, rows[i].said);
        const struct break_even_ratio at_here = {r, r, r}, at_said = {there, there, there};
        const double credit =
            break_even_speedup(&at_said, &at_here, rows[i].answer, rows[i].said, here);
        if (credit != rows[i].credit)
            fail_msg("%g for %g ns, where %g is right at %g ns: %g, expected %g", rows[i].answer,
                     rows[i].said, r, here, credit, rows[i].credit);
    }
}

static void test_inverse(void **state)
{
    (void)state;
    static const struct break_even_ratio slow = {0.2, 0.25, 0.3}, even = {0.6, 0.7, 0.9};
    assert_true(break_even_inverse(&slow, 4));
    assert_true(break_even_inverse(&slow, 8));
    assert_false(break_even_inverse(&slow, 0.25));
    assert_false(break_even_inverse(&slow, 25));  /* a percentage */
    assert_false(break_even_inverse(&even, 1.5)); /* half of the marks, at least */
}

static void test_flat(void **state)
{
    (void)state;
    struct break_even_ratio r[4] = {{0.9, 1.0, 1.1}, {0.9, 0.95, 1}, {1, 1.05, 1.1}, {1, 1, 1}};
    assert_true(break_even_flat(r, 4)); /* nobody's threads do anything */
    r[0].mid = 0.6;                     /* barriers cost something where layers are narrow */
    assert_false(break_even_flat(r, 4));
    r[0].mid = 1;
    r[3].mid = 1.4; /* and win something where they are wide */
    assert_false(break_even_flat(r, 4));
}

/* A curve of ratios that differ by `own`, where flat's times do by `flat` and distances by `ns`. */
static struct break_even_curve scattered(double own, double flat, double ns)
{
    struct break_even_curve c = {.n = BREAK_EVEN_RATIOS};
    for (int w = 0; w < BREAK_EVEN_WIDTHS; w++)
        for (int i = 0; i < c.n; i++) {
            c.ratio[w][i] = 2 * (i % 2 ? own : 1); /* 2: no waiting, no conversion */
            c.flat[w][i] = 0.01 * (i % 2 ? flat : 1);
            c.ns[w][i] = 100 * (i % 2 ? ns : 1);
        }
    return c;
}

/* Who sleeps in half of the calls makes no points wait; a machine that changes does. */
static void test_scatter(void **state)
{
    (void)state;
    struct break_even s = {0};
    struct break_even_curve c = scattered(3, 1.05, 1.1);
    assert_true(break_even_at(&s, &c, 100));
    near(c.at[0].mid, 2);
    near(c.at[0].low, 2);
    near(c.at[0].high, 2);
    c = scattered(1.5, 1.05, 1.1); /* within what full marks allow: all of it counts */
    assert_true(break_even_at(&s, &c, 100));
    near(c.at[0].high, 3);
    c = scattered(3, 1.5, 1.1);
    assert_false(break_even_at(&s, &c, 100));
    assert_int_equal(s.outcome.verdict, VERDICT_NOISY);
    c = scattered(3, 1.05, 4);
    assert_false(break_even_at(&s, &c, 100));
}

static void test_same(void **state)
{
    (void)state;
    assert_true(distance_same(130, 140));
    assert_true(distance_same(140, 130));
    assert_false(distance_same(45, 130));
    assert_false(distance_same(130, 45));
    assert_false(distance_same(0, 0)); /* unknown is like nothing */
}

static void test_distance(void **state)
{
    (void)state;
    cpu_set_t before, after;
    int cpus[CPU_SETSIZE], n = pin_order(cpus, CPU_SETSIZE);
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(n, CPU_COUNT(&before));
    for (int i = 0; i < n; i++) {
        assert_true(CPU_ISSET(cpus[i], &before));
        for (int k = 0; k < i; k++)
            assert_int_not_equal(cpus[i], cpus[k]);
    }
    assert_true(distance_ns(1) == 0);
    assert_true(distance_ns(n + 1) == 0);
    if (n < 2) {
        print_message("one processor: no distance to measure\n");
        return;
    }
    double ns = distance_ns(2);
    if (!(ns > 1 && ns < 1e6))
        fail_msg("%g ns", ns);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after)); /* the caller is where it was */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_convert),       cmocka_unit_test(test_credit),
        cmocka_unit_test(test_factor),        cmocka_unit_test(test_by_lot),
        cmocka_unit_test(test_distance_said), cmocka_unit_test(test_inverse),
        cmocka_unit_test(test_flat),          cmocka_unit_test(test_scatter),
        cmocka_unit_test(test_same),          cmocka_unit_test(test_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
