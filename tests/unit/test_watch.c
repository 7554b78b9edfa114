/* What `hpclab watch` shows of a record: a task that waits is no mistake. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/ui.h"
#include "harness/watch/results.h"

static struct results results;

/* The line of a task `name` whose record has these words, behind those before it. */
static const char *line_behind(const char *name, const char *words)
{
    char path[] = "/tmp/hpclab-watch-XXXXXX";
    static struct lab_task task;
    FILE *f = fdopen(mkstemp(path), "w");
    fprintf(f, "{\"tasks\": [{\"name\": \"%s\", %s}]}\n", name, words);
    fclose(f);
    strcpy(task.name, name);
    results_add(&results, path, &task, "nothing");
    unlink(path);
    return results.result[results.n - 1].line;
}

/* The first line of a task `flat` with this verdict. */
static const char *line_of(const char *verdict)
{
    char words[80];
    results_clear(&results);
    snprintf(words, sizeof words, "\"verdict\": \"%s\", \"points\": 20.0", verdict);
    return line_behind("flat", words);
}

/* That of a timed one. */
static const char *timed(const char *name, double ratio, double low, double high)
{
    char words[300];
    snprintf(words, sizeof words,
             "\"verdict\": \"pass\", \"points\": 35, \"max_points\": 35, "
             "\"correctness\": {\"cases\": 9, \"passed\": 9}, \"speed\": {\"ratio\": %g, "
             "\"ci_low\": %g, \"ci_high\": %g, \"target\": 1.8525}",
             ratio, low, high);
    return line_behind(name, words);
}

static bool ends(const char *line, const char *words)
{
    const size_t n = strlen(line), m = strlen(words);
    return n <= 80 && n >= m && strcmp(line + n - m, words) == 0;
}

static bool shows(const char *verdict, enum ui_mark mark)
{
    char words[80];
    snprintf(words, sizeof words, "%s %s", ui_mark(mark), verdict);
    return strstr(line_of(verdict), words) != NULL;
}

static void test_marks(void **state)
{
    (void)state;
    ui_init(true);
    assert_true(shows("pass", UI_YES));
    assert_true(shows("wrong", UI_NO));
    assert_true(shows("noisy", UI_WAITS));
    assert_true(shows("pending", UI_WAITS));
    assert_true(shows("environment", UI_WAITS));
    results_clear(&results);
    assert_non_null(strstr(line_of("pass"), " +20.0 ")); /* of none of the lab's points */
    results_clear(&results);
}

/* Each line says what differs from the task's one before, and no other's. */
static void test_changes(void **state)
{
    const char *const wrong = "\"verdict\": \"wrong\", \"points\": 0, \"max_points\": 35, "
                              "\"correctness\": {\"cases\": 9, \"passed\": %d}";
    char seven[200], eight[200];
    (void)state;
    ui_init(true);
    snprintf(seven, sizeof seven, wrong, 7);
    snprintf(eight, sizeof eight, wrong, 8);
    assert_true(ends(line_behind("flat", seven), "0.0/35  "));
    assert_true(ends(line_behind("flat", eight), "  was 7/9"));
    assert_true(ends(line_behind("flat", eight), "  as before"));
    assert_true(ends(timed("own_convolution", 1.2, 1.1, 1.3), "35.0/35  "));
    assert_true(ends(timed("flat", 1.6, 1.5, 1.7), "  was wrong"));
    assert_true(ends(timed("flat", 1.65, 1.6, 1.75), "  within noise"));
    assert_true(ends(timed("flat", 1.8524, 1.8, 1.9), "  up from 1.65x"));
    assert_non_null(strstr(timed("flat", 1.8524, 1.8, 1.9), " 1.85x ")); /* the target is 1.86x */
    assert_true(ends(timed("own_convolution", 0.5, 0.45, 0.55), "  down from 1.20x"));
    assert_true(ends(line_behind("flat", seven), "  was pass"));
    for (int i = 0; i < 3; i++)
        line_behind("flat", seven);
    assert_true(results.n == RESULTS_KEPT);
    results_clear(&results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_marks),
                                       cmocka_unit_test(test_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
