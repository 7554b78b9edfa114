/* The rule that chooses a tile of the fused convolution-pooling for GPUs without Hopper's
 * instructions: conv2d/variants/stream_shapes.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conv2d/variants/stream_shapes.h"

static const struct pool_shape one[] = {STREAM_SHAPES_1(STREAM_ROW)};
static const struct pool_shape three[] = {STREAM_SHAPES_3(STREAM_ROW)};

enum { H200 = 132, ONES = sizeof one / sizeof *one, THREES = sizeof three / sizeof *three };

/* 64 images, n x n, as many filters as channels. */
static struct convpool_problem square(int n, int channels)
{
    return (struct convpool_problem){.conv = {.n = 64,
                                              .c = channels,
                                              .h = n,
                                              .w = n,
                                              .k = channels,
                                              .r = 3,
                                              .s = 3,
                                              .stride = 1,
                                              .pad = 1,
                                              .layout = CONV_NHWC},
                                     .pool = 2};
}

/* Those measured to be the fastest of their size on an H200, or within 4% of it. */
static void measured_choices(void **state)
{
    static const struct {
        int n, channels, filters, split;
    } known[] = {
        {8, 32, 32, 1},   {8, 64, 32, 2},    {8, 128, 64, 4},   {8, 256, 128, 4},
        {8, 512, 128, 4}, {16, 64, 32, 1},   {16, 128, 64, 1},  {16, 512, 256, 1},
        {32, 32, 32, 1},  {64, 128, 128, 1}, {64, 512, 256, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct convpool_problem p = square(known[i].n, known[i].channels);
        const struct pool_shape *s = &one[pool_choose(&p, one, ONES, H200)];
        assert_int_equal(s->filters, known[i].filters);
        assert_int_equal(s->split, known[i].split);
        assert_int_equal(s->kind, known[i].n == 8);
    }
}

/* Blocks that share channels have whole chunks of 32; none shares where tiles are enough. */
static void channels_are_shared_whole(void **state)
{
    (void)state;
    for (int n = 2; n < 40; n += 3)
        for (int c = 32; c <= 512; c += 32) {
            const struct convpool_problem p = square(n, c);
            const int at = pool_choose(&p, one, ONES, H200);
            assert_in_range(at, 0, ONES - 1);
            assert_int_equal(p.conv.c % (one[at].split * 32), 0);
            assert_int_equal(p.conv.k % one[at].filters, 0);
            assert_in_range(pool_choose(&p, three, THREES, H200), 0, THREES - 1);
            struct convpool_problem many = p;
            many.conv.n = 100000;
            assert_int_equal(one[pool_choose(&many, one, ONES, H200)].split, 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_choices),
        cmocka_unit_test(channels_are_shared_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
