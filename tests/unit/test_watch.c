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

/* The line of a task `flat` with this verdict. */
static const char *line_of(const char *verdict)
{
    char path[] = "/tmp/hpclab-watch-XXXXXX";
    static struct lab_task task;
    FILE *f = fdopen(mkstemp(path), "w");
    fprintf(f, "{\"tasks\": [{\"name\": \"flat\", \"verdict\": \"%s\", \"points\": 20.0}]}\n",
            verdict);
    fclose(f);
    strcpy(task.name, "flat");
    results_clear(&results);
    results_add(&results, path, &task, "nothing");
    unlink(path);
    return results.line[0];
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
    assert_non_null(strstr(line_of("pass"), "20.0 bonus")); /* of none of the lab's points */
    assert_null(strstr(line_of("pass"), "of 0"));
    results_clear(&results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_marks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
