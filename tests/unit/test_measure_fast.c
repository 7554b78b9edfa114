/* What counts of the blocks of a task of one thread, and how many rounds of pairs are taken. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "harness/measure/noise.h"
#include "tests/unit/measure_scene.h"

#define PAIRS 14

static int set_up(void **state)
{
    return (*state = new_scene(PAIRS)) ? 0 : -1;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

/* The verdict, and the ratio within 1% of `ratio`. */
static enum verdict judged(struct scene *c, double ratio)
{
    measure_evaluate(&c->session);
    measure_judge(&c->session);
    if (!(fabs(c->result.speed.ratio.value / ratio - 1) < 0.01))
        fail_msg("the ratio is %g", c->result.speed.ratio.value);
    return c->result.outcome.verdict;
}

/* The other thread of a core is busy most of the time, which slows the student more. */
static void fast_blocks_count(void **state)
{
    struct scene *c = *state;
    for (int i = 0; i < PAIRS; i++) {
        const bool calm = i % 4 == 1;
        c->result.baseline[i] = 12e-3 * (calm ? 1 : 1.1);
        c->result.student[i] = 2e-3 * (calm ? 1 : 1.6);
    }
    assert_int_equal(judged(c, 6), VERDICT_PASS);
    assert_true(fabs(c->result.speed.student_s / 2e-3 - 1) < 0.01);
    c->spec.student.env.threads = 2;
    judged(c, 6 * 1.1 / 1.6);
    c->spec.student.env.threads = 1;
    c->spec.student.device = DEVICE_CUDA;
    judged(c, 6 * 1.1 / 1.6);
}

/* One block that is fast by luck is not what counts. */
static void luck_does_not_count(void **state)
{
    struct scene *c = *state;
    c->result.student[3] /= 3;
    assert_int_equal(judged(c, 2), VERDICT_PASS);
}

/* One round more, and others while the machine is noisy. */
static void rounds(void **state)
{
    struct scene *c = *state;
    const struct stats_interval *ratio = &c->result.speed.ratio;
    c->session.pairs = PAIRS;
    for (int i = 0; i < PAIRS; i++)
        c->result.student[i] *= 1 + 0.01 * (i % 5);
    judged(c, 2);
    assert_true(ratio->low < ratio->high);
    assert_false(measure_wants_extension(&c->session, 1));
    c->spec.threshold = (ratio->low + ratio->high) / 2;
    assert_true(measure_wants_extension(&c->session, 1));
    assert_false(measure_wants_extension(&c->session, 2));
    c->session.alone = 10e-3;
    assert_int_equal(judged(c, 2), VERDICT_NOISY);
    for (int k = 1; k < (int)noise_limits.rounds; k++)
        assert_true(measure_wants_extension(&c->session, k));
    assert_false(measure_wants_extension(&c->session, (int)noise_limits.rounds));
    c->spec.quick = true;
    assert_false(measure_wants_extension(&c->session, 1));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(fast_blocks_count),
        TEST(luck_does_not_count),
        TEST(rounds),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
