/* The sheet of answers: what it refuses, how it reads and marks, whose it is. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/answers_case.h"

static void test_refused(void **state)
{
    struct fixture *f = *state;
    static char big[70 << 10], noise[3000], longer[400];
    memset(big, '\n', sizeof big - 1);
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)(i * 2654435761u >> 13);
    memset(longer, 'x', 150);
    memcpy(longer, "[answers]\nd = ", 14);
    grade(f, NULL);
    says(f, VERDICT_WRONG, 0, "quiz.ini: No such file");
    grade(f, "");
    says(f, VERDICT_WRONG, 0, "expected a section [answers]");
    grade(f, "[answer]\na = 1\n");
    says(f, VERDICT_WRONG, 0, "expected a section [answers]");
    grade(f, "[answers]\nno equals sign\n");
    says(f, VERDICT_WRONG, 0, "quiz.ini:2");
    grade(f, "[answers]\na = 1\na = 2\n");
    says(f, VERDICT_WRONG, 0, "stands twice");
    grade(f, "[answers]\nfinal = perhaps\n");
    says(f, VERDICT_WRONG, 0, "quiz.ini:2: final = perhaps, expected yes or no");
    grade(f, longer);
    says(f, VERDICT_WRONG, 0, "expected at most 99");
    grade(f, big);
    says(f, VERDICT_WRONG, 0, "at most 64 KiB");
    put(f, "quiz.ini", noise, sizeof noise);
    grade(f, NULL);
    says(f, VERDICT_WRONG, 0, "quiz.ini");
    unlink(f->path);
    assert_int_equal(mkfifo(f->path, 0600), 0); /* reading it would wait for ever */
    grade(f, NULL);
    says(f, VERDICT_WRONG, 0, "expected a text file");
    unlink(f->path);
    assert_int_equal(symlink("/etc/passwd", f->path), 0);
    grade(f, NULL);
    says(f, VERDICT_WRONG, 0, "expected a text file");
}

static void test_form(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *key, *answer, *bad;
    } tries[] = {
        {"a", "12.5", ""},
        {"a", "12.5%", ""},
        {"a", "2.4 x", ""},
        {"a", "-4", ""},
        {"a", "0x10", ""},
        {"a", "twelve", "expected a number"},
        {"a", "nan", "expected a number"},
        {"a", "1e999", "expected a number"},
        {"a", "3 us", "expected a number"},
        {"b", "3 us", ""},
        {"b", "3 US", ""},
        {"b", "3 ms", "expected a number of us"},
        {"c", "0", "expected a number above 0"},
        {"c", "0.1", ""},
        {"d", "anything", ""},
        {"e", "17", "expected one of 16 never"},
        {"e", "Never", ""},
        {"f", "x", "expected a number"},
    };
    read_sheet(f);
    f->sheet.form = f->task.sheet;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        const char *bad =
            sheet_malformed(sheet_question(&f->sheet.form, tries[i].key), tries[i].answer);
        if (strcmp(bad, tries[i].bad) != 0)
            fail_msg("%s = %s: \"%s\"", tries[i].key, tries[i].answer, bad);
    }
    grade(f, "[answers]\n");
    says(f, VERDICT_WRONG, 0, "no answer yet: fill in quiz.ini");
    assert_non_null(strstr(f->result.outcome.hint, "the first complete version counts"));
    grade(f, "[answers]\na = 1\nb = 3 ms\nc = 2\nel\033se = 4\n");
    says(f, VERDICT_WRONG, 0, "quiz.ini: b = 3 ms: expected a number of us");
    assert_non_null(strstr(f->result.outcome.hint, "3 to mend or fill in"));
    assert_non_null(strstr(f->result.outcome.hint, "quiz.ini:5: no question is called el?se"));
    assert_int_equal(f->result.answers.versions, 0); /* so nothing is kept of it */
}

static void test_points(void **state)
{
    struct fixture *f = *state;
    grade(f, half);
    says(f, VERDICT_WRONG, 22.22 /* 50 (2.5 - 0.5) / (5 - 0.5): one of two is a guess */,
         "quiz.ini: a = 12: not right: half of what is right");
    assert_int_equal(f->result.correctness.cases, 5);
    assert_int_equal(f->result.correctness.passed, 2);
    char *text = marks(f);
    assert_non_null(strstr(text, "100%  b = 104 us  (right)\n"));
    assert_non_null(strstr(text, " 50%  c = 3  (half right: too large)\n"));
    assert_null(strstr(text, "24"));
    assert_null(strstr(text, "never"));
    assert_null(strstr(text, "four times six"));
    free(text);
    f->task.points_answers = 33.33;
    grade(f, half);
    says(f, VERDICT_WRONG, 14.81, "quiz.ini: a = 12: not right: half of what is right");
}

/* The words for a wrong number `value` of a count whose truth is 24. */
static void slips(struct fixture *f, const char *value, const char *words)
{
    char *text = hpc_printf("[answers]\na = %s\nb = 1\nc = 1\nd = 1\ne = 16\n", value);
    f->m.kept = NULL;
    grade(f, text);
    free(text);
    assert_int_equal(f->result.outcome.verdict, VERDICT_WRONG);
    const char *found = strstr(f->result.outcome.reason, "not right: ");
    if (*words ? !found || !strstr(found, words) : found != NULL)
        fail_msg("%s: reason is: %s", value, f->result.outcome.reason);
}

/* What is told of two answers that stand in each other's place, and of a ratio upside down. */
static void test_exchanged(void **state)
{
    struct fixture *f = *state;
    f->m.kept = NULL;
    grade(f, "[answers]\na = 100\nb = 24\nc = 0.45\nd = cache\ne = never\n");
    says(f, VERDICT_WRONG, 16.66,
         "a = 100: not right: this and b are swapped: each has what is right for the other");
    char *text = marks(f);
    assert_non_null(strstr(text, "b = 24  (not right: this and a are swapped"));
    assert_non_null(strstr(text, "c = 0.45  (not right: near the inverse of what is right: is the "
                                 "ratio upside down?)"));
    free(text);
    grade(f, "[answers]\na = 100\nb = 25\nc = 0.9\nd = cache\ne = never\n");
    says(f, VERDICT_WRONG, 16.66, "a = 100: not right"); /* b is near to no other's */
    assert_null(strstr(f->result.outcome.reason, "swapped"));
    grade(f, "[answers]\na = 100\nb = 100\nc = 0.9\nd = cache\ne = never\n");
    says(f, VERDICT_WRONG, 27.77, "a = 100: not right: this is what is right for b");
    text = marks(f);
    assert_null(strstr(text, "upside down"));
    free(text);
}

static void test_slips(void **state)
{
    struct fixture *f = *state;
    slips(f, "48", "twice");
    slips(f, "12.1", "half");
    slips(f, "96", "bytes for floats");
    slips(f, "6", "floats for bytes");
    slips(f, "768", "a warp is not a thread");
    slips(f, "2400", "a share is not a percentage");
    slips(f, "0.0417", "the inverse");
    slips(f, "2.4e7", "unit");
    slips(f, "192", "bits for bytes");
    slips(f, "240", "the decimal point");
    slips(f, "-24", "sign");
    slips(f, "23", "off by one");
    slips(f, "576", "the square of");
    slips(f, "4.9", "the square root of");
    slips(f, "30", "not right: too large");
    slips(f, "23.2", "not right: near, but too small");
    slips(f, "5000", "too large, by a factor of over 100");
    slips(f, "2", "too small, by a factor of over 10");
    slips(f, "0", "too small");
}

/* A word is one: a list of all that it may be names nothing. */
static void test_word(void **state)
{
    static const struct {
        const char *answer;
        double right;
    } tries[] = {{"cache", 1},
                 {"The L1 data-cache", 1},
                 {"caches", 1},
                 {"texture cache", 1},
                 {"one table of the pages", 1},
                 {"cache memory", 0},
                 {"memory cache", 0},
                 {"shared-cache", 0},
                 {"cache|DRAM", 0},
                 {"cache (DRAM)", 0},
                 {"cache\xef\xbc\x8fregisters", 0},
                 {"cache \xe3\x83\xa1\xe3\x83\xa2 \xe3\x83\xaa", 0},
                 {"no cache", 0},
                 {"not cache", 0},
                 {"anything but cache", 0},
                 {"registers, shared memory, cache, DRAM", 0},
                 {"registers / cache", 0},
                 {"tex cache dram shared", 0},
                 {"cache or registers", 0},
                 {"xcache", 0},
                 {"registers", 0}};
    struct fixture *f = *state;
    f->m.kept = NULL;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        char *text =
            hpc_printf("[answers]\na = 1\nb = 1\nc = 9\nd = %s\ne = 16\n", tries[i].answer);
        grade(f, text);
        free(text);
        if (f->result.points != 5.55 * tries[i].right)
            fail_msg("%s: %g points", tries[i].answer, f->result.points);
    }
}

/* What follows from an answer as large as a number can be has no end, and nothing is near it. */
static void test_endless(void **state)
{
    struct fixture *f = *state;
    read_sheet(f);
    f->sheet.form = f->task.sheet;
    snprintf(f->sheet.answer[0], SHEET_ANSWER, "1");
    snprintf(f->sheet.answer[1], SHEET_ANSWER, "1");
    sheet_count(&f->sheet, "a", INFINITY, 0.05, "");
    sheet_near(&f->sheet, "b", -INFINITY, 0.05, "");
    assert_true(f->sheet.mark[0].marked && f->sheet.mark[1].marked);
    assert_true(f->sheet.mark[0].credit == 0 && f->sheet.mark[1].credit == 0);
}

static void test_name(void **state)
{
    struct fixture *f = *state;
    put_text(f, "lab.ini",
             "[sheet quiz]\nwho = name\na = number\n[problem quiz]\n"
             "text = n is {n}, not {m}, with {word}\nn = 1000..9000 by 1000\n"
             "word = one two three\n");
    put_text(f, "expected.ini", "[question quiz a]\nanswer = 24\n");
    grade(f, "[answers]\na = 24\n");
    says(f, VERDICT_WRONG, 0, "`who` is empty: write your name");
    grade(f, "[answers]\nwho = Ada Lovelace\n");
    says(f, VERDICT_WRONG, 0, "your problem: n is ");
    assert_non_null(strstr(f->result.outcome.reason, "000, not {m}, with "));
    char *problem = hpc_strdup(f->result.answers.problem);
    grade(f, "[answers]\nwho =  ada lovelace \na = 24\n"); /* the same name */
    says(f, VERDICT_PASS, 50, "");
    assert_string_equal(f->result.answers.problem, problem);
    assert_string_equal(f->result.answers.student, "ada lovelace");
    free(problem);
    grade(f, "[answers]\nwho = Bob\na = 24\n");
    says(f, VERDICT_WRONG, 0,
         "who = Bob, but the problems of this record are those of ada lovelace");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_points, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_exchanged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_slips, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_word, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_endless, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_name, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
