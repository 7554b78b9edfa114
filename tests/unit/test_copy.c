/* harness/machine/copy.h: bytes a second of threads that copy, by each one's own clock. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "harness/machine/copy.h"

static void a_late_start_costs_nothing(void **state)
{
    (void)state;
    const struct copy_span together[] = {{1, 2}, {1, 2}}, late[] = {{1, 2}, {1.15, 2.15}};
    assert_float_equal(copy_turn_rate(together, 2, 100), 200, 1e-9);
    assert_float_equal(copy_turn_rate(late, 2, 100), 200, 1e-9);
}

static void one_after_the_other_is_not_added(void **state)
{
    (void)state;
    const struct copy_span apart[] = {{1, 2}, {2, 3}}, half[] = {{1, 2}, {1.5, 2.5}};
    assert_float_equal(copy_turn_rate(apart, 2, 100), 100, 1e-9);
    assert_float_equal(copy_turn_rate(half, 2, 100), 200 / 1.5, 1e-9);
}

static void a_slow_thread_has_its_own_share(void **state)
{
    (void)state;
    const struct copy_span spans[] = {{0, 1}, {0, 1.25}, {0, 1}};
    assert_float_equal(copy_turn_rate(spans, 3, 100), 280, 1e-9);
    assert_float_equal(copy_turn_rate(spans, 1, 100), 100, 1e-9);
}

static void this_machine_copies(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        const double rate = copy_rate(threads, true);
        assert_true(rate > 1e7);  /* slower than any disk */
        assert_true(rate < 1e13); /* above any memory there is */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_start_costs_nothing),
        cmocka_unit_test(one_after_the_other_is_not_added),
        cmocka_unit_test(a_slow_thread_has_its_own_share),
        cmocka_unit_test(this_machine_copies),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
