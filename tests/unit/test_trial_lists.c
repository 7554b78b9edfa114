/* Lists of sizes, made simpler without another order among them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/trial/simpler.h"

static void rounded_up(void **state)
{
    (void)state;
    static const struct {
        const char *list, *up;
        long m;
    } rows[] = {
        {"7,13,3", "8,16,4", 4}, {"7,13,3", "16,24,8", 8},
        {"3,2,1", "6,4,2", 2},   {"5,5,2", "16,16,8", 8},
        {"3", "4", 4},
    };
    char text[80];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(list_round_up(rows[i].list, rows[i].m, text, sizeof text));
        assert_string_equal(text, rows[i].up);
    }
    assert_false(list_round_up("8,16", 8, text, sizeof text)); /* nothing changes */
    assert_false(list_round_up("8,0", 4, text, sizeof text));
    assert_false(list_round_up("7,13,3", 8, text, 5)); /* no room */
}

static void without_one(void **state)
{
    (void)state;
    char text[80];
    assert_true(list_without("5,7,6,2", 1, text, sizeof text));
    assert_string_equal(text, "5,6,2");
    assert_false(list_without("5,7", 1, text, sizeof text));
}

static void as_many_of_one(void **state)
{
    (void)state;
    char text[80];
    list_of_same("tanh,softmax,tanh", "relu", text, sizeof text);
    assert_string_equal(text, "relu,relu,relu");
    list_of_same("tanh", "relu", text, sizeof text);
    assert_string_equal(text, "relu");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rounded_up), cmocka_unit_test(without_one),
                                       cmocka_unit_test(as_many_of_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
