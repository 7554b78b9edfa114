/* Which version of answers counts, and what is told when. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/answers_case.h"

/* Nothing that is right is told before the sheet is final, and then nothing counts any more. */
static void test_first_version(void **state)
{
    struct fixture *f = *state;
    grade(f, half);
    grade(f, right);
    says(f, VERDICT_WRONG, 22.22, "a = 12");
    assert_non_null(strstr(f->result.outcome.hint, "counts; quiz.ini was changed after it"));
    assert_string_equal(f->result.answers.given[0].first, "12");
    assert_int_equal(f->result.answers.versions, 1);
    char *final = hpc_printf("%sfinal = yes\n", right);
    grade(f, final);
    free(final);
    says(f, VERDICT_WRONG, 22.22, "a = 12: worked out: 24: four times six; yours: half of");
    char *text = marks(f);
    assert_non_null(strstr(text, "  0%  e = 16  (worked out: never)\n"));
    free(text);
    grade(f, "[answers]\n"); /* an emptied file takes nothing back */
    says(f, VERDICT_WRONG, 22.22, "a = 12");
}

static void test_some_versions(void **state)
{
    struct fixture *f = *state;
    f->task.versions = 2;
    grade(f, half);
    says(f, VERDICT_WRONG, 22.22, "");
    grade(f, half);                  /* the same is no other version */
    grade(f, "[answers]\na = 24\n"); /* nor one that is not complete */
    says(f, VERDICT_WRONG, 22.22, "");
    assert_int_equal(f->result.answers.versions, 1);
    grade(f, right);
    says(f, VERDICT_PASS, 50, "");
    assert_string_equal(f->result.answers.given[0].first, "12");
    assert_string_equal(f->result.answers.given[0].counted, "24");
    grade(f, half);
    says(f, VERDICT_PASS, 50, "");
}

/* Once it is final, no version that was left is taken; and final takes what is not complete. */
static void test_final(void **state)
{
    struct fixture *f = *state;
    f->task.versions = 3;
    grade(f, "[answers]\na = 24\nb = x\nfinal = yes\n");
    says(f, VERDICT_WRONG, 5.55, "quiz.ini: b = x: not right: expected a number of us");
    grade(f, right);
    says(f, VERDICT_WRONG, 5.55, "");
}

static void test_sealed(void **state)
{
    struct fixture *f = *state;
    char *path = hpc_printf("%s/labs/lab90/expected.ini", f->root);
    unlink(path);
    free(path);
    f->lab.sealed = true;
    grade(f, "[answers]\na = 1\n");
    says(f, VERDICT_WRONG, 0, "b is empty: expected an answer");
    grade(f, half);
    says(f, VERDICT_PENDING, 0, "complete, and kept since 2");
    assert_true(f->result.pending == 50 && f->result.max_points == 0);
    assert_true(f->result.answers.sealed);
    assert_string_equal(f->result.answers.given[0].first, "12");
    assert_null(marks(f));
    f->m.implementation = "reference";
    grade(f, half);
    says(f, VERDICT_PENDING, 0, "sealed");
    f->lab.sealed = false; /* a lab that forgot to say what is right */
    f->m.implementation = "student";
    grade(f, half);
    says(f, VERDICT_ENVIRONMENT, 0, "nothing says what is right for a");
    assert_true(f->result.pending == 50);
}

static void test_reference(void **state)
{
    struct fixture *f = *state;
    f->m.implementation = "reference";
    grade(f, half);
    says(f, VERDICT_PASS, 50, "");
    char *text = marks(f);
    assert_non_null(strstr(text, "100%  a\n")); /* and not what is right */
    assert_null(strstr(text, "24"));
    free(text);
}

static void test_handed_in(void **state)
{
    struct fixture *f = *state;
    f->m.handed_in = true;
    f->m.kept = NULL;
    grade(f, "[answers]\na = 24\n");
    says(f, VERDICT_WRONG, 5.55, "b is empty: not right: expected an answer");
    grade(f, right);
    says(f, VERDICT_PASS, 50, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_first_version, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_some_versions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_final, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sealed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reference, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_handed_in, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
