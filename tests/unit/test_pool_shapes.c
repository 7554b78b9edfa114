/* The rule that chooses a fused convolution-pooling's tile: conv2d/variants/pool_shapes.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conv2d/variants/pool_shapes.h"

static const struct list {
    const struct pool_shape *shapes;
    int count;
} lists[] = {
#define ROWS(SHAPES) ((const struct pool_shape[]){SHAPES(POOL_SHAPE_ROW)})
#define LIST(SHAPES)                                                                               \
    {                                                                                              \
        ROWS(SHAPES), sizeof ROWS(SHAPES) / sizeof(struct pool_shape)                              \
    }
    LIST(POOL_SHAPES_HALF), LIST(POOL_SHAPES_TF32), LIST(POOL_SHAPES_FLOAT),
    LIST(POOL_MAPS_HALF),   LIST(POOL_MAPS_TF32),   LIST(POOL_MAPS_FLOAT),
    LIST(POOL_WHOLE_HALF),  LIST(POOL_WHOLE_TF32),  LIST(POOL_WHOLE_FLOAT),
    LIST(POOL_INSIDE_HALF), LIST(POOL_INSIDE_TF32), LIST(POOL_INSIDE_FLOAT),
};

enum {
    H200 = 132,
    HALF = 0,
    TF32 = 1,
    MAPS = 3,
    WHOLE = 6,
    INSIDE = 9,
    LISTS = sizeof lists / sizeof *lists
};

/* The benchmark's problem: 64 images, n x n, as many filters as channels. */
static struct convpool_problem square(int n, int channels)
{
    struct convpool_problem p = {.pool = 2};
    p.conv = (struct conv2d_problem){.n = 64, .c = channels, .h = n, .w = n, .k = channels, .r = 3};
    p.conv.s = 3;
    p.conv.stride = p.conv.pad = 1;
    p.conv.layout = CONV_NHWC;
    return p;
}

static int64_t blocks_of(const struct convpool_problem *p, const struct pool_shape *s)
{
    return pool_fits(p, s) ? pool_tiles(p, s) * s->split : 0;
}

static int fills(const struct pool_shape *s, int64_t blocks, int machine)
{
    return blocks * 8 >= (int64_t)s->least * machine;
}

/* What is chosen fits; none before it in the list fills what it asks for, or, where none does, has
 * as many blocks, and none after it has more. In the last lists none need fit. */
static void assert_first(const struct convpool_problem *p, const struct list *list, int machine)
{
    const int chosen = pool_choose(p, list->shapes, list->count, machine);
    if (chosen < 0 && list >= &lists[INSIDE])
        return;
    assert_in_range(chosen, 0, list->count - 1);
    const int64_t most = blocks_of(p, &list->shapes[chosen]);
    const int full = fills(&list->shapes[chosen], most, machine);
    assert_true(most > 0);
    for (int i = 0; i < list->count; i++) {
        const int64_t blocks = blocks_of(p, &list->shapes[i]);
        if (i < chosen)
            assert_true(!blocks ||
                        (!fills(&list->shapes[i], blocks, machine) && blocks < most + full));
        else if (!full)
            assert_true(blocks <= most);
    }
}

static void first_that_fills(void **state)
{
    static const int machines[] = {H200, 100, 84, 40};
    (void)state;
    for (int l = 0; l < LISTS; l++)
        for (int n = 8; n <= 64; n *= 2)
            for (int c = 32; c <= 512; c *= 2)
                for (int m = 0; m < 4; m++) {
                    struct convpool_problem p = square(n, c);
                    p.conv.layout = l >= MAPS && l < WHOLE ? CONV_NCHW : CONV_NHWC;
                    assert_first(&p, &lists[l], machines[m]);
                }
}

/* The sizes that the lists were made for. */
static void known_choices(void **state)
{
    (void)state;
    static const struct {
        int list, n, channels, filters, groups, split, kind;
    } known[] = {
        {0, 64, 512, 256, 2, 1, POOL_SQUARE},  {0, 16, 512, 256, 1, 1, POOL_SQUARE},
        {0, 32, 128, 128, 1, 1, POOL_SQUARE},  {0, 64, 64, 64, 2, 1, POOL_SQUARE},
        {0, 8, 512, 128, 1, 2, POOL_SMALL},    {0, 8, 32, 32, 1, 1, POOL_SMALL},
        {0, 16, 64, 64, 1, 1, POOL_SQUARE},    {0, 8, 128, 64, 1, 2, POOL_SMALL},
        {0, 8, 256, 64, 1, 2, POOL_SMALL},     {1, 64, 512, 256, 2, 1, POOL_SQUARE},
        {1, 64, 128, 128, 1, 1, POOL_SQUARE},  {1, 16, 512, 256, 1, 1, POOL_SQUARE},
        {1, 64, 256, 256, 1, 1, POOL_SQUARE},  {1, 32, 32, 32, 2, 1, POOL_SQUARE},
        {1, 16, 256, 128, 1, 1, POOL_SQUARE},  {1, 16, 64, 64, 1, 1, POOL_SQUARE},
        {1, 16, 32, 32, 1, 1, POOL_SHORT},     {1, 8, 32, 32, 1, 1, POOL_ONE},
        {2, 64, 512, 128, 1, 1, POOL_SQUARE},  {2, 64, 32, 32, 1, 1, POOL_SQUARE},
        {2, 32, 32, 32, 1, 1, POOL_SQUARE},    {2, 16, 32, 32, 1, 1, POOL_SHORT},
        {2, 8, 32, 32, 1, 1, POOL_ONE},        {2, 8, 256, 64, 1, 2, POOL_SMALL},
        {2, 16, 64, 64, 1, 1, POOL_SQUARE},    {2, 16, 128, 64, 1, 1, POOL_SQUARE},
        {6, 8, 512, 128, 1, 2, POOL_SMALL},    {6, 8, 256, 64, 1, 2, POOL_SMALL},
        {6, 8, 64, 32, 1, 1, POOL_ONE},        {6, 8, 32, 32, 1, 1, POOL_ONE},
        {6, 16, 512, 256, 1, 1, POOL_SQUARE},  {6, 16, 256, 256, 1, 2, POOL_SQUARE},
        {6, 16, 128, 128, 1, 2, POOL_SQUARE},  {7, 16, 256, 256, 1, 2, POOL_SQUARE},
        {7, 16, 128, 128, 1, 2, POOL_SQUARE},  {7, 16, 64, 64, 1, 2, POOL_SQUARE},
        {8, 16, 128, 128, 1, 2, POOL_SQUARE},  {8, 16, 64, 64, 1, 2, POOL_SQUARE},
        {10, 16, 256, 256, 1, 2, POOL_SQUARE}, {10, 16, 128, 128, 1, 2, POOL_SQUARE},
        {7, 8, 512, 128, 1, 2, POOL_SMALL},    {7, 8, 64, 64, 1, 2, POOL_ONE},
        {7, 8, 32, 32, 1, 1, POOL_ONE},        {8, 8, 512, 128, 1, 2, POOL_SMALL},
        {8, 8, 256, 64, 1, 2, POOL_SMALL},     {8, 8, 128, 64, 1, 2, POOL_TWO},
        {8, 8, 64, 64, 1, 2, POOL_ONE},        {8, 8, 32, 32, 1, 1, POOL_ONE},
        {9, 16, 512, 256, 1, 1, POOL_SQUARE},  {9, 16, 64, 64, 1, 1, POOL_SQUARE},
        {9, 8, 512, 128, 1, 2, POOL_SMALL},    {9, 8, 64, 64, 1, 1, POOL_ONE},
        {9, 8, 32, 32, 1, 1, POOL_ONE},        {10, 8, 256, 64, 1, 2, POOL_SMALL},
        {10, 8, 128, 64, 1, 2, POOL_TWO},      {10, 8, 64, 32, 1, 2, POOL_TWO},
        {10, 16, 64, 64, 1, 2, POOL_SQUARE},   {11, 16, 128, 128, 1, 2, POOL_SQUARE},
        {11, 8, 256, 64, 1, 2, POOL_SMALL},    {11, 8, 128, 64, 1, 2, POOL_TWO},
        {11, 8, 64, 32, 1, 2, POOL_TWO},       {11, 16, 64, 64, 1, 2, POOL_SQUARE},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct list *list = &lists[known[i].list];
        const struct convpool_problem p = square(known[i].n, known[i].channels);
        const struct pool_shape *s =
            &list->shapes[pool_choose(&p, list->shapes, list->count, H200)];
        assert_int_equal(s->filters, known[i].filters);
        assert_int_equal(s->groups, known[i].groups);
        assert_int_equal(s->split, known[i].split);
        assert_int_equal(s->kind, known[i].kind);
    }
}

/* A pair of blocks takes twice its filters, and counts as two. */
static void pairs(void **state)
{
    (void)state;
    struct convpool_problem p = square(32, 512);
    const struct pool_shape *pair =
        &lists[TF32].shapes[pool_choose(&p, lists[TF32].shapes, lists[TF32].count, H200)];
    struct pool_shape single = *pair;
    single.pair = 0;
    assert_int_equal(pair->pair, 1);
    assert_int_equal(pool_tiles(&p, pair), pool_tiles(&p, &single));
    p.conv.k = 3 * pair->filters;
    assert_false(pool_fits(&p, pair));
    assert_true(pool_fits(&p, &single));
    assert_int_equal(
        lists[TF32].shapes[pool_choose(&p, lists[TF32].shapes, lists[TF32].count, H200)].pair, 0);
}

/* A smaller machine is filled by larger tiles; a single multiprocessor by the first that fits. */
static void other_machines(void **state)
{
    (void)state;
    const struct convpool_problem p = square(16, 256);
    const int large = pool_choose(&p, lists[HALF].shapes, lists[HALF].count, 1);
    const int usual = pool_choose(&p, lists[HALF].shapes, lists[HALF].count, H200);
    assert_true(large < usual);
    assert_true(pool_fits(&p, &lists[HALF].shapes[large]));
    for (int i = 0; i < large; i++)
        assert_false(pool_fits(&p, &lists[HALF].shapes[i]));
}

static void refusals(void **state)
{
    (void)state;
    struct convpool_problem p = square(16, 64);
    assert_true(pool_takes_shape(&p));
    p.conv.layout = CONV_NCHW;
    assert_false(pool_takes_shape(&p));
    p = square(16, 48);
    assert_false(pool_takes_shape(&p));
    p = square(16, 64);
    p.pool = 3;
    assert_false(pool_takes_shape(&p));
    p = square(16, 64);
    p.conv.r = 5;
    assert_false(pool_takes_shape(&p));
    p = square(1, 64);
    p.conv.pad = 1; /* one row of outputs, no pool */
    assert_false(pool_takes_shape(&p));
}

/* 32 channels and filters always have a tile, on maps of any size. */
static void odd_maps(void **state)
{
    (void)state;
    static const int channels[] = {32, 96, 160, 512};
    for (int l = 0; l < INSIDE; l++)
        for (int n = 2; n < 70; n++)
            for (int c = 0; c < 4; c++) {
                struct convpool_problem p = square(n, channels[c]);
                p.conv.k = 32;
                p.conv.n = 1 + n % 5;
                p.conv.layout = l >= MAPS && l < WHOLE ? CONV_NCHW : CONV_NHWC;
                const int i = pool_choose(&p, lists[l].shapes, lists[l].count, H200);
                assert_true(i >= 0);
                const struct pool_shape *chosen = &lists[l].shapes[i];
                assert_true(pool_subtiles(&p, chosen->kind) * 64 >=
                            (int64_t)p.conv.n * convpool_rows(&p) * convpool_columns(&p));
            }
}

/* In NCHW a subtile may be flat where that does not want over a quarter more of them. */
static void flat_maps(void **state)
{
    (void)state;
    static const struct {
        int h, w, kinds; /* bits */
    } known[] = {{8, 8, 1 << POOL_SMALL | 1 << POOL_TWO | 1 << POOL_ONE},
                 {32, 32, 1 << POOL_SQUARE | 1 << POOL_SHORT | 1 << POOL_FLAT | 1 << POOL_ROWS},
                 {9, 32, 1 << POOL_SQUARE | 1 << POOL_SHORT | 1 << POOL_FLAT | 1 << POOL_ROWS},
                 {64, 64, 1 << POOL_SQUARE | 1 << POOL_SHORT | 1 << POOL_FLAT | 1 << POOL_SIDES},
                 {112, 112, 1 << POOL_SQUARE | 1 << POOL_SHORT | 1 << POOL_FLAT},
                 {28, 28, 1 << POOL_SQUARE | 1 << POOL_SHORT | 1 << POOL_FLAT},
                 {20, 36, 1 << POOL_SQUARE | 1 << POOL_SHORT | 1 << POOL_FLAT | 1 << POOL_SIDES},
                 {14, 14, 1 << POOL_SQUARE | 1 << POOL_SHORT},
                 {48, 48, 1 << POOL_SQUARE | 1 << POOL_SHORT},
                 {48, 16, 1 << POOL_SQUARE | 1 << POOL_SHORT}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct convpool_problem p = square(known[i].h, 64);
        p.conv.w = known[i].w;
        for (int kind = POOL_SQUARE; kind <= POOL_SIDES; kind++) {
            p.conv.layout = CONV_NCHW;
            assert_int_equal(pool_suits(&p, kind), known[i].kinds >> kind & 1);
            p.conv.layout = CONV_NHWC;
            assert_int_equal(pool_suits(&p, kind), kind < POOL_FLAT && known[i].kinds >> kind & 1);
        }
        p.conv.pad = 0;
        p.conv.layout = CONV_NCHW;
        assert_false(pool_suits(&p, POOL_ROWS) || pool_suits(&p, POOL_SIDES));
    }
}

/* In NCHW rows are copied from a multiple of 16 bytes on. */
static void maps(void **state)
{
    (void)state;
    struct convpool_problem p = square(16, 64);
    assert_false(pool_takes_maps(&p, 4));
    p.conv.layout = CONV_NCHW;
    assert_true(pool_takes_maps(&p, 4));
    p.conv.w = 12;
    assert_true(pool_takes_maps(&p, 4));
    assert_false(pool_takes_maps(&p, 2));
    p.conv.w = 14;
    assert_false(pool_takes_maps(&p, 4));
    for (int bytes = 2; bytes <= 4; bytes += 2)
        for (p.conv.pad = 0; p.conv.pad < 20; p.conv.pad++) {
            assert_in_range(pool_early(&p, bytes), 0, 16 / bytes - 1);
            assert_int_equal((p.conv.pad + pool_early(&p, bytes)) * bytes % 16, 0);
        }
}

/* Maps of 8 x 8 and 16 x 16 with a padding of 1 are copied whole; of few floats, by halves. */
static void whole_maps(void **state)
{
    (void)state;
    for (int n = 2; n < 70; n++) {
        struct convpool_problem p = square(n, 32);
        assert_int_equal(pool_takes_whole(&p), n == 8 || n == 16);
        p.conv.layout = CONV_NCHW;
        assert_int_equal(pool_takes_whole(&p), n == 8 || n == 16);
        p.conv.pad = 2;
        assert_false(pool_takes_whole(&p));
    }
    struct convpool_problem p = square(16, 32);
    for (int l = INSIDE + 1; l < LISTS; l++)
        assert_int_equal(pool_choose(&p, lists[l].shapes, lists[l].count, H200), -1);
    p.conv.layout = CONV_NCHW;
    p.conv.w = 8;
    assert_false(pool_takes_whole(&p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_that_fills),
        cmocka_unit_test(known_choices),
        cmocka_unit_test(pairs),
        cmocka_unit_test(other_machines),
        cmocka_unit_test(refusals),
        cmocka_unit_test(odd_maps),
        cmocka_unit_test(flat_maps),
        cmocka_unit_test(maps),
        cmocka_unit_test(whole_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
