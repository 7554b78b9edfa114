/* Which record counts, and how often a task's points waited. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/command.h"
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

/* Grade once more: where the record goes, below the root; NULL where it is refused. With `noisy`
 * its only task waits. Written unless it is refused. */
static const char *grade(const char *root, bool official, enum regrade rule, bool noisy,
                         struct record *r)
{
    static char kept[100];
    static struct record before;
    struct hpc_error err = {.text = ""};
    *r = (struct record){.lab = "lab1",
                         .submission = "ada",
                         .official = official,
                         .complete = true,
                         .regrade = rule,
                         .n_tasks = 1};
    snprintf(r->tasks[0].name, sizeof r->tasks[0].name, "flat");
    r->tasks[0].outcome.verdict = noisy ? VERDICT_NOISY : VERDICT_PASS;
    char *path = kept_path(root, r, &before, &err);
    if (!path)
        return NULL;
    kept_count(&before, &r->tasks[0]);
    snprintf(kept, sizeof kept, "%s", path + strlen(root) + 1);
    if (!kept_write(r, path, NULL, true, &err))
        fail_msg("%s", err.text);
    free(path);
    return kept;
}

/* What is not official neither counts nor is counted; then the first, until a rule is named. */
static void the_first_official_one_counts(void **state)
{
    static struct record r;
    static const char place[] = "results/submissions/ada/lab1.json";
    char root[] = "/tmp/hpclab-kept-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(root));
    assert_string_equal(grade(root, false, REGRADE_NONE, true, &r), place);
    assert_null(grade(root, true, REGRADE_ALL, false, &r));
    assert_string_equal(grade(root, true, REGRADE_NONE, true, &r), place);
    assert_int_equal(r.gradings, 1);
    assert_int_equal(r.tasks[0].waited[0], 1);
    assert_null(grade(root, true, REGRADE_NONE, false, &r));
    assert_string_equal(grade(root, false, REGRADE_NONE, false, &r),
                        "results/submissions/ada/lab1-provisional.json");
    assert_string_equal(grade(root, true, REGRADE_WAITING, true, &r), place);
    assert_int_equal(r.gradings, 2);
    assert_int_equal(r.tasks[0].waited[0], 2);
    assert_int_equal(r.waited_before[0], 1);
    folder_remove(root);
}

/* A record that nobody can read may be the official one. */
static void none_replaces_an_unreadable_one(void **state)
{
    static struct record r;
    char root[] = "/tmp/hpclab-kept-XXXXXX", path[120];
    (void)state;
    assert_non_null(mkdtemp(root));
    assert_non_null(grade(root, true, REGRADE_NONE, false, &r));
    snprintf(path, sizeof path, "%s/results/submissions/ada/lab1.json", root);
    assert_int_equal(truncate(path, 100), 0);
    assert_null(grade(root, true, REGRADE_NONE, false, &r));
    assert_null(grade(root, true, REGRADE_ALL, false, &r));
    assert_string_equal(grade(root, false, REGRADE_NONE, false, &r),
                        "results/submissions/ada/lab1-provisional.json");
    folder_remove(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_what_waited),
        cmocka_unit_test(the_first_official_one_counts),
        cmocka_unit_test(none_replaces_an_unreadable_one),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
