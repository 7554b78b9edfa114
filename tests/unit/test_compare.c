/* Which of two versions is faster: told where the interval is farther from 1 than the noise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/compare/internal.h"

static char faster(double low, double high, double noise)
{
    const struct stats_interval ratio = {(low + high) / 2, low, high};
    return faster_of(&ratio, noise);
}

static void test_faster(void **state)
{
    (void)state;
    assert_int_equal(faster(1.2, 1.3, 0.02), 'B'); /* A takes longer */
    assert_int_equal(faster(0.8, 0.9, 0.02), 'A');
    assert_int_equal(faster(0.97, 1.3, 0), 0);
    assert_int_equal(faster(1.007, 1.019, 0), 0); /* as two copies of one file came out */
    assert_int_equal(faster(0.985, 0.993, 0), 0);
    assert_int_equal(faster(1.03, 1.05, 0.04), 0);
    assert_int_equal(faster(1.05, 1.06, 0.04), 'B');
    assert_int_equal(faster(1 / 1.06, 1 / 1.05, 0.04), 'A');
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faster)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
