/* The sheet of answers: what it refuses, how it reads numbers, how it adds up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/answers/sheet.h"
#include "common/command.h"

struct fixture {
    char root[64], path[96];
    struct lab lab;
    struct lab_task task;
    struct marking m;
    struct task_result result;
    struct sheet sheet;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    strcpy(f->root, "/tmp/hpclab-answers-XXXXXX");
    if (!mkdtemp(f->root))
        return -1;
    snprintf(f->path, sizeof f->path, "%s/answers.ini", f->root);
    strcpy(f->lab.name, "lab1");
    strcpy(f->task.name, "questions");
    strcpy(f->task.file, "answers.ini");
    f->task.points_answers = 30;
    f->m = (struct marking){
        .root = f->root, .implementation = "student", .lab = &f->lab, .task = &f->task};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    folder_remove(f->root);
    free(f);
    return 0;
}

static bool open_with(struct fixture *f, const char *text, size_t bytes)
{
    FILE *file = fopen(f->path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    fclose(file);
    memset(&f->result, 0, sizeof f->result);
    f->result.max_points = f->task.points_answers;
    f->result.points = 7; /* must not survive */
    return sheet_open(&f->sheet, &f->m, f->path, &f->result);
}

static void refuse(struct fixture *f, const char *text, size_t bytes, const char *reason)
{
    assert_false(open_with(f, text, bytes));
    assert_int_equal(f->result.verdict, VERDICT_WRONG);
    assert_true(f->result.points == 0);
    if (!strstr(f->result.reason, reason))
        fail_msg("reason is: %s", f->result.reason);
}

static void test_refused(void **state)
{
    struct fixture *f = *state;
    static char big[70 << 10], noise[3000];
    memset(big, '\n', sizeof big);
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)(i * 2654435761u >> 13);
    assert_false(sheet_open(&f->sheet, &f->m, f->path, &f->result));
    assert_non_null(strstr(f->result.reason, "answers.ini: No such file"));
    refuse(f, "", 0, "expected a section [answers]");
    refuse(f, "[answer]\na = 1\n", 15, "expected a section [answers]");
    refuse(f, "[answers]\nno equals sign\n", 25, "answers.ini:2");
    refuse(f, "[answers]\na = 1\na = 2\n", 22, "stands twice");
    refuse(f, big, sizeof big, "at most 64 KiB");
    refuse(f, noise, sizeof noise, "answers.ini");
    unlink(f->path);
    assert_int_equal(mkfifo(f->path, 0600), 0); /* reading it would wait for ever */
    assert_false(sheet_open(&f->sheet, &f->m, f->path, &f->result));
    unlink(f->path);
    assert_int_equal(symlink("/etc/passwd", f->path), 0);
    assert_false(sheet_open(&f->sheet, &f->m, f->path, &f->result));
}

static void test_numbers(void **state)
{
    struct fixture *f = *state;
    static const char text[] =
        "[answers]\na = 12.5\nb = 12.5%\nc = 2.4 x\nd = twelve\ne =\nf = nan\n"
        "g = 1e999\nh = 3 apples\ni = 0x10\nj = -4\n";
    double v;
    assert_true(open_with(f, text, sizeof text - 1));
    assert_true(sheet_number(&f->sheet, "a", &v) && v == 12.5);
    assert_true(sheet_number(&f->sheet, "b", &v) && v == 12.5);
    assert_true(sheet_number(&f->sheet, "c", &v) && v == 2.4);
    assert_true(sheet_number(&f->sheet, "j", &v) && v == -4);
    for (const char *key = "defgh"; *key; key++) {
        char name[2] = {*key, '\0'};
        assert_false(sheet_number(&f->sheet, name, &v));
    }
    assert_false(sheet_number(&f->sheet, "absent", &v));
    assert_string_equal(sheet_text(&f->sheet, "absent"), "");
    sheet_abandon(&f->sheet, "%s", "enough");
    assert_string_equal(f->result.reason, "enough");
    assert_true(f->result.points == 0);
}

static void test_points(void **state)
{
    struct fixture *f = *state;
    static const char text[] = "[answers]\na = 1\nb = 2\nc = 3\nd =\nelse = 4\n";
    assert_true(open_with(f, text, sizeof text - 1));
    sheet_mark(&f->sheet, "a", 1, "right");
    sheet_mark(&f->sheet, "b", 0.5, "measured %d", 3);
    sheet_mark(&f->sheet, "c", 0, "far off");
    sheet_mark(&f->sheet, "d", 0, "expected a number");
    sheet_close(&f->sheet, &f->task);
    assert_true(f->result.points == 30 * 1.5 / 4);
    assert_int_equal(f->result.verdict, VERDICT_WRONG);
    assert_int_equal(f->result.correctness.cases, 4);
    assert_int_equal(f->result.correctness.passed, 1);
    assert_string_equal(f->result.reason, "answers.ini: b = 2: measured 3");
    assert_non_null(strstr(f->result.hint, "answers.ini:6: no question is called else"));

    assert_true(open_with(f, text, sizeof text - 1));
    sheet_mark(&f->sheet, "a", 1, "right");
    sheet_close(&f->sheet, &f->task);
    assert_true(f->result.points == 30);
    assert_int_equal(f->result.verdict, VERDICT_PASS);
    assert_string_equal(f->result.reason, "");

    char *marks = command_text(f->root, "results/lab1/questions.txt", NULL);
    assert_non_null(marks);
    assert_non_null(strstr(marks, "100%  a = 1  (right)\n"));
    free(marks);
}

/* The words for a wrong number `value` of a count whose truth is 24. */
static void slips(struct fixture *f, const char *value, const char *words)
{
    char text[80];
    int n = snprintf(text, sizeof text, "[answers]\nx = %s\n", value);
    assert_true(open_with(f, text, (size_t)n));
    sheet_count(&f->sheet, "x", 24, 0.01, "");
    sheet_close(&f->sheet, &f->task);
    assert_int_equal(f->result.verdict, VERDICT_WRONG);
    const char *found = strchr(f->result.reason, ';');
    if (*words ? !found || !strstr(found, words) : found != NULL)
        fail_msg("%s: reason is: %s", value, f->result.reason);
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
    slips(f, "0.0417", "its inverse");
    slips(f, "2.4e7", "unit");
    slips(f, "30", "");
    slips(f, "0", "");
}

static void test_pending(void **state)
{
    struct fixture *f = *state;
    f->result.max_points = 30;
    sheet_pending(&f->task, &f->result, VERDICT_PENDING, "one core here");
    assert_true(f->result.max_points == 0);
    assert_true(f->result.pending == 30);
    assert_int_equal(f->result.verdict, VERDICT_PENDING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_points, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_slips, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pending, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
