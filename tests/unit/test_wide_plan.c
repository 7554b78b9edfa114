/* How conv_dense_split's kernel for Hopper parts a convolution (conv2d/variants/wide_plan.h), and
 * where its weights lie, without a GPU. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conv2d/variants/few_plan.h"
#include "conv2d/variants/wide_rule.h"
#include "conv2d/variants/wide_weights.h"

static const struct wide_gpu h200[2] = {{132, 232448, 1}, {132, 232448, 2}};

/* c, k, rows, columns, r, s, pad, stride */
static const int shapes[][8] = {
    {3, 64, 224, 224, 3, 3, 1, 1},  {64, 64, 224, 224, 3, 3, 1, 1}, {64, 128, 112, 112, 3, 3, 1, 2},
    {256, 256, 56, 56, 3, 3, 1, 1}, {512, 512, 28, 28, 3, 3, 1, 1}, {512, 512, 14, 14, 3, 3, 1, 2},
    {384, 384, 13, 13, 3, 3, 1, 1}, {160, 320, 14, 14, 3, 3, 1, 1}, {17, 5, 31, 7, 7, 3, 2, 1},
    {100, 70, 19, 300, 1, 1, 0, 1}, {20, 50, 23, 19, 5, 5, 0, 2},   {3, 10, 41, 37, 3, 3, 1, 2},
    {64, 64, 112, 112, 3, 3, 1, 3}, {32, 40, 40, 33, 2, 2, 0, 3},   {16, 64, 61, 47, 7, 7, 3, 2},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct conv2d_problem problem(int i)
{
    const int *v = shapes[i];
    const struct conv2d_problem p = {1,    v[0], v[2], v[3],      v[1],    v[4],
                                     v[5], v[7], v[6], CONV_NCHW, CONV_F32};
    return p;
}

/* Every output of the map is one column of one tile, no less and no more. */
static void assert_each_once(const struct conv2d_problem *p, const struct wide_plan *s)
{
    const struct wide_patch a = wide_patch_of(p, s);
    const int rows = conv2d_rows(p), columns = conv2d_columns(p), across = wide_across(p, s);
    int *times = calloc((size_t)rows * (size_t)columns, sizeof *times);
    assert_non_null(times);
    for (int i = 0; i < wide_tiles(p, s) * wide_outputs(s); i++) {
        const int tile = i / wide_outputs(s), n = i % wide_outputs(s);
        const int pixel = wide_pixel(s, n / s->columns, n % s->columns);
        const int u = pixel / a.pitch, v = pixel % a.pitch;
        const int row = tile / across * s->th + u, column = tile % across * s->tw + v;
        if (u < s->th && v < s->tw && row < rows && column < columns)
            times[row * columns + column]++;
    }
    for (int i = 0; i < rows * columns; i++)
        assert_int_equal(times[i], 1);
    free(times);
}

/* An output's pixel and a tap's shift lead to the element that the tap multiplies. */
static void assert_taps_meet(const struct conv2d_problem *p, const struct wide_plan *s)
{
    const struct wide_patch a = wide_patch_of(p, s);
    for (int tap = 0; tap < p->r * p->s; tap++)
        for (int i = 0; i < s->th * s->tw; i++) {
            const int u = i / s->tw, v = i % s->tw;
            const int pixel = u * a.pitch + v + wide_shift(p, &a, tap);
            const int phase = pixel / a.plane, rest = pixel % a.plane;
            assert_true(pixel < a.pixels);
            assert_int_equal(rest / a.pitch * p->stride + phase / a.column_phases,
                             u * p->stride + tap / p->s);
            assert_int_equal(rest % a.pitch * p->stride + phase % a.column_phases,
                             v * p->stride + tap % p->s);
        }
}

/* What is split is what taps of outputs read, each pixel once and where the patch has it; and of a
 * row and a column no more than the last tap of the last output needs. */
static void assert_needed_is_split(const struct conv2d_problem *p, const struct wide_plan *s)
{
    const struct wide_patch a = wide_patch_of(p, s);
    int *held = calloc((size_t)a.pixels, sizeof *held), read = 0;
    assert_non_null(held);
    for (int i = 0; i < a.needed; i++) {
        const struct wide_needed n = wide_needed_at(p, &a, i);
        assert_in_range(n.pixel, 0, a.pixels - 1);
        assert_int_equal(held[n.pixel], 0);
        held[n.pixel] = 1 + (n.row << 12 | n.column);
    }
    for (int tap = 0; tap < p->r * p->s; tap++)
        for (int i = 0; i < s->th * s->tw; i++) {
            const int u = i / s->tw, v = i % s->tw;
            const int pixel = u * a.pitch + v + wide_shift(p, &a, tap);
            const int row = u * p->stride + tap / p->s, column = v * p->stride + tap % p->s;
            assert_int_equal(held[pixel] & 0xffffff, 1 + (row << 12 | column));
            read += held[pixel] >> 24 == 0;
            held[pixel] |= 1 << 24;
        }
    assert_int_equal(read, a.needed);
    free(held);
}

static void assert_fits(const struct conv2d_problem *p, const struct wide_plan *s)
{
    const struct wide_patch a = wide_patch_of(p, s);
    assert_true(wide_memory_of(p, s).all <= h200[0].shared_bytes);
    assert_true(2 * s->deep * a.needed <= WIDE_CONVERTERS * 32 * WIDE_ITEMS(s->columns));
    assert_true(a.needed <= a.pixels && a.pixels <= a.apart);
    assert_true(s->x_stages >= 2 && s->x_stages <= 4 && s->w_stages >= 2 && s->w_stages <= 8);
    assert_true(wide_tap_rows(p) <= WIDE_TAP_ROWS);
    assert_int_equal(a.pitch % 2, 0); /* pairs of outputs are in one row */
    assert_int_equal(s->step % 2, 0);
    /* a warpgroup's last stages, all of the other's, and its next one */
    assert_true(s->wn == 2 || (s->x_stages >= 3 && wide_tap_rows(p) * s->deep + 2 <= s->w_stages));
    assert_true(wide_groups_each(p, s) * s->cluster >= wide_groups(p));
    assert_true(wide_groups_each(p, s) * (s->cluster - 1) < wide_groups(p));
}

static void plans_are_whole(void **state)
{
    int tried = 0;
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int at = 0; at < 2 * WIDE_PLANS; at++) {
            const struct conv2d_problem p = problem(i);
            struct wide_plan s;
            if (!wide_plan_at(&p, &h200[at % 2], at / 2, &s))
                continue;
            assert_fits(&p, &s);
            assert_each_once(&p, &s);
            assert_taps_meet(&p, &s);
            assert_needed_is_split(&p, &s);
            tried++;
        }
    assert_true(tried > 20 * SHAPES);
}

/* All of VGG-19 at strides 1 and 2, but neither few channels, small layers nor stride 3. */
static void worth_where_there_is_work(void **state)
{
    (void)state;
    for (int i = 1; i < 8; i++) {
        const struct conv2d_problem p = problem(i);
        struct wide_plan s;
        assert_true(wide_plan_worth(&p));
        assert_true(wide_plan_choose(&p, &h200[1], &s));
    }
    struct conv2d_problem p = problem(0);
    assert_false(wide_plan_worth(&p));
    assert_true(few_takes(&p));
    p = problem(4);
    p.stride = 3;
    assert_false(wide_plan_worth(&p));
    p = problem(8);
    assert_false(wide_plan_worth(&p));
}

/* Each weight is where the kernel takes it, to 22 bits, and all else is zero. */
static void weights_lie_as_packed(void **state)
{
    (void)state;
    const struct conv2d_problem p = {1, 20, 9, 9, 70, 3, 3, 1, 1, CONV_NCHW, CONV_F32};
    struct wide_plan s = {.halves = 2, .deep = 1};
    struct wide_weights packed = {0};
    const int all = p.k * p.c * 9, groups = 2;
    float *w = calloc((size_t)all, sizeof *w);
    size_t found = 0, set = 0;
    assert_non_null(w);
    for (int i = 0; i < all; i++)
        w[i] = sinf((float)i) + 1.5f;
    assert_true(wide_weights_make(&p, &s, w, &packed));
    assert_false(packed.exact);
    for (int i = 0; i < all; i++) {
        const int k = i / (p.c * 9), c = i / 9 % p.c, tap = i % 9;
        const size_t step = (((size_t)(k / 64) * groups + (size_t)c / 16) * 9 + tap) * 2;
        const uint16_t *at = packed.halves + step * 1024 + c % 16 / 8 * 512 + k % 64 * 8 + c % 8;
        const float got =
            packed.unit[k] * (half_to_float(at[0]) + 0x1p-11f * half_to_float(at[1024]));
        assert_true(fabsf(got - w[i]) <= 0x1p-22f * w[i]);
        found += (at[0] != 0) + (at[1024] != 0);
    }
    for (size_t i = 0; i < packed.count; i++)
        set += packed.halves[i] != 0;
    assert_int_equal(set, found);
    wide_weights_free(&packed);
    free(w);
}

/* Two halves a weight, and little else, where filters and channels fill their blocks. */
static void weights_take_four_bytes(void **state)
{
    (void)state;
    const struct conv2d_problem p = problem(1);
    const size_t all = conv2d_w_count(&p);
    float *w = calloc(all, sizeof *w);
    struct wide_weights packed = {0};
    struct wide_plan s;
    assert_non_null(w);
    assert_true(wide_plan_choose(&p, &h200[1], &s));
    assert_true(wide_weights_make(&p, &s, w, &packed));
    assert_int_equal(packed.count * sizeof *packed.halves, all * 4);
    wide_weights_free(&packed);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_whole),
        cmocka_unit_test(worth_where_there_is_work),
        cmocka_unit_test(weights_lie_as_packed),
        cmocka_unit_test(weights_take_four_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
