/* The trusted side of conv2d and convpool: problems, oracle, checks, hints. */
#include "tests/unit/conv_case.h"

#include <math.h>

#include "common/noise.h"
#include "conv2d/element.h"

/* Summed one product after another in float, with one mistake at most. */
enum mistake { NONE, FLIPPED, NO_PAD, ONE_CHANNEL, POOL_SUM, TF32, HALF, LAST_ROW };

static float cut(float value, enum mistake m)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = m == TF32 ? (bits + 0x1000) & 0xffffe000u : bits; /* to 11 bits */
    memcpy(&value, &bits, sizeof bits);
    return m == HALF ? half_to_float(half_from_float(value)) : value;
}

static float one_output(const struct conv_test *t, int n, int k, int row, int column,
                        enum mistake m)
{
    const struct conv2d_problem *p = &t->c.p.conv;
    float sum = 0;
    for (int c = 0; c < (m == ONE_CHANNEL ? 1 : p->c); c++)
        for (int r = 0; r < p->r; r++)
            for (int s = 0; s < p->s; s++) {
                int i = row * p->stride + r - p->pad, j = column * p->stride + s - p->pad;
                const size_t w = m == FLIPPED ? conv2d_w_at(p, k, c, p->r - 1 - r, p->s - 1 - s)
                                              : conv2d_w_at(p, k, c, r, s);
                const bool inside = i >= 0 && i < p->h && j >= 0 && j < p->w;
                if (m == NO_PAD) { /* the nearest pixel instead of zero */
                    i = i < 0 ? 0 : i >= p->h ? p->h - 1 : i;
                    j = j < 0 ? 0 : j >= p->w ? p->w - 1 : j;
                }
                if (inside || m == NO_PAD)
                    sum += cut(element_get(t->in[0], p->type, conv2d_x_at(p, n, c, i, j)), m) *
                           cut(element_get(t->in[1], p->type, w), m);
            }
    return sum;
}

static void brute_force(struct conv_test *t, enum mistake m)
{
    const struct convpool_problem *p = &t->c.p;
    const int rows = convpool_rows(p) - (m == LAST_ROW), pool = p->pool;
    for (int n = 0; n < p->conv.n; n++)
        for (int k = 0; k < p->conv.k; k++)
            for (int u = 0; u < rows; u++)
                for (int v = 0; v < convpool_columns(p); v++) {
                    float sum = 0;
                    for (int a = 0; a < pool; a++)
                        for (int b = 0; b < pool; b++)
                            sum += one_output(t, n, k, u * pool + a, v * pool + b, m);
                    sum /= m == POOL_SUM ? 1 : (float)(pool * pool);
                    element_put(t->out[0], p->conv.type, conv_y_index(p, n, k, u, v), sum);
                }
}

static const char *const conv2d_cases[] = {
    "n=1 c=1 h=1 w=1 k=1 r=1 s=1",
    "n=2 c=3 h=7 w=5 k=4 r=3 s=2",
    "n=1 c=2 h=9 w=11 k=3 r=3 s=3 pad=1 stride=2",
    "n=3 c=1 h=5 w=13 k=2 r=5 s=1 pad=2 stride=3",
    "n=1 c=17 h=8 k=5 r=1 stride=3",
    "n=2 c=3 h=6 k=4 r=3 pad=3 sparsity=0.9",
    "n=1 c=2 h=4 k=2 r=3 sparsity=1",
    "n=2 c=5 h=7 w=6 k=3 r=3 pad=1 layout=nhwc",
    "n=1 c=3 h=9 k=4 r=7 pad=3 layout=nhwc type=f16",
    "n=2 c=9 h=6 k=5 r=3 pad=1 type=f16 values=scaled",
    "n=1 c=6 h=10 k=3 r=3 pad=1 type=tf32 values=positive",
    "n=1 c=6 h=10 k=3 r=3 pad=1 values=scaled stride=2",
};

static const char *const convpool_cases[] = {
    "n=1 c=1 h=1 k=1 pool=1",
    "n=2 c=3 h=8 k=4 r=3 pad=1",
    "n=1 c=2 h=11 w=9 k=3 r=3 s=2 pad=1 pool=3",
    "n=1 c=2 h=7 k=2 r=2 pool=2 layout=nhwc",
    "n=2 c=2 h=8 k=3 r=5 pad=2 pool=4 type=f16 layout=nhwc",
    "n=1 c=4 h=12 k=2 r=1 pool=5 values=scaled",
};

static void brute_force_is_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof conv2d_cases / sizeof *conv2d_cases; i++) {
        struct conv_test t = conv_test_open(&conv2d_op, conv2d_cases[i]);
        brute_force(&t, NONE);
        assert_conv_right(&t, conv2d_cases[i]);
        conv_test_close(&t);
    }
    for (size_t i = 0; i < sizeof convpool_cases / sizeof *convpool_cases; i++) {
        struct conv_test t = conv_test_open(&convpool_op, convpool_cases[i]);
        brute_force(&t, NONE);
        assert_conv_right(&t, convpool_cases[i]);
        conv_test_close(&t);
    }
}

/* A 3 x 3 map of 1 .. 9 and the filter 1 2 / 3 4, by hand. */
static void known_values(void **state)
{
    (void)state;
    const float x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, w[4] = {1, 2, 3, 4};
    struct convpool_problem p = {{1, 1, 3, 3, 1, 2, 2, 1, 0, CONV_NCHW, CONV_F32}, 1};
    struct conv_sums sums = conv_oracle(&p, x, w);
    const double want[4] = {1 + 4 + 12 + 20, 2 + 6 + 15 + 24, 4 + 10 + 21 + 32, 5 + 12 + 24 + 36};
    assert_int_equal(sums.count, 4);
    for (int i = 0; i < 4; i++)
        assert_true(sums.y[i] == want[i] && sums.absolute[i] == want[i]);
    assert_true(sums.squares[0] == 1 + 16 + 144 + 400);
    conv_sums_free(&sums);

    p.pool = 2;
    sums = conv_oracle(&p, x, w);
    assert_true(sums.count == 1 && sums.y[0] == (37 + 47 + 67 + 77) / 4.0);
    conv_sums_free(&sums);

    p = (struct convpool_problem){{1, 1, 3, 3, 1, 2, 2, 2, 1, CONV_NCHW, CONV_F32}, 1};
    sums = conv_oracle(&p, x, w); /* corners of the padded map: 4x1, 3*2+4*3, 2*4+4*7, 37 + .. */
    assert_int_equal(sums.count, 4);
    assert_true(sums.y[0] == 4 && sums.y[1] == 18 && sums.y[2] == 36);
    assert_true(sums.y[3] == 5 + 12 + 24 + 36);
    conv_sums_free(&sums);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        enum mistake m;
        const char *what, *hint;
    } expected[] = {
        {FLIPPED, "y: image 0", "flipped filters"},
        {NO_PAD, "y: image 0", "take the nearest pixel"},
        {ONE_CHANNEL, "y: image 0", "first channel"},
        {POOL_SUM, "y: image 0", "pool^2 times"},
        {TF32, "rms", "TF32 or half"},
        {HALF, "rms", "TF32 or half"},
        {LAST_ROW, "y: image 0", "never written"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct conv_test t = conv_test_open(&convpool_op, "n=1 c=200 h=12 k=8 r=3 pad=1");
        brute_force(&t, expected[i].m);
        assert_conv_wrong(&t, expected[i].what, expected[i].hint);
        conv_test_close(&t);
    }
}

/* What a call found in y, or what is computed from what lies around x. */
static void blanks_are_named(void **state)
{
    (void)state;
    static const struct {
        int first, step; /* columns that are blank */
        uint32_t around;
        const char *hint;
    } rows[] = {
        {0, 1, 0, "no element was written, or each is added"},
        {4, 1, 0, "64 of 192 elements, all from column 4 on, were never written"},
        {1, 2, 0, "96 of 192 elements were never written"},
        {0, 5, HPC_NOISE_AROUND, "map's edge, are computed from what lies outside of x"},
        {2, 1, HPC_NOISE_AROUND, "128 of 192 elements, all from column 2 on, are computed from"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct conv_test t = conv_test_open(&conv2d_op, "n=2 c=3 h=4 w=6 k=4 r=3 pad=1");
        float *y = t.out[0];
        brute_force(&t, NONE);
        for (int column = rows[i].first; column < 6; column += rows[i].step)
            for (int row = 0; row < 32; row++) {
                const uint32_t word = HPC_NOISE | rows[i].around | ((uint32_t)row & 0xff);
                memcpy(&y[row * 6 + column], &word, sizeof word);
            }
        assert_conv_wrong(&t, "y: image 0", rows[i].hint);
        conv_test_close(&t);
    }
}

static void other_outputs_are_wrong(void **state)
{
    (void)state;
    struct hpc_mismatch m;
    struct conv_test t = conv_test_open(&conv2d_op, "n=2 c=3 h=6 k=4 r=3 pad=1");
    assert_conv_wrong(&t, "y: image 0, filter 0, row 0, column 0", "no element was written");
    assert_false(conv_test_quick(&t, &m));

    brute_force(&t, NONE); /* one element off by 1e-4 of its size */
    float *y = t.out[0], kept = y[40];
    y[40] += 1e-4f;
    assert_conv_wrong(&t, "y: image 0, filter 1, row 0, column 4", "");
    assert_false(conv_test_quick(&t, &m));
    y[40] = INFINITY;
    assert_conv_wrong(&t, "filter 1", "");
    assert_false(conv_test_quick(&t, &m));
    y[40] = kept;
    assert_conv_right(&t, "as it was");
    conv_test_close(&t);

    struct conv_test other = conv_test_open(&conv2d_op, "n=1 c=3 h=6 k=4 r=3 pad=1 layout=nhwc");
    brute_force(&other, NONE);
    const struct convpool_problem nhwc = other.c.p;
    struct convpool_problem nchw = nhwc;
    nchw.conv.layout = CONV_NCHW;
    float swapped[144];
    y = other.out[0];
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 36; i++)
            swapped[conv_y_index(&nchw, 0, k, i / 6, i % 6)] =
                y[conv_y_index(&nhwc, 0, k, i / 6, i % 6)];
    memcpy(y, swapped, sizeof swapped);
    assert_conv_wrong(&other, "y: image 0", "order N, K, P, Q");
    conv_test_close(&other);
}

/* What FFT and Winograd may do, and what they may not. */
static void normwise(void **state)
{
    (void)state;
    struct hpc_mismatch m;
    const char *words = "n=1 c=16 h=16 k=8 r=3 pad=1 tolerance=normwise";
    struct conv_test t = conv_test_open(&conv2d_op, words);
    brute_force(&t, NONE);
    float *y = t.out[0];
    for (size_t i = 0; i < t.layout.out[0].count; i++)
        y[i] += (i & 1 ? 1e-5f : -1e-5f);
    assert_true(conv_test_check(&t, &m) && conv_test_quick(&t, &m));
    t.c.tolerance = CONV_EACH;
    assert_false(conv_test_check(&t, &m));
    t.c.tolerance = CONV_NORMWISE;
    for (size_t i = 0; i < t.layout.out[0].count; i++)
        y[i] *= 1.01f;
    assert_conv_wrong(&t, "norm of", "");
    y[3] = NAN;
    assert_false(conv_test_check(&t, &m));
    conv_test_close(&t);
}

static void bad_words(void **state)
{
    (void)state;
    static const struct {
        const struct hpc_op *op;
        const char *words, *expected;
    } bad[] = {
        {&convpool_op, "h=8 r=3 pooling=max", "a maximum of sums is no sum of maxima"},
        {&convpool_op, "h=8 r=3 activation=relu", "an activation between them is not"},
        {&convpool_op, "h=8 r=3 pool=7", "a pool of 7 on a convolution of 6 x 6"},
        {&convpool_op, "h=8 stride=2", "unknown key 'stride'"},
        {&conv2d_op, "h=8 pool=2", "unknown key 'pool'"},
        {&conv2d_op, "h=2 r=3", "a filter of 3 x 3 on a padded map of 2 x 2"},
        {&conv2d_op, "h=8 layout=chwn", "expected nchw or nhwc"},
        {&conv2d_op, "h=8 type=f64", "expected f32 or tf32 or f16"},
        {&conv2d_op, "h=8 sparsity=1.5", "sparsity = 1.5"},
        {&conv2d_op, "h=8 stride=0", "stride = 0"},
        {&conv2d_op, "n=60000 c=60000 h=60000 k=1", "expected less than 2 GiB"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct conv_case c;
        struct hpc_error err = {0};
        assert_false(conv_test_parse(bad[i].op, bad[i].words, &c, &err));
        if (!strstr(err.text, bad[i].expected))
            fail_msg("%s: \"%s\", expected \"%s\"", bad[i].words, err.text, bad[i].expected);
        assert_int_equal(err.status, HPC_EXIT_USAGE);
    }
}

static void costs(void **state)
{
    (void)state;
    struct hpc_cost cost;
    struct conv_case c;
    struct hpc_error err;
    assert_true(conv_test_parse(&conv2d_op, "n=2 c=3 h=8 k=5 r=3 pad=1 stride=2", &c, &err));
    conv2d_op.cost(&c, &cost);
    assert_true(cost.flops == 2.0 * 2 * 5 * 4 * 4 * 3 * 9);
    assert_true(cost.bytes == 4.0 * (2 * 3 * 64 + 5 * 3 * 9 + 2 * 5 * 16));
    assert_true(conv_test_parse(&convpool_op, "n=1 c=3 h=8 k=5 r=3 pad=1 type=f16", &c, &err));
    convpool_op.cost(&c, &cost);
    assert_true(cost.flops == 2.0 * 5 * 64 * 27 + 5 * 64);
    assert_true(cost.bytes == 2.0 * (3 * 64 + 5 * 27 + 5 * 16));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(brute_force_is_right),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(blanks_are_named),
        cmocka_unit_test(other_outputs_are_wrong),
        cmocka_unit_test(normwise),
        cmocka_unit_test(bad_words),
        cmocka_unit_test(costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
