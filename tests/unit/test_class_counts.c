/* Which grading of a submission counts, of those that the store has. */
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

#include "harness/class/class.h"

static char folder[] = "/tmp/test_class_counts.XXXXXX";

struct given {
    double flat, waits; /* of the task's 60 points: had, and pending */
    int task;           /* points of the lab's other task, which gave all of them */
    bool quick, may_lower, changed, timed; /* changed: the lab */
    int more;                              /* of the other task's points: pending */
};

/* As class_take adds it. */
static void add(struct store *store, int run, const struct given *is)
{
    struct hpc_error err;
    char *record =
        hpc_printf("{\"quick\": %s, \"tasks\": [{\"name\": \"flat\", \"points\": %g, "
                   "\"max_points\": %g, \"pending\": %g, \"speed\": %s}, {\"name\": \"more\", "
                   "\"points\": %d, \"max_points\": %d, \"pending\": %d}]}",
                   is->quick ? "true" : "false", is->flat, 60 - is->waits, is->waits,
                   is->timed ? "{}" : "null", is->task - is->more, is->task - is->more, is->more);
    struct store_grading g = {.student = "ada",
                              .submission = "abc",
                              .fingerprint = "",
                              .run = run,
                              .score = is->flat + is->task - is->more,
                              .max_score = 60 - is->waits + is->task - is->more,
                              .pending = is->waits + is->more,
                              .may_lower = is->may_lower};
    strcpy(g.fingerprint, is->changed ? "other" : "f");
    assert_true(store_add(store, &g, record, &err));
    free(record);
}

static const struct {
    const char *what;
    struct given a, b;
    int counts;
    bool left; /* the other one is later, and was not taken */
} cases[] = {
    {"more points", {20, 0, 40, 0, 0, 0, 0, 0}, {30, 0, 40, 0, 0, 0, 0, 0}, 2, false},
    {"as many", {20, 0, 40, 0, 0, 0, 0, 0}, {20, 0, 40, 0, 0, 0, 0, 0}, 2, false},
    {"fewer", {20, 0, 40, 0, 0, 0, 0, 0}, {10, 0, 40, 0, 0, 0, 0, 0}, 1, true},
    {"fewer, which it may have", {20, 0, 40, 0, 0, 0, 0, 0}, {10, 0, 40, 0, 1, 0, 0, 0}, 2, false},
    {"what waited has ended", {20, 40, 40, 0, 0, 0, 0, 0}, {30, 0, 40, 0, 0, 0, 0, 0}, 2, false},
    {"what had ended waits", {30, 0, 40, 0, 0, 0, 0, 0}, {20, 40, 40, 0, 0, 0, 0, 0}, 1, true},
    {"and has as many points", {20, 0, 40, 0, 0, 0, 0, 0}, {20, 40, 40, 0, 0, 0, 0, 0}, 1, true},
    {"and may have fewer", {30, 0, 40, 0, 0, 0, 0, 0}, {20, 40, 40, 0, 1, 0, 0, 0}, 1, true},
    {"of a lab with other points",
     {30, 0, 40, 0, 0, 0, 0, 0},
     {20, 40, 30, 0, 1, 0, 0, 0},
     2,
     false},
    {"of a changed lab", {30, 0, 40, 0, 0, 0, 0, 0}, {20, 40, 40, 0, 1, 1, 0, 0}, 2, false},
    {"which takes no timing", {30, 0, 40, 0, 0, 0, 1, 0}, {20, 40, 40, 0, 1, 1, 0, 0}, 1, true},
    {"nor what had ended", {20, 0, 40, 0, 0, 0, 0, 0}, {20, 40, 40, 0, 0, 1, 0, 0}, 1, true},
    {"one has ended, and the other waits",
     {30, 0, 40, 0, 0, 0, 0, 40},
     {20, 40, 40, 0, 0, 0, 0, 0},
     1,
     true},
    {"with fewer points that wait",
     {30, 0, 40, 0, 0, 0, 0, 40},
     {30, 10, 40, 0, 0, 0, 0, 0},
     1,
     true},
    {"a part of what waited has ended",
     {0, 40, 40, 0, 0, 0, 0, 40},
     {0, 40, 40, 0, 0, 0, 0, 10},
     2,
     false},
    {"in place of a quick look", {30, 0, 40, 1, 0, 0, 0, 0}, {20, 40, 40, 0, 0, 0, 0, 0}, 2, false},
    {"a quick look", {20, 40, 40, 0, 0, 0, 0, 0}, {30, 0, 40, 1, 1, 0, 0, 0}, 1, false},
};

static void test_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hpc_error err;
        struct class_state c = {.n_gradings = 0};
        const struct submission s = {.student = "ada", .sha256 = "abc"};
        const struct store_grading *lower;
        char *path = hpc_printf("%s/%zu.db", folder, i);
        assert_non_null(c.store = store_open(path, true, &err));
        add(c.store, 1, &cases[i].a);
        add(c.store, 2, &cases[i].b);
        assert_true(class_gradings(&c, &err));
        const struct store_grading *counts = class_counts(&c, &s, &lower);
        if (!counts || counts->run != cases[i].counts || (lower != NULL) != cases[i].left)
            fail_msg("%s: %d counts%s", cases[i].what, counts ? counts->run : 0,
                     lower ? ", and one is left" : "");
        store_close(c.store);
        free(c.grading);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
    };
    if (!mkdtemp(folder))
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char *command = hpc_printf("rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "%s is left\n", folder);
    free(command);
    return failed;
}
