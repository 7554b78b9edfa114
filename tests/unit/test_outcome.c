/* Outcomes: what outcome_set keeps, cuts and returns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/outcome.h"

static void test_set(void **state)
{
    (void)state;
    struct outcome o = {0};
    outcome_hint(&o, "try %d threads", 2);
    assert_false(outcome_set(&o, VERDICT_WRONG, "w[%d] is off", 17));
    assert_int_equal(o.verdict, VERDICT_WRONG);
    assert_string_equal(o.reason, "w[17] is off");
    assert_string_equal(o.hint, "try 2 threads");
    assert_true(outcome_set(&o, VERDICT_PASS, "noisy all the same"));
    assert_int_equal(o.verdict, VERDICT_PASS);
}

static void test_old_reason_as_argument(void **state)
{
    (void)state;
    struct outcome o = {0};
    outcome_set(&o, VERDICT_CRASH, "signal 11");
    outcome_set(&o, VERDICT_ENVIRONMENT, "the baseline failed: %s", o.reason);
    assert_string_equal(o.reason, "the baseline failed: signal 11");
    outcome_hint(&o, "one");
    outcome_hint(&o, "%s; two", o.hint);
    assert_string_equal(o.hint, "one; two");
}

static void test_cut(void **state)
{
    (void)state;
    struct outcome o = {0};
    char longer[sizeof o.reason + sizeof o.hint];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    outcome_set(&o, VERDICT_BUILD, "%s", longer);
    outcome_hint(&o, "%s", longer);
    assert_int_equal(strlen(o.reason), sizeof o.reason - 1);
    assert_int_equal(strlen(o.hint), sizeof o.hint - 1);
    assert_int_equal(o.verdict, VERDICT_BUILD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_old_reason_as_argument),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
