/* How conv_dense_split's kernel for little work parts a convolution (conv2d/variants/near_plan.h),
 * and where its weights lie, without a GPU. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "conv2d/variants/near_known.h"
#include "conv2d/variants/near_weights.h"
#include "conv2d/variants/wide_rule.h"

static const struct split_gpu h200[2] = {{132, 232448, 1, true, false},
                                         {132, 232448, 2, true, false}};

static struct conv2d_problem square(int c, int k, int size, int r, int pad, int stride)
{
    const struct conv2d_problem p = {1, c, size, size, k, r, r, stride, pad, CONV_NCHW, CONV_F32};
    return p;
}

static const int shapes[][6] = {
    {20, 50, 11, 5, 0, 1}, {832, 160, 7, 1, 0, 1},  {384, 384, 5, 3, 1, 1},  {17, 5, 31, 5, 3, 2},
    {3, 64, 224, 3, 1, 3}, {512, 512, 14, 3, 1, 3}, {160, 320, 14, 3, 1, 1}, {1, 1, 1, 1, 0, 1},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct conv2d_problem problem(int i)
{
    const int *v = shapes[i];
    return square(v[0], v[1], v[2], v[3], v[4], v[5]);
}

/* A plan covers all outputs, channels and filters, and fits, twice where two share a
 * multiprocessor. */
static void assert_whole(const struct conv2d_problem *p, const struct split_plan *s)
{
    const int groups = split_groups(p, s), fragments = near_fragments(s);
    const struct near_memory m = near_memory_of(p, s);
    assert_int_equal(s->wm * s->wn * s->wk, SPLIT_WARPS);
    assert_true(s->th >= 1 && s->tw >= 1 && s->th * s->tw <= split_outputs(s));
    assert_true(split_tiles(p, s) * s->th * s->tw >= conv2d_rows(p) * conv2d_columns(p));
    assert_true(s->split >= 1 && s->split <= SPLIT_MOST);
    assert_true(groups * s->split >= (p->c + 15) / 16);
    assert_true(groups * (s->split - 1) < (p->c + 15) / 16); /* no block without channels */
    assert_true(s->chunk >= 1 && near_chunks(p, s) * s->chunk >= groups);
    assert_true(m.all <= h200[0].shared_bytes / near_resident(s) - 1024);
    /* every fragment's terms have a place in the block that adds them */
    assert_true((m.all - m.inbox) * s->split >= fragments * 512 * s->split * s->wk);
    assert_int_equal(m.inbox % 16, 0); /* st.async's 16 bytes */
}

/* Four neighbouring quads of two neighbouring pixels: eight different sets of four banks. */
static void assert_banks_differ(const struct conv2d_problem *p, const struct split_plan *s)
{
    int seen = 0;
    for (int i = 0; i < 8; i++)
        seen |= 1 << (i / 4 + i % 4 * near_apart(p, s)) % 8;
    assert_int_equal(seen, 255);
    assert_true(near_apart(p, s) >= split_pixels(p, s));
}

static void plans_are_whole(void **state)
{
    int tried = 0;
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int at = 0; at < 2 * NEAR_PLANS; at++) {
            const struct conv2d_problem p = problem(i);
            struct split_plan s;
            if (!near_plan_at(&p, &h200[at % 2], at / 2, &s))
                continue;
            assert_whole(&p, &s);
            assert_banks_differ(&p, &s);
            assert_int_equal(s.halves, h200[at % 2].halves);
            tried++;
        }
    assert_true(tried > 100 * SHAPES);
}

static void without_clusters_nothing_is_shared(void **state)
{
    const struct conv2d_problem p = problem(1);
    const struct split_gpu alone = {132, 232448, 2, false, false};
    struct split_plan s;
    double cost = 0;
    (void)state;
    assert_true(near_plan_choose(&p, &alone, &s, &cost));
    assert_int_equal(s.split, 1);
    assert_true(near_plan_choose(&p, &h200[1], &s, &cost));
    assert_true(s.split > 1);
}

static void known_plans_are_whole(void **state)
{
    const struct split_gpu small = {40, 65536, 2, true, false};
    (void)state;
    for (size_t i = 0; i < sizeof near_known / sizeof *near_known; i++) {
        const struct near_known *k = &near_known[i];
        const struct conv2d_problem p = square(k->c, k->k, k->size, k->r, k->pad, k->stride);
        struct split_plan s = {0};
        bool fetched = false;
        assert_true(near_plan_known(&p, &h200[k->halves - 1], &s, &fetched));
        assert_whole(&p, &s);
        assert_int_equal(s.mt, k->plan.mt);
        assert_int_equal(s.split, k->plan.split);
        assert_int_equal(fetched, k->fetched);
        assert_false(near_plan_known(&p, &small, &s, &fetched));
    }
}

/* Cycles: with more work more, with one product for three less; where it was measured, by at most a
 * third off (4a.1, 5a.1: 4.5 and 4.2 us at 1,980 MHz). */
static void costs_are_near_what_was_measured(void **state)
{
    static const double us[2] = {4.50, 4.25};
    static const int at[2][2] = {{480, 192}, {832, 256}};
    struct split_plan s;
    double three = 0, one = 0;
    (void)state;
    for (int i = 0; i < 2; i++) {
        const struct conv2d_problem p = square(at[i][0], at[i][1], i ? 7 : 14, 1, 0, 1);
        assert_true(near_plan_choose(&p, &h200[1], &s, &three));
        assert_true(three > us[i] * 1980 * 0.67 && three < us[i] * 1980 * 1.33);
        assert_true(near_plan_choose(&p, &h200[0], &s, &one));
        assert_true(one < three);
    }
}

/* The rule takes every layer of ours that is not the wide kernel's, and no image of 2^31 elements.
 */
static void worth_where_work_is_little(void **state)
{
    struct split_plan s;
    double cost;
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        const struct conv2d_problem p = problem(i);
        assert_true(wide_plan_worth(&p) || near_plan_worth(&p, &h200[1], &s, &cost));
    }
    struct conv2d_problem p = problem(0);
    p.n = 1 << 20;
    assert_false(near_plan_worth(&p, &h200[1], &s, &cost));
}

/* Each weight is where its lane takes it, and all else is zero. */
static void weights_lie_as_packed(void **state)
{
    const struct conv2d_problem p = {1, 20, 9, 9, 35, 3, 2, 1, 1, CONV_NCHW, CONV_F32};
    const int all = p.k * p.c * 6;
    float *w = calloc((size_t)all, sizeof *w);
    (void)state;
    assert_non_null(w);
    for (int i = 0; i < all; i++)
        w[i] = 1 + (float)(i + 1) * 0x1p-20f;
    for (int halves = 1; halves <= 2; halves++) {
        size_t count = 0, set = 0;
        float *packed = near_weights_make(&p, w, halves, &count);
        assert_non_null(packed);
        assert_int_equal(count, 3 * 2 * 6 * 256);
        for (int i = 0; i < all; i++) {
            const int k = i / (p.c * 6), c = i / 6 % p.c, tap = i % 6;
            const int lane = k % 8 * 4 + c % 16 / 4, in = c % 4;
            const size_t step = ((size_t)(k / 16) * 2 + (size_t)c / 16) * 6 + (size_t)tap;
            const float got =
                packed[step * 256 + (size_t)(in / 2 * 128 + lane * 4 + in % 2 * 2 + k % 16 / 8)];
            const float off = got - w[i];
            assert_true(halves == 2 ? off == 0 : off <= 0x1p-11f && off >= -0x1p-11f);
        }
        for (size_t i = 0; i < count; i++)
            set += packed[i] != 0;
        assert_int_equal(set, all);
        free(packed);
    }
    free(w);
}

static void rounds_to_eleven_bits(void **state)
{
    (void)state;
    assert_true(near_weight_rounded(1 + 0x1p-11f) == 1 + 0x1p-10f); /* a half goes up */
    assert_true(near_weight_rounded(1 + 0x1.8p-12f) == 1);
    assert_true(near_weight_rounded(-0x1.fffffep1f) == -4);
    assert_true(near_weight_rounded(INFINITY) == INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_whole),
        cmocka_unit_test(without_clusters_nothing_is_shared),
        cmocka_unit_test(known_plans_are_whole),
        cmocka_unit_test(costs_are_near_what_was_measured),
        cmocka_unit_test(worth_where_work_is_little),
        cmocka_unit_test(weights_lie_as_packed),
        cmocka_unit_test(rounds_to_eleven_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
