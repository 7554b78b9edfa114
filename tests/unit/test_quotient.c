#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conv2d/variants/quotient.h"

static void check_by(int by)
{
    const struct quotient q = quotient_by(by);
    const int most = INT32_MAX / by * by;
    const int some[] = {0, 1, by - 1, by, INT32_MAX - 1, INT32_MAX, most - 1, most};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        assert_int_equal(quotient_of(some[i], q), some[i] / by);
    for (int i = 1; i < 40; i++) /* either side of multiples, all over the range */
        for (int off = -1; off <= 0; off++) {
            const int x = (int)((int64_t)INT32_MAX * i / 40) / by * by + off;
            assert_int_equal(quotient_of(x < 0 ? 0 : x, q), (x < 0 ? 0 : x) / by);
        }
}

static void all_that_a_launch_divides_by(void **state)
{
    (void)state;
    for (int by = 1; by <= 5000; by++)
        check_by(by);
}

static void powers_and_their_neighbours(void **state)
{
    (void)state;
    for (int bit = 2; bit <= 30; bit++)
        for (int off = -1; off <= (bit < 30); off++)
            check_by((1 << bit) + off);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_a_launch_divides_by),
        cmocka_unit_test(powers_and_their_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
