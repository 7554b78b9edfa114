/* Every lab at hand: its points, and its cases under the rule that a one-ulp change of a start
 * weight must not move the result (an honest solution could fail on a case that breaks it). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <time.h>

#include "harness/lab/case.h"
#include "tests/unit/load_lab.h"

#define LABS        64
#define SEEDS       2
#define CHEAP_SEEDS 40 /* of a case, for a twentieth of a second */

static char lab_list[LABS][LAB_NAME];
static int n_labs;
static struct lab *lab;

static void load(int i)
{
    struct hpc_error err;
    if (!load_lab(".", lab_list[i], lab, &err))
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

static void every_case_has_draws_under_the_one_ulp_rule(void **state)
{
    (void)state;
    for (int i = 0; i < n_labs; i++) {
        load(i);
        for (int k = 0; k < lab->n_cases; k++) {
            const clock_t begin = clock();
            for (uint64_t seed = 1;
                 seed <= SEEDS || (seed <= CHEAP_SEEDS && clock() - begin < CLOCKS_PER_SEC / 20);
                 seed++) {
                struct ready_case ready;
                struct hpc_error err;
                if (!case_draw(&lab->cases[k], 1000 * seed, 2, &ready, &err))
                    fail_msg("%s, seed %d: %s", lab->name, (int)seed, err.text);
            }
        }
    }
}

static int refusals; /* of the next draws of `picky` */

static bool picky_parse(struct hpc_params *params, void *problem, struct hpc_error *err)
{
    (void)params, (void)problem, (void)err;
    return true;
}

static bool picky_admit(const void *problem, uint64_t seed, int draws, struct hpc_error *err)
{
    (void)problem, (void)seed, (void)draws;
    return refusals-- <= 0 || hpc_fail(err, "this draw is not liked");
}

static const struct hpc_op picky = {.name = "picky", .parse = picky_parse, .admit = picky_admit};
static const struct lab_case liked_seldom = {.name = "seldom", .op = &picky};

static void a_refused_draw_is_drawn_again(void **state)
{
    (void)state;
    struct ready_case first, ready;
    struct hpc_error err;
    assert_true(case_draw(&liked_seldom, 7, 2, &first, &err));
    refusals = HPC_REDRAWS;
    assert_true(case_draw(&liked_seldom, 7, 2, &ready, &err));
    assert_int_equal(refusals, -1);
    assert_true(ready.seed != first.seed);
}

static void draws_that_are_all_refused_are_an_error(void **state)
{
    (void)state;
    struct ready_case ready;
    struct hpc_error err;
    refusals = HPC_REDRAWS + 1;
    assert_false(case_draw(&liked_seldom, 7, 2, &ready, &err));
    assert_string_equal(err.text, "case seldom is refused: none of 21 draws is admitted; of the "
                                  "last: this draw is not liked");
    refusals = 0;
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
        cmocka_unit_test(every_case_has_draws_under_the_one_ulp_rule),
        cmocka_unit_test(a_refused_draw_is_drawn_again),
        cmocka_unit_test(draws_that_are_all_refused_are_an_error),
    };
    int status = cmocka_run_group_tests_name("labs", tests, NULL, NULL);
    free(lab);
    return status;
}
