/* common/text.h: texts that grow, and texts cut where one can see it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/text.h"

static void grows(void **state)
{
    (void)state;
    struct text t = {0};
    assert_string_equal(text_string(&t), "");
    for (int i = 0; i < 10000; i++)
        text_add(&t, "%d,", i % 10);
    assert_int_equal(t.length, 20000);
    for (int i = 0; i < 10000; i++)
        assert_true(t.s[2 * i] == '0' + i % 10 && t.s[2 * i + 1] == ',');
    assert_int_equal(strlen(text_string(&t)), t.length);
    char *taken = text_take(&t);
    assert_int_equal(strlen(taken), 20000);
    assert_string_equal(text_string(&t), "");
    free(taken);
    taken = text_take(&t); /* of an empty one */
    assert_string_equal(taken, "");
    free(taken);
    text_free(&t);
    text_free(&t);
}

static void lists(void **state)
{
    (void)state;
    struct text t = {0};
    text_list(&t, ", ", "one");
    text_list(&t, ", ", "two");
    text_list(&t, " or ", "three");
    assert_string_equal(text_string(&t), "one, two or three");
    text_free(&t);
}

/* Every size around that of the text, with guards behind it. */
static void fits_or_shows_the_cut(void **state)
{
    (void)state;
    static const char whole[] = "seventeen letters";
    for (size_t size = 4; size < 2 * sizeof whole; size++) {
        char to[64];
        memset(to, '#', sizeof to);
        bool fits = text_fit(to, size, "%s %s", "seventeen", "letters");
        assert_int_equal(fits, size >= sizeof whole);
        assert_int_equal(to[size], '#');
        if (fits) {
            assert_string_equal(to, whole);
            continue;
        }
        assert_int_equal(strlen(to), size - 1);
        assert_memory_equal(to, whole, size - 3);
        assert_string_equal(to + size - 3, "..");
    }
}

static void cuts_no_character_in_two(void **state)
{
    (void)state;
    char to[8];
    assert_false(text_fit(to, sizeof to,
                          "abcd\xE2\x9C\x93"
                          "efgh"));
    assert_string_equal(to, "abcd..");
    assert_false(text_fit(to, sizeof to,
                          "ab\xE2\x9C\x93"
                          "efgh"));
    assert_string_equal(to, "ab\xE2\x9C\x93..");
}

static void takes_itself_as_argument(void **state)
{
    (void)state;
    char to[16] = "one";
    assert_true(text_fit(to, sizeof to, "%s and %s", to, to));
    assert_string_equal(to, "one and one");
}

static void tells_two_numbers_apart(void **state)
{
    (void)state;
    char to[TEXT_DIFFER];
    assert_string_equal(text_differ(to, 0.125, 0.25, 4), "0.125, should be 0.25");
    assert_string_equal(text_differ(to, 0.1068001, 0.1068002, 4), "0.1068001, should be 0.1068002");
    assert_string_equal(text_differ(to, 0.1, 0.1f, 4), "0.1, should be 0.100000001");
    assert_string_equal(text_differ(to, 0.1, 0.1, 4), "0.1, should be 0.1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows),
        cmocka_unit_test(lists),
        cmocka_unit_test(fits_or_shows_the_cut),
        cmocka_unit_test(cuts_no_character_in_two),
        cmocka_unit_test(takes_itself_as_argument),
        cmocka_unit_test(tells_two_numbers_apart),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
