/* common/params.h: reading values, ranges, and what is said of wrong ones. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "common/params.h"

static struct hpc_params with(const char *word)
{
    struct hpc_params p = {0};
    struct hpc_error err;
    assert_true(hpc_params_set_word(&p, word, "lab.ini:7", &err));
    return p;
}

static void reads_integers(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        int value;
    } good[] = {{"n=0", 0}, {"n=1096", 1096}, {"n=1e6", 1000000}, {"n=-3", -3}, {"n=2E3", 2000}};
    static const char *const bad[] = {"n=",     "n=x",    "n=1.5",  "n=1e",  "n=7 ",         "n= 7",
                                      "n=1e20", "n=0x10", "n=3..5", "n=inf", "n=99999999999"};
    struct hpc_error err;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct hpc_params p = with(good[i].word);
        int value = 12345;
        assert_true(hpc_params_get_int(&p, "n", -10, 1000000, &value, &err));
        assert_int_equal(value, good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct hpc_params p = with(bad[i]);
        int value = 12345;
        assert_false(hpc_params_get_int(&p, "n", -10, 1000000, &value, &err));
        assert_int_equal(value, 12345);
        assert_int_equal(err.status, HPC_EXIT_USAGE);
        assert_non_null(strstr(err.text, "lab.ini:7: n = "));
        assert_non_null(strstr(err.text, "expected a whole number from -10 to 1000000"));
    }
}

static void reads_sizes(void **state)
{
    (void)state;
    struct hpc_error err;
    struct hpc_params p = with("n=4e9");
    size_t value = 7;
    assert_true(hpc_params_get_size(&p, "absent", 0, 1, &value, &err));
    assert_true(value == 7);
    assert_true(hpc_params_get_size(&p, "n", 0, (size_t)1 << 40, &value, &err));
    assert_true(value == 4000000000u);
    assert_false(hpc_params_get_size(&p, "n", 0, 3999999999u, &value, &err));
    assert_non_null(strstr(err.text, "n = 4e9, expected a whole number from 0 to 3999999999"));
    p = with("n=-1");
    assert_false(hpc_params_get_size(&p, "n", 0, (size_t)1 << 40, &value, &err));
    assert_true(value == 4000000000u);
}

static void keeps_bounds_and_defaults(void **state)
{
    (void)state;
    struct hpc_error err;
    struct hpc_params p = with("n=5");
    int value = 7;
    assert_false(hpc_params_get_int(&p, "n", 6, 9, &value, &err));
    assert_false(hpc_params_get_int(&p, "n", 1, 4, &value, &err));
    assert_true(hpc_params_get_int(&p, "n", 5, 5, &value, &err));
    assert_int_equal(value, 5);
    value = 7;
    assert_true(hpc_params_get_int(&p, "absent", 0, 1, &value, &err));
    assert_int_equal(value, 7);
}

static void reads_doubles_and_texts(void **state)
{
    (void)state;
    struct hpc_error err;
    struct hpc_params p = with("rate=1e-2");
    double rate = -1;
    char text[6] = "old";
    assert_true(hpc_params_get_double(&p, "rate", 0, 1, &rate, &err));
    assert_true(rate == 0.01);
    static const char *const bad[] = {
        "rate=nan", "rate=inf", "rate=0x1p-3", "rate=", "rate=-0.1", "rate=0.1s", "rate= 0.1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        p = with(bad[i]);
        assert_false(hpc_params_get_double(&p, "rate", 0, 1, &rate, &err));
    }
    p = with("layers=4,5,5");
    assert_false(hpc_params_get_text(&p, "layers", text, 5, &err));
    assert_string_equal(text, "old");
    assert_true(hpc_params_get_text(&p, "layers", text, 6, &err));
    assert_string_equal(text, "4,5,5");
}

static void draws_ranges(void **state)
{
    (void)state;
    struct hpc_error err;
    int seen[4] = {0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct hpc_params p = with("n=-1..2"), again;
        assert_true(hpc_params_set_word(&p, "path=a..b", "x", &err)); /* no number: no range */
        again = p;
        int value = 99;
        assert_true(hpc_params_draw(&p, seed, 5, &err));
        assert_true(hpc_params_get_int(&p, "n", -1, 2, &value, &err));
        seen[value + 1]++;
        assert_string_equal(hpc_params_find(&p, "path")->value, "a..b");
        assert_true(hpc_params_draw(&again, seed, 5, &err));
        assert_string_equal(hpc_params_find(&again, "n")->value, hpc_params_find(&p, "n")->value);
    }
    for (int i = 0; i < 4; i++)
        assert_in_range(seen[i], 25, 80); /* 50 expected; 25 is four sigma off */
    static const char *const bad[] = {"n=5..4", "n=1..", "n=1..x", "n=1...3", "n=0..99999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct hpc_params p = with(bad[i]);
        assert_false(hpc_params_draw(&p, 1, 1, &err));
        assert_non_null(strstr(err.text, "lab.ini:7: n = "));
    }
}

static void draws_the_widest_range(void **state)
{
    (void)state;
    struct hpc_error err;
    struct hpc_params p = with("n=-2147483648..2147483647");
    assert_true(hpc_params_draw(&p, 3, 0, &err));
    int value;
    assert_true(hpc_params_get_int(&p, "n", INT32_MIN, INT32_MAX, &value, &err));
}

static void names_unknown_keys(void **state)
{
    (void)state;
    struct hpc_error err;
    struct hpc_params p = with("epochs=2");
    int value;
    assert_true(hpc_params_set_word(&p, "epocs=3", "command line", &err));
    assert_true(hpc_params_get_int(&p, "epochs", 0, 9, &value, &err));
    assert_false(hpc_params_all_used(&p, "epochs, rate", &err));
    assert_string_equal(err.text, "command line: unknown key 'epocs'; known: epochs, rate");
}

static void replaces_prints_and_refuses(void **state)
{
    (void)state;
    struct hpc_error err;
    char text[64], key[8], longer[300];
    struct hpc_params p = with("a=1");
    assert_true(hpc_params_set_word(&p, "b=2", "x", &err));
    assert_true(hpc_params_set_word(&p, "a=3", "y", &err));
    assert_int_equal(p.n, 2);
    hpc_params_print(&p, text, sizeof text);
    assert_string_equal(text, "a=3 b=2");
    hpc_params_print(&p, text, 5);     /* cut, not overrun */
    assert_string_equal(text, "a=.."); /* cut, and said so */
    assert_false(hpc_params_set_word(&p, "novalue", "x", &err));
    assert_false(hpc_params_set_word(&p, "=1", "x", &err));
    memset(longer, 'v', sizeof longer);
    longer[sizeof longer - 1] = 0;
    assert_false(hpc_params_set(&p, "c", longer, "x", &err));
    assert_false(hpc_params_set(&p, longer, "1", "x", &err));
    assert_int_equal(p.n, 2);
    for (int i = 2; i < HPC_PARAMS_MAX; i++) {
        key[0] = 'k';
        key[1] = (char)('A' + i);
        key[2] = 0;
        assert_true(hpc_params_set(&p, key, "1", "x", &err));
    }
    assert_false(hpc_params_set(&p, "onemore", "1", "x", &err));
    assert_true(hpc_params_set(&p, "a", "4", "x", &err)); /* a known key still fits */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_integers),
        cmocka_unit_test(reads_sizes),
        cmocka_unit_test(keeps_bounds_and_defaults),
        cmocka_unit_test(reads_doubles_and_texts),
        cmocka_unit_test(draws_ranges),
        cmocka_unit_test(draws_the_widest_range),
        cmocka_unit_test(names_unknown_keys),
        cmocka_unit_test(replaces_prints_and_refuses),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("params", tests, NULL, NULL);
}
