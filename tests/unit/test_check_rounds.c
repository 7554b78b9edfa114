/* device/check: lanes of a warp that part in loops (check_path). */
#include "tests/unit/check_worker.h"

/* A loop of 4 rounds: lane t leaves the access out before round t % 4. And lane 3 waits for the
 * others in round 1 (as at a shuffle), which does not change where it is. */
static void lanes_in_rounds(void **state)
{
    (void)state;
    char *x = test_allocation(4096, true);
    test_begin("in rounds", 1, 32);
    test_block(0);
    for (unsigned t = 0; t < 32; t++) {
        test_thread(t);
        for (unsigned k = 0; k < 4; k++) {
            check_set_path(100 + k);
            if (t == 3 && k == 1) {
                test_thread(2);
                test_thread(3);
                assert_int_equal(check_path(), 101);
            }
            if (k >= t % 4)
                load(x + 4 * t + 128 * k);
        }
        check_set_path(0);
        load_other(x + 4 * t);
    }
    test_end_clean();
    expect("in rounds", GLOBAL_LOAD, 4 + 1, 5 * 4);
    /* The same without rounds: lane t's first is put together with lane 0's first. */
    test_begin("without rounds", 1, 32);
    test_block(0);
    for (unsigned t = 0; t < 32; t++) {
        test_thread(t);
        for (unsigned k = t % 4; k < 4; k++)
            load(x + 32 * k);
    }
    test_end_clean();
    expect("without rounds", GLOBAL_LOAD, 4, 4 + 3 + 2 + 1);
}

/* A kernel that dies in a loop leaves nothing to the next one. */
static void rounds_end_with_the_launch(void **state)
{
    (void)state;
    char *x = test_allocation(4096, true);
    for (unsigned k = 0; k < 2; k++) {
        test_begin("dies", 1, 32);
        test_block(0);
        for (unsigned t = 0; t < 32; t++) {
            test_thread(t);
            load(x + 4 * t);
            if (t % 2)
                check_set_path(7);
        }
        test_end_clean();
    }
    expect("dies", GLOBAL_LOAD, 2, 8);
}

/* More keys than the table has room for at first. */
static void many_rounds(void **state)
{
    (void)state;
    char *x = test_allocation(1 << 16, true);
    enum { ROUNDS = 5000 };
    test_begin("many rounds", 1, 32);
    test_block(0);
    for (unsigned t = 0; t < 32; t++) {
        test_thread(t);
        for (unsigned k = 0; k < ROUNDS; k++) {
            check_set_path(UINT64_C(0x9E3779B97F4A7C15) * (k + 1));
            if (k % 32 <= t)
                load(x + 4 * (t + k % 100 * 8));
        }
        check_set_path(0);
    }
    test_end_clean();
    unsigned sectors_of_all = 0;
    for (unsigned k = 0; k < ROUNDS; k++)
        sectors_of_all += 4 - k % 32 / 8;
    expect("many rounds", GLOBAL_LOAD, ROUNDS, sectors_of_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_in_rounds),
        cmocka_unit_test(rounds_end_with_the_launch),
        cmocka_unit_test(many_rounds),
    };
    return cmocka_run_group_tests(tests, test_setup, NULL);
}
