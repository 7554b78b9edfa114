/* Every lab at hand: its points, and its cases under the rule that a one-ulp change of a start
 * weight must not move the result (an honest solution could fail on a case that breaks it). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "harness/lab/case.h"

#define LABS  64
#define DRAWS 4

static char lab_list[LABS][LAB_NAME];
static int n_labs;
static struct lab *lab;

static void load(int i)
{
    struct hpc_error err;
    if (!lab_load(".", lab_list[i], lab, &err))
        fail_msg("%s", err.text);
}

static void points_add_up_to_100(void **state)
{
    (void)state;
    for (int i = 0; i < n_labs; i++) {
        double points = 0;
        load(i);
        for (int t = 0; t < lab->n_tasks; t++)
            points += lab_task_points(&lab->tasks[t]);
        if (points != 100)
            fail_msg("%s: %g points", lab->name, points);
    }
}

/* A grading must not depend on what students can read alone. */
static void every_variant_task_has_hidden_cases(void **state)
{
    (void)state;
    for (int i = 0; i < n_labs; i++) {
        load(i);
        for (int t = 0; t < lab->n_tasks; t++) {
            const struct lab_task *task = &lab->tasks[t];
            int hidden = 0;
            for (int k = 0; k < task->n_cases; k++)
                hidden += lab->cases[task->cases[k]].hidden;
            if (task->kind == TASK_VARIANT && hidden < 2)
                fail_msg("%s/%s: %d hidden cases, expected two or more", lab->name, task->name,
                         hidden);
        }
    }
}

static void cases_obey_the_one_ulp_rule(void **state)
{
    (void)state;
    for (int i = 0; i < n_labs; i++) {
        load(i);
        for (int k = 0; k < lab->n_cases; k++) {
            const struct lab_case *c = &lab->cases[k];
            for (uint64_t seed = 1; seed <= DRAWS; seed++) {
                struct ready_case ready;
                struct hpc_error err;
                if (!case_ready(c, seed, 2, &ready, &err) ||
                    (c->op->admit && !c->op->admit(ready.problem, ready.seed, 1, &err)))
                    fail_msg("%s, case %s, seed %d: %s", lab->name, c->name, (int)seed, err.text);
            }
        }
    }
}

int main(void)
{
    lab = malloc(sizeof *lab);
    n_labs = lab_names(".", lab_list, LABS);
    if (!lab || n_labs < 1)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_add_up_to_100),
        cmocka_unit_test(every_variant_task_has_hidden_cases),
        cmocka_unit_test(cases_obey_the_one_ulp_rule),
    };
    int status = cmocka_run_group_tests_name("labs", tests, NULL, NULL);
    free(lab);
    return status;
}
