/* When a machine is too noisy to time on: by the baseline alone, whatever the student's times do.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/machine/machine.h"
#include "harness/measure/noise.h"
#include "tests/unit/measure_scene.h"

#define PAIRS 14

static int set_up(void **state)
{
    struct scene *c = *state = new_scene(PAIRS);
    for (int i = 0; c && i < PAIRS; i++)
        c->result.baseline[i] *= 1 + 0.01 * (i % 3);
    return c ? 0 : -1;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

/* The verdict; its reason has `words`. */
static enum verdict judged(struct scene *c, const char *words)
{
    c->result.outcome.reason[0] = '\0';
    measure_evaluate(&c->session);
    measure_judge(&c->session);
    if (!strstr(c->result.outcome.reason, words))
        fail_msg("reason is: %s", c->result.outcome.reason);
    return c->result.outcome.verdict;
}

static void quiet(void **state)
{
    assert_int_equal(judged(*state, ""), VERDICT_PASS);
}

static void students_own_scatter(void **state)
{
    struct scene *c = *state;
    for (int i = 0; i < PAIRS; i++)
        c->result.student[i] *= i % 2 ? 3 : 1;
    assert_int_equal(judged(c, ""), VERDICT_PASS);
}

/* A baseline that is slow for a while, as beside a program that fills the memory: of one thread
 * its fast blocks count, and what they take is known. */
static void baseline_scatters(void **state)
{
    struct scene *c = *state;
    for (int i = 0; i < PAIRS; i++)
        c->result.baseline[i] *= i < 7 ? 1 : 1.4;
    assert_int_equal(judged(c, ""), VERDICT_PASS);
    c->spec.student.env.threads = 2;
    assert_int_equal(judged(c, "known to"), VERDICT_NOISY);
    assert_true(c->result.scatter > 0.3);
}

static void quick_pairs_may_scatter_more(void **state)
{
    struct scene *c = *state;
    static const double slower[] = {1, 1.18, 1.09, 1, 1.18};
    c->result.n = 5;
    c->spec.student.env.threads = 2;
    for (int i = 0; i < 5; i++)
        c->result.baseline[i] = 12e-3 * slower[i];
    assert_int_equal(judged(c, "known to"), VERDICT_NOISY);
    c->spec.quick = true;
    assert_int_equal(judged(c, ""), VERDICT_PASS);
}

/* Every other one slower, as where two processors differ. */
static void against_itself(void **state)
{
    struct scene *c = *state;
    for (int i = 0; i < PAIRS; i++)
        c->result.baseline[i] = i % 2 ? 12e-3 : 12.9e-3;
    assert_int_equal(judged(c, "against itself differs by 7%"), VERDICT_NOISY);
}

/* One pair of neighbours that differs by chance is no reason. */
static void chance(void **state)
{
    struct scene *c = *state;
    c->result.baseline[4] *= 1.5;
    assert_int_equal(judged(c, ""), VERDICT_PASS);
    c->result.baseline[9] *= 0.8;
    c->spec.student.env.threads = 2;
    assert_int_equal(judged(c, ""), VERDICT_PASS);
}

static void slower_than_alone(void **state)
{
    struct scene *c = *state;
    c->session.alone = 10e-3;
    assert_int_equal(judged(c, "beside the student"), VERDICT_NOISY);
}

/* Others on one processor take it from a task that has all; one on a GPU needs one for itself. */
static void others_on_processors(void **state)
{
    struct scene *c = *state;
    const int cores = machine_here()->cores;
    c->session.busy = (struct busy_total){.wall = 10, .others = 10};
    c->session.waits_unknown = true;
    c->spec.student.env.threads = cores;
    assert_int_equal(judged(c, "other programs kept 1.0 of"), VERDICT_NOISY);
    c->spec.student.device = DEVICE_CUDA;
    assert_int_equal(judged(c, cores > 1 ? "" : "kept 1.0"),
                     cores > 1 ? VERDICT_PASS : VERDICT_NOISY);
    c->session.busy.others = 10 * cores;
    assert_int_equal(judged(c, "the task has 1 thread:"), VERDICT_NOISY);
}

/* A student's thread that runs when the kernel counts alone passes for another program: its own
 * blocks tell nothing of others. */
static void own_ticks_are_no_others(void **state)
{
    struct scene *c = *state;
    const double cores = machine_here()->cores;
    const struct busy from = {.wall = 0}, counted = {.wall = 10, .all = 10 * cores, .own = 1},
                      quiet_end = {.wall = 10, .all = 1, .own = 1};
    c->session.waits_unknown = true;
    c->spec.student.env.threads = (int)cores;
    measure_load(&c->session, true, &from, &counted);
    measure_load(&c->session, false, &from, &quiet_end);
    assert_int_equal(judged(c, ""), VERDICT_PASS);
    measure_load(&c->session, false, &from, &counted);
    assert_int_equal(judged(c, "other programs kept"), VERDICT_NOISY);
}

/* What a thread waits for others is taken off, so that they may be there. */
static void others_whose_time_is_known(void **state)
{
    struct scene *c = *state;
    c->session.busy = (struct busy_total){.wall = 10, .others = 10 * machine_here()->cores};
    assert_int_equal(judged(c, ""), VERDICT_PASS);
    c->session.waits_unknown = true;
    assert_int_equal(judged(c, "other programs kept"), VERDICT_NOISY);
}

/* Of a call of 10 ms, in which a single thread waited for 6 and used 3.99 or 4.02. */
static void waits_are_taken_off(void **state)
{
    struct scene *c = *state;
    struct exchange_call call = {.seconds = 10e-3, .cpu_seconds = 3.99e-3, .waited_seconds = 6e-3};
    assert_true(fabs(measure_counted(&c->session, &call) - (4e-3)) < 1e-9);
    call.cpu_seconds = 4.02e-3;
    assert_true(fabs(measure_counted(&c->session, &call) - (4.02e-3)) < 1e-9);
    assert_false(c->session.waits_unknown);
}

/* Who sleeps waits for nobody; and threads that make the first one wait have used that time. */
static void waits_win_nothing(void **state)
{
    struct scene *c = *state;
    struct exchange_call call = {.seconds = 10e-3, .cpu_seconds = 2e-3};
    assert_true(fabs(measure_counted(&c->session, &call) - (10e-3)) < 1e-9);
    call.waited_seconds = 9.99e-3;
    call.cpu_seconds = 10e-3;
    assert_true(fabs(measure_counted(&c->session, &call) - (10e-3)) < 1e-9);
    call.waited_seconds = 0; /* on two processors */
    call.cpu_seconds = 19e-3 + noise_limits.call_cpu;
    assert_true(fabs(measure_counted(&c->session, &call) - (19e-3)) < 1e-9);
}

static void waits_unknown(void **state)
{
    struct scene *c = *state;
    struct exchange_call call = {.seconds = 10e-3, .cpu_seconds = 2e-3, .waited_seconds = -1};
    assert_true(fabs(measure_counted(&c->session, &call) - (10e-3)) < 1e-9);
    assert_true(c->session.waits_unknown);
    c->session.waits_unknown = false;
    c->spec.student.env.threads = 2;
    call.waited_seconds = 8e-3;
    assert_true(fabs(measure_counted(&c->session, &call) - (10e-3)) < 1e-9);
    assert_true(c->session.waits_unknown);
}

/* A ratio that is known badly is the student's own, but not beside other programs. */
static void scatter_beside_others(void **state)
{
    struct scene *c = *state;
    const int cores = machine_here()->cores;
    if (cores < 2)
        skip();
    const double others = cores - 1;
    for (int i = 0; i < PAIRS; i++)
        c->result.student[i] *= i < 2 ? 1 : 1.4;
    assert_int_equal(judged(c, ""), VERDICT_PASS);
    c->session.busy = (struct busy_total){.wall = 10, .others = 10 * others};
    assert_int_equal(judged(c, "and the ratio is known to"), VERDICT_NOISY);
    c->session.busy.others = 4;
    assert_int_equal(judged(c, ""), VERDICT_PASS);
    c->session.busy.others = 10 * others;
    for (int i = 0; i < PAIRS; i++)
        c->result.student[i] = 6e-3;
    assert_int_equal(judged(c, ""), VERDICT_PASS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* Blocks of so many calls, around so many of which, the baseline's and the student's, a processor
 * is seen at half its pace. */
static void disturb(struct scene *c, int calls, int baseline, int student)
{
    const int of[2] = {baseline, student};
    c->session.pairs = PAIRS;
    for (int i = 0; i < PAIRS; i++)
        for (int k = 0; k < 2; k++) {
            struct measure_block *b = &c->session.block[k][i];
            b->n = calls;
            for (int j = 0; j <= calls; j++)
                b->look[j] = j > 0 && j <= of[k] ? 0.5 : 1;
            for (int j = 0; j < calls; j++)
                b->seconds[j] = k ? 6e-3 : 12e-3;
        }
    measure_settle(&c->session);
}

/* A student of blocks of three or four calls can spoil the looks at its own processors. That does
 * not make its points wait; a machine that is disturbed for both does. */
static void own_disturbance(void **state)
{
    struct scene *c = *state;
    for (int calls = 3; calls <= 4; calls++) {
        disturb(c, calls, 0, calls);
        assert_false(c->result.unsettled);
        assert_int_equal(c->result.n, PAIRS);
        assert_int_equal(judged(c, ""), VERDICT_PASS);
        disturb(c, calls, calls - 1, calls);
        assert_true(c->result.unsettled);
        assert_int_equal(judged(c, "of the calls"), VERDICT_NOISY);
        disturb(c, calls, calls, 0);
        assert_int_equal(judged(c, "of the calls"), VERDICT_NOISY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(quiet),
        TEST(students_own_scatter),
        TEST(baseline_scatters),
        TEST(quick_pairs_may_scatter_more),
        TEST(against_itself),
        TEST(chance),
        TEST(slower_than_alone),
        TEST(others_on_processors),
        TEST(own_ticks_are_no_others),
        TEST(others_whose_time_is_known),
        TEST(waits_are_taken_off),
        TEST(waits_win_nothing),
        TEST(waits_unknown),
        TEST(scatter_beside_others),
        TEST(own_disturbance),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
