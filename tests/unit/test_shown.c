/* Speeds, points and bounds in words: what reads like all that was asked for is that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/record/record.h"

static void reads_full_where_it_is(void **state)
{
    char text[80];
    struct task_speed s = {.target = 1.8525, .ratio = {1.8524, 1.8501, 1.8526}};
    struct task_speed copy = {.of_copy = true, .target = 0.85, .ratio = {0.8499, 0.83, 0.86}};
    struct traffic_mark m = {.measured = 0.1600004,
                             .bound = {.quantity = "loads_per_output", .bound = 0.16}};
    (void)state;
    record_speed(&s, text, sizeof text);
    assert_string_equal(text, "1.85x of 1.86x");
    record_ratio(&s, text, sizeof text);
    assert_string_equal(text, "1.85x [1.85, 1.86]");
    record_speed(&copy, text, sizeof text);
    assert_string_equal(text, "84% of 85% of a copy");
    record_points(99.96, 100, 0, text, sizeof text);
    assert_string_equal(text, "99.9 of 100");
    record_points(100, 100, 0, text, sizeof text);
    assert_string_equal(text, "100.0 of 100");
    record_points(12.46, 12.5, 0, text, sizeof text);
    assert_string_equal(text, "12.4 of 12.5");
    record_mark(&m, text, sizeof text);
    assert_string_equal(text, "loads_per_output: 0.1600004, at most 0.16 asked for");
    m.measured = 0.1599996;
    m.met = true;
    record_mark(&m, text, sizeof text);
    assert_string_equal(text, "loads_per_output: 0.16, at most 0.16 asked for");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_full_where_it_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
