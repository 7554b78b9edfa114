/* Which record counts, and how often a task's points waited. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "harness/record/kept.h"

/* In all gradings together, each task by itself; a new task has none before. */
static void counts_what_waited(void **state)
{
    static struct record before;
    static struct task_result now;
    (void)state;
    before.n_tasks = 2;
    for (int i = 0; i < 2; i++)
        snprintf(before.tasks[i].name, sizeof before.tasks[i].name, i ? "pthread" : "flat");
    before.tasks[0].waited[0] = 2;
    before.tasks[1].waited[1] = 1;
    now.outcome.verdict = VERDICT_NOISY;
    snprintf(now.name, sizeof now.name, "flat");
    kept_count(&before, &now);
    assert_int_equal(now.waited[0], 3);
    assert_int_equal(now.waited[1], 0);
    now.outcome.verdict = VERDICT_ENVIRONMENT;
    snprintf(now.name, sizeof now.name, "pthread");
    kept_count(&before, &now);
    assert_int_equal(now.waited[0], 0);
    assert_int_equal(now.waited[1], 2);
    now.outcome.verdict = VERDICT_PASS;
    snprintf(now.name, sizeof now.name, "answers");
    kept_count(&before, &now);
    assert_int_equal(now.waited[0] + now.waited[1], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_what_waited),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
