/* What a compiler's warning explains of a result that is not right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/op.h"
#include "harness/grade/internal.h"

static const char unset[] = "a.cu:16: 'sum[3]' may be used uninitialized";

/* A sum that nobody sets to 0 goes on by chance: on another machine it is another number. */
static void an_unset_sum(void **state)
{
    static const char kept[] = "case primes: equals y[i] with y[i - 4] in it: a thread's sum goes "
                               "on from one output to its next, and " OP_KEPT,
                      number[] = "case one: call 1: y[0] is 6.57e+28, should be -0.602 within 7e-8",
                      cause[] = "case primes: the mask is flipped: call 1: y[0] is 6, should be 7";
    (void)state;
    assert_ptr_equal(grade_without_cause(kept, unset), kept + strlen("case primes"));
    assert_ptr_equal(grade_without_cause(number, unset), number + strlen("case one"));
    assert_null(grade_without_cause(cause, unset));
    assert_null(grade_without_cause(kept, "a.cu:16: unused variable 'i'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unset_sum),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
