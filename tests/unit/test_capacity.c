/* Processors that give less than at other times: which calls and pairs count, and when none do. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "harness/machine/capacity.h"
#include "harness/machine/pin.h"
#include "tests/unit/measure_scene.h"

#define PAIRS 15
#define CALLS 11
#define QUIET 1.3 /* of a look; a third of them find a little less */
#define SLOW  0.9

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-12)

/* Pairs on a quiet machine: a call of the baseline's takes 12 ms, one of the student's 6. */
static struct scene *open_scene(int pairs)
{
    struct scene *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->spec = (struct measure_spec){
        .op = &no_op, .pairs = pairs, .watched = true, .student.env.threads = 2};
    c->session.spec = &c->spec;
    c->session.result = &c->result;
    for (int i = 0; i < pairs; i++)
        for (int k = 0; k < 2; k++) {
            struct measure_block *b = &c->session.block[k][i];
            b->n = CALLS;
            for (int j = 0; j <= CALLS; j++)
                b->look[j] = QUIET * (j % 3 ? 1.0 : 0.95);
            for (int j = 0; j < CALLS; j++)
                b->seconds[j] = k ? 6e-3 : 12e-3;
        }
    c->session.pairs = pairs;
    return c;
}

/* Looks first .. last find a neighbour, and calls between two looks take the student half as long
 * again if one of the two does. */
static void disturb(struct measure_block *b, int first, int last)
{
    for (int j = first; j <= last; j++)
        b->look[j] = SLOW;
    for (int j = 0; j < b->n; j++)
        if (b->look[j] == SLOW || b->look[j + 1] == SLOW)
            b->seconds[j] *= 1.5;
}

static void settle(struct scene *c)
{
    measure_settle(&c->session);
    measure_evaluate(&c->session);
}

static void quiet_is_the_upper_decile(void **state)
{
    (void)state;
    const double x[] = {9, 7, 3, 4, 8, 2, 5, 6, 10, 1, 11};
    NEAR(capacity_quiet(x, 11), 10);
    NEAR(capacity_quiet(x, 1), 9);
}

static void quiet_machine(void **state)
{
    (void)state;
    struct scene *c = open_scene(PAIRS);
    settle(c);
    assert_int_equal(c->result.n, PAIRS);
    assert_false(c->result.unsettled);
    NEAR(c->result.speed.disturbed, 0);
    NEAR(c->result.speed.ratio.value, 2);
    NEAR(c->result.capacity, QUIET);
    measure_judge(&c->session);
    assert_int_equal(c->result.outcome.verdict, VERDICT_PASS);
    free(c);
}

static void nothing_was_looked_at(void **state)
{
    (void)state;
    struct scene *c = open_scene(PAIRS);
    for (int i = 0; i < PAIRS; i++)
        for (int k = 0; k < 2; k++)
            memset(c->session.block[k][i].look, 0, sizeof c->session.block[k][i].look);
    settle(c);
    assert_int_equal(c->result.n, PAIRS);
    assert_false(c->result.unsettled);
    NEAR(c->result.speed.disturbed, 0);
    NEAR(c->result.capacity, 0);
    free(c);
}

/* Two thirds of the student's calls take 1.5 times as long: their median over all would be 1.33. */
static void disturbed_calls_do_not_count(void **state)
{
    (void)state;
    struct scene *c = open_scene(PAIRS);
    for (int i = 0; i < PAIRS; i++)
        disturb(&c->session.block[true][i], 1, 6); /* calls 0 to 6 */
    settle(c);
    assert_int_equal(c->result.n, PAIRS);
    assert_false(c->result.unsettled);
    NEAR(c->result.speed.ratio.value, 2);
    NEAR(c->result.speed.ratio.low, 2);
    NEAR(c->result.speed.disturbed, 7.0 / (2 * CALLS));
    free(c);
}

static void a_pair_counts_by_both_blocks(void **state)
{
    (void)state;
    struct scene *c = open_scene(PAIRS);
    disturb(&c->session.block[true][3], 0, 8);  /* two calls are left */
    disturb(&c->session.block[false][5], 0, 8); /* the same */
    disturb(&c->session.block[false][7], 0, 7); /* three */
    settle(c);
    assert_int_equal(c->result.n, PAIRS - 2);
    NEAR(c->result.speed.ratio.value, 2);
    free(c);
}

static void slow_calls_on_quiet_processors_count(void **state)
{
    (void)state;
    struct scene *c = open_scene(PAIRS);
    for (int i = 0; i < PAIRS; i++)
        for (int j = 0; j < CALLS; j++)
            c->session.block[true][i].seconds[j] = 24e-3;
    settle(c);
    assert_int_equal(c->result.n, PAIRS);
    NEAR(c->result.speed.ratio.value, 0.5);
    free(c);
}

static void too_few_pairs_are_noise(void **state)
{
    (void)state;
    struct scene *c = open_scene(PAIRS);
    for (int i = 0; i < PAIRS - 6; i++)
        for (int k = 0; k < 2; k++)
            disturb(&c->session.block[k][i], 0, CALLS);
    settle(c);
    assert_true(c->result.unsettled);
    assert_int_equal(c->result.n, PAIRS);                 /* the figures are of all */
    assert_true(measure_wants_extension(&c->session, 3)); /* go on looking */
    assert_false(measure_wants_extension(&c->session, 4));
    measure_judge(&c->session);
    assert_int_equal(c->result.outcome.verdict, VERDICT_NOISY);
    assert_non_null(strstr(c->result.outcome.reason, "2 threads"));
    c->spec.trusted = true;
    measure_judge(&c->session);
    assert_int_equal(c->result.outcome.verdict, VERDICT_PASS);
    assert_non_null(strstr(c->result.outcome.reason, "2 threads"));
    free(c);
}

/* A neighbour that stays all the while: nothing stands out, but it was better once. */
static void less_than_when_the_reference_was_timed(void **state)
{
    (void)state;
    struct scene *c = open_scene(PAIRS);
    for (int i = 0; i < PAIRS; i++)
        for (int k = 0; k < 2; k++)
            disturb(&c->session.block[k][i], 0, CALLS);
    settle(c);
    NEAR(c->result.capacity, SLOW);
    assert_false(c->result.unsettled); /* for all that is known */
    c->spec.capacity = 0.95;           /* such is this machine: two threads of one core */
    settle(c);
    assert_false(c->result.unsettled);
    c->spec.capacity = QUIET;
    settle(c);
    assert_true(c->result.unsettled);
    NEAR(c->result.speed.disturbed, 1);
    measure_judge(&c->session);
    assert_int_equal(c->result.outcome.verdict, VERDICT_NOISY);
    assert_non_null(strstr(c->result.outcome.reason, "100% of the calls 2 threads"));
    assert_non_null(strstr(c->result.outcome.reason, "when the reference was timed"));
    free(c);
}

static void this_machine(void **state)
{
    (void)state;
    cpu_set_t before, after;
    int cpus[CPU_SETSIZE], n = pin_order(cpus, CPU_SETSIZE);
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    for (int threads = 1; threads <= n && threads <= 4; threads++) {
        double look = capacity_look(threads);
        if (!(look > 0.05 && look < 20))
            fail_msg("%d threads: %g", threads, look);
    }
    assert_true(capacity_look(n + 1) == 0);
    assert_true(capacity_look(0) == 0);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after)); /* the caller is where it was */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quiet_is_the_upper_decile),
        cmocka_unit_test(quiet_machine),
        cmocka_unit_test(nothing_was_looked_at),
        cmocka_unit_test(disturbed_calls_do_not_count),
        cmocka_unit_test(a_pair_counts_by_both_blocks),
        cmocka_unit_test(slow_calls_on_quiet_processors_count),
        cmocka_unit_test(too_few_pairs_are_noise),
        cmocka_unit_test(less_than_when_the_reference_was_timed),
        cmocka_unit_test(this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
