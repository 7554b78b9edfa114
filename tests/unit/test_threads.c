/* Whether threads do a case's work at once: what the runner tells of its phases, the verdict that
 * it comes to, and the word that names the worksharing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/trial/threads.c"

static void the_last_line_of_phases_counts(void **state)
{
    (void)state;
    double at_work = 0;
    uint64_t from = 0;
    assert_true(read_phases("x\nphases 100 longest 100 from 12\nnoise\n"
                            "phases 300 longest 200 from 00000000004011af\nmore\n",
                            &at_work, &from));
    assert_true(at_work == 1.5);
    assert_int_equal(from, 0x4011af);
}

static void what_is_no_line_of_phases(void **state)
{
    (void)state;
    static const char *const outputs[] = {
        NULL,
        "",
        "phases 100 longest 100 from 12\n", /* no line of its own */
        "\nphases 100 longest 0 from 12\n",
        "\nphases 100 longest\n",
        "\nphases many longest 100 from 12\n"};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        double at_work = -1;
        uint64_t from = 1;
        assert_false(read_phases(outputs[i], &at_work, &from));
        assert_true(at_work == -1 && from == 1);
    }
}

static void the_word_names_the_worksharing(void **state)
{
    (void)state;
    static const struct {
        double at_work;
        const char *place;
        bool good;
        const char *hint, *reason;
    } rows[] = {
        {1.0, "", false,
         "in `omp single`, `master` or `critical` one thread works while the others "
         "wait; `omp for` gives each thread iterations of its own",
         "the threads take turns: of 2 threads 1.00 are at work on average, expected at least "
         "1.30"},
        {1.29, "a.c:7", false,
         "in `omp single`, `master` or `critical` one thread works while the "
         "others wait, as at a.c:7; `omp for`",
         "1.29 are at work"},
        {1.3, "a.c:7", true,
         "a part of the work is not shared: in `omp single`, `master` or "
         "`critical` one thread works while the others wait, as at a.c:7",
         ""},
        {1.69, "", true, "a part of the work is not shared: ", ""},
        {1.7, "a.c:7", true, "", ""},
        {2.0, "", true, "", ""},
        {2.5, "", true, "", ""},
        {3.8, "", true,
         "it starts more threads than it is given: of case broad's work 3.8 do their "
         "part at once, where env->threads is 2",
         ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct outcome o = {.verdict = VERDICT_PASS};
        const struct lab_case c = {.name = "broad"};
        const bool good = judge(&c, rows[i].at_work, rows[i].place, &o);
        if (good != rows[i].good || (o.verdict == VERDICT_PASS) != good ||
            strncmp(o.hint, rows[i].hint, strlen(rows[i].hint)) != 0 ||
            (!*rows[i].hint && *o.hint) || !strstr(o.reason, rows[i].reason))
            fail_msg("%g at work: %d, \"%s\", \"%s\"", rows[i].at_work, good, o.reason, o.hint);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_line_of_phases_counts),
        cmocka_unit_test(what_is_no_line_of_phases),
        cmocka_unit_test(the_word_names_the_worksharing),
    };
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
