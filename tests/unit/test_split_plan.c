/* The rule that parts a convolution among blocks (conv2d/variants/split_plan.h), and the one that
 * chooses between skipping zeros and not, without a GPU. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conv2d/variants/fastest_rule.h"
#include "conv2d/variants/split_known.h"

static const struct split_gpu h200 = {132, 232448, 2, true, false},
                              turing = {40, 65536, 2, false, false},
                              volta = {80, 98304, 2, false, true};

static struct conv2d_problem square(int c, int k, int size, int r, int pad, int stride)
{
    const struct conv2d_problem p = {1, c, size, size, k, r, r, stride, pad, CONV_NCHW, CONV_F32};
    return p;
}

/* Whatever is chosen covers all outputs, channels and filters, and fits. */
static void assert_whole(const struct conv2d_problem *p, const struct split_gpu *g,
                         const struct split_plan *s)
{
    const int groups = (p->c + 15) / 16;
    assert_int_equal(s->wm * s->wn * s->wk, SPLIT_WARPS);
    assert_true(s->th * s->tw <= split_outputs(s));
    assert_true(s->th >= 1 && s->tw >= 1 && s->chunk >= 1);
    assert_true(split_tiles(p, s) * s->th * s->tw >= conv2d_rows(p) * conv2d_columns(p));
    assert_true(s->split >= 1 && s->split <= SPLIT_MOST);
    assert_true(split_groups(p, s) * s->split >= groups);
    assert_true(split_groups(p, s) * (s->split - 1) < groups); /* no block without channels */
    assert_true(split_memory_of(p, s).all <= g->shared_bytes);
}

static void plans_are_whole(void **state)
{
    static const int shapes[][6] = {
        {1, 1, 1, 1, 0, 1},    {3, 64, 224, 3, 1, 1},  {512, 512, 14, 3, 1, 3},
        {17, 5, 31, 7, 3, 2},  {832, 256, 7, 1, 0, 1}, {64, 64, 224, 3, 1, 2},
        {20, 50, 11, 5, 0, 1}, {1000, 3, 5, 3, 1, 1},  {256, 256, 56, 3, 1, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int k = 0; k < 3; k++) {
            const int *v = shapes[i];
            const struct split_gpu *g = k == 0 ? &h200 : k == 1 ? &turing : &volta;
            const struct conv2d_problem p = square(v[0], v[1], v[2], v[3], v[4], v[5]);
            struct split_plan s;
            assert_true(split_plan_choose(&p, g, &s));
            assert_whole(&p, g, &s);
            assert_true(!g->small || s.mt * s.nt == 4); /* the one that is compiled */
        }
}

static void known_plans_are_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof split_known / sizeof *split_known; i++) {
        const struct split_known *k = &split_known[i];
        const struct conv2d_problem p = square(k->c, k->k, k->size, k->r, k->pad, k->stride);
        const struct split_gpu g = {132, 232448, k->halves, true, false};
        struct split_plan s;
        assert_true(split_plan_known(&p, &g, &s));
        assert_whole(&p, &g, &s);
        const struct split_gpu small = {40, 65536, k->halves, true, false};
        assert_false(split_plan_known(&p, &small, &s));
    }
}

static void divides_as_integers_do(void **state)
{
    (void)state;
    for (int by = 1; by < 3000; by += by < 70 ? 1 : 97)
        for (int x = 0; x < 1 << 20; x += x < 5000 ? 1 : 4099) {
            const int near = x / by * by; /* multiples, and one less */
            assert_int_equal(split_over(x, split_by(by)), x / by);
            assert_int_equal(split_over(near, split_by(by)), near / by);
            if (near > 0)
                assert_int_equal(split_over(near - 1, split_by(by)), (near - 1) / by);
        }
}

/* The more zeros, the less skipping costs; the break-even is where the two meet. */
static void skipping_pays_from_the_break_even_on(void **state)
{
    const struct conv2d_problem p = square(512, 512, 14, 3, 1, 1);
    (void)state;
    for (int i = 1; i <= 100; i++)
        assert_true(fastest_skip_cost(&p, i / 100.0, 132) <
                    fastest_skip_cost(&p, (i - 1) / 100.0, 132));
    const double cost = fastest_skip_cost(&p, 0.7, 132);
    assert_true(fabs(fastest_break_even(&p, cost, 132) - 0.7) < 1e-6);
    assert_true(fastest_break_even(&p, fastest_skip_cost(&p, 1, 132), 132) > 1);
    assert_true(fastest_break_even(&p, 1e12, 132) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_whole),
        cmocka_unit_test(known_plans_are_whole),
        cmocka_unit_test(divides_as_integers_do),
        cmocka_unit_test(skipping_pays_from_the_break_even_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
