/* Which filter a wrong convolution took, in one dimension and in two: outputs made with another
 * one, and the words that name it. And what these stand on: least squares, places. */
#include <math.h>

#include "common/stats.h"
#include "conv1d/op/places.h"
#include "common/random.h"
#include "conv1d/op/op.h"
#include "tests/unit/conv_case.h"

static void fits_random_rows(void **state)
{
    (void)state;
    struct hpc_random random;
    struct fit f;
    double c[FIT_MAX], row[FIT_MAX], left;
    hpc_random_init(&random, 3, 1);
    for (int spoilt = 0; spoilt < 2; spoilt++) {
        fit_open(&f, 20);
        for (int i = 0; i < 200; i++) {
            double b = spoilt ? sin(i) : 0;
            for (int j = 0; j < 20; j++) {
                row[j] = hpc_random_double(&random) - 0.5;
                b += (j - 7) * row[j];
            }
            fit_add(&f, row, b);
        }
        assert_true(fit_solve(&f, c, &left));
        for (int j = 0; j < 20 && !spoilt; j++)
            assert_true(fabs(c[j] - (j - 7)) < 1e-9);
        assert_true(spoilt ? left > 0.01 : left < 1e-6);
        fit_close(&f);
    }
}

static void too_few_rows_determine_nothing(void **state)
{
    (void)state;
    struct fit f;
    double c[3], left;
    fit_open(&f, 3);
    for (int i = 0; i < 9; i++)
        fit_add(&f, (const double[]){i, 2 * i, 1}, i); /* two columns are one */
    assert_false(fit_solve(&f, c, &left));
    fit_close(&f);
}

static void finds_mixed_places(void **state)
{
    (void)state;
    const double want[] = {10, 20, 30, 40, 50}, near[] = {1, 1, 1, 1, 1};
    const double turned[] = {10, 50, 40, 30, 20}, other[] = {10, 51.5, 44, 33, 24};
    size_t at[3], from[3];
    assert_true(places_mixed(5, turned, want, near, at, from));
    assert_int_equal(at[0], 1);
    assert_int_equal(from[0], 4);
    assert_int_equal(from[1], 3);
    assert_false(places_mixed(5, other, want, near, at, from));
    assert_false(places_mixed(5, want, want, near, at, from));
}

/* y of a mask that is taken from `taps`, 9 of them for a mask of 5, at x[i - 4 ..]. */
static void assert_taps(const double taps[9], float factor, bool swap, const char *words)
{
    struct conv1d_problem p = {.n = 600, .radius = 2};
    float *x = hpc_malloc(600 * sizeof *x), *y = hpc_malloc(600 * sizeof *y), w[5];
    const void *in[] = {x, w}, *out[] = {y};
    char text[300] = "";
    conv1d_generate(&p, 5, 1, (void *[]){x, w});
    for (int i = 0; i < 600; i++) {
        double sum = 0;
        for (int j = 0; j < 9; j++)
            if (i + j - 4 >= 0 && i + j - 4 < 600)
                sum += (taps[j] < 0 ? 0 : taps[j] * (double)w[j >= 2 && j < 7 ? j - 2 : 0]) *
                       (double)x[i + j - 4];
        y[i] = factor * (float)sum;
    }
    for (int i = 0; i + 3 < 600 && swap; i += 4) {
        const float first = y[i];
        y[i] = y[i + 3];
        y[i + 3] = first;
    }
    const bool known = conv1d_op.part(&p, in, out, text, sizeof text);
    if (known != (words != NULL) || (words && !strstr(text, words)))
        fail_msg("said \"%s\", expected \"%s\"", text, words ? words : "nothing");
    free(x);
    free(y);
}

static void masks(void **state)
{
    (void)state;
    static const double right[9] = {-1, -1, 1, 1, 1, 1, 1, -1, -1};
    static const double short_mask[9] = {-1, -1, 1, 1, 1, 1, -1, -1, -1};
    static const double twice[9] = {-1, -1, 1, 2, 1, 1, 1, -1, -1};
    assert_taps(right, 1, false, NULL);
    assert_taps(right, 0.2F, false, "divided by the number of taps, 5");
    assert_taps(right, 3, false, "3 times what they should be");
    assert_taps(short_mask, 1, false, "tap j = 2 is left out (1 of 5 taps are wrong)");
    assert_taps(twice, 1, false, "tap j = -1 counts 2 times");
    assert_taps(right, 1, true, "y[0] holds what belongs to y[3]");
}

enum spoiling {
    RIGHT,
    TRANSPOSED,
    UPSIDE,
    NO_TAP,
    DOUBLED,
    LARGER_STEP,
    BY_COLUMNS,
    FIRST_CHANNEL,
    FIRST_FILTER,
    ONE_AHEAD,
    PITCH,
    ALONE,
    ONE_MAP
};

/* [C R S][K], rows of it copied 32 apart and read K apart. */
static double other_pitch(const double *w, size_t i, size_t depth, size_t k)
{
    const size_t at = i % depth * k + i / depth;
    return at % 32 < k ? w[at % 32 * depth + at / 32] : 0;
}

/* The weights of all channels, where `channel` 0 has its own, and nothing elsewhere. */
static double all_channels(const double *w, size_t i, size_t depth, size_t taps)
{
    double sum = 0;
    for (size_t at = i; at < i / depth * depth + depth && i % depth < taps; at += taps)
        sum += w[at];
    return sum;
}

static void assert_filter(const struct hpc_op *op, const char *keys, enum spoiling how,
                          const char *words)
{
    struct conv_test t = conv_test_open(op, keys);
    struct convpool_problem p = t.c.p;
    double *x = conv_plain_x(&p.conv, t.in[CONV2D_X]), *w = conv_plain_w(&p.conv, t.in[CONV2D_W]);
    const size_t n = conv2d_w_count(&p.conv);
    double *v = hpc_malloc(n * sizeof *v);
    const int r = p.conv.r, taps = r * r;
    const size_t depth = (size_t)(p.conv.c * taps);
    for (size_t i = 0; i < n; i++) {
        const int at = (int)i % taps, row = at / r, column = at % r;
        const size_t plane = i - (size_t)at;
        v[i] = how == TRANSPOSED      ? w[plane + (size_t)(column * r + row)]
               : how == UPSIDE        ? w[plane + (size_t)((r - 1 - row) * r + column)]
               : how == NO_TAP && !at ? 0
               : how == BY_COLUMNS    ? w[i * (size_t)p.conv.k % n + i * (size_t)p.conv.k / n]
               : how == FIRST_CHANNEL ? w[i / depth * depth + (size_t)at]
               : how == FIRST_FILTER  ? w[i % depth]
               : how == ONE_AHEAD     ? w[(i + 1) % n]
               : how == PITCH         ? other_pitch(w, i, depth, (size_t)p.conv.k)
               : how == ALONE         ? i % depth + 1 == depth ? w[i] : 0
               : how == ONE_MAP       ? all_channels(w, i, depth, (size_t)taps)
               : how == DOUBLED       ? 2 * w[i]
                                      : w[i];
    }
    struct conv_sums sums = conv_oracle_plain(&p, x, v);
    struct convpool_problem one = p;
    one.conv.stride = 1;
    one.conv.pad = p.conv.pad;
    struct conv_sums dense = conv_oracle_plain(&one, x, v);
    for (size_t i = 0; i < sums.count; i++)
        conv_put(t.out[CONV2D_Y], p.conv.type, i, sums.y[i]);
    for (int row = 0; row < convpool_rows(&p) && how == LARGER_STEP; row++)
        for (int column = 0; column < convpool_columns(&p); column++)
            conv_put(t.out[CONV2D_Y], p.conv.type, conv_y_index(&p, 0, 0, row, column),
                     dense.y[conv_y_index(&one, 0, 0, row, column)]);
    char text[300] = "";
    const bool known =
        op->part(&t.c, (const void *const *)t.in, (const void *const *)t.out, text, sizeof text);
    if (known != (words != NULL) || (words && !strstr(text, words)))
        fail_msg("%s: said \"%s\", expected \"%s\"", keys, text, words ? words : "nothing");
    conv_sums_free(&sums);
    conv_sums_free(&dense);
    free(v);
    free(w);
    free(x);
    conv_test_close(&t);
}

/* y of pools whose sums have the places from `first` to before `end` in rows and columns. */
static void pools(void **state)
{
    (void)state;
    static const struct {
        int first, end;
        const char *words;
    } rows[] = {{0, 3, NULL},
                {1, 3, "of each pool of 3 x 3 rows 1 to 2 and columns 1 to 2 are summed"},
                {0, 2, "rows 0 to 1 and columns 0 to 1 are summed, should be 0 to 2"},
                {0, 4, "rows 0 to 3 and columns 0 to 3 are summed"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct conv_test t = conv_test_open(&convpool_op, "n=1 c=2 h=60 k=1 r=3 pad=1 pool=3");
        const struct convpool_problem *p = &t.c.p;
        struct convpool_problem one = *p;
        one.pool = 1;
        double *x = conv_plain_x(&p->conv, t.in[CONV2D_X]);
        double *w = conv_plain_w(&p->conv, t.in[CONV2D_W]);
        struct conv_sums dense = conv_oracle_plain(&one, x, w);
        for (int u = 0; u < convpool_rows(p); u++)
            for (int v = 0; v < convpool_columns(p); v++) {
                double sum = 0;
                for (int a = rows[i].first; a < rows[i].end; a++)
                    for (int b = rows[i].first; b < rows[i].end; b++)
                        if (u * 3 + a < convpool_rows(&one) && v * 3 + b < convpool_columns(&one))
                            sum += dense.y[conv_y_index(&one, 0, 0, u * 3 + a, v * 3 + b)];
                conv_put(t.out[CONV2D_Y], p->conv.type, conv_y_index(p, 0, 0, u, v), sum / 9);
            }
        char text[300] = "";
        const bool known = t.op->part(&t.c, (const void *const *)t.in, (const void *const *)t.out,
                                      text, sizeof text);
        if (known != (rows[i].words != NULL) || (known && !strstr(text, rows[i].words)))
            fail_msg("said \"%s\" of %d to %d", text, rows[i].first, rows[i].end);
        conv_sums_free(&dense);
        free(w);
        free(x);
        conv_test_close(&t);
    }
}

static void filters(void **state)
{
    (void)state;
    static const char plain[] = "n=1 c=2 h=24 k=1 r=3 pad=1";
    static const char pooled[] = "n=1 c=2 h=40 k=1 r=3 pad=1 pool=2";
    assert_filter(&conv2d_op, plain, RIGHT, NULL);
    assert_filter(&conv2d_op, plain, TRANSPOSED, "rows and columns are exchanged");
    assert_filter(&conv2d_op, plain, UPSIDE, "upside down");
    assert_filter(&conv2d_op, plain, NO_TAP, "channel 0, row 0, column 0 of filter 0 is left out");
    assert_filter(&conv2d_op, plain, ALONE,
                  "channel 1, row 2, column 2 of filter 0 alone counts, of 18 weights");
    assert_filter(&conv2d_op, plain, ONE_MAP,
                  "the weights of all 2 channels are multiplied with channel 0 of x");
    assert_filter(&conv2d_op, plain, DOUBLED, "2 times what they should be");
    assert_filter(&conv2d_op, "n=1 c=2 h=24 k=3 r=3 pad=1", BY_COLUMNS, "are read as [C R S][K]");
    assert_filter(&conv2d_op, "n=1 c=1 h=40 k=1 r=3 pad=1 stride=2", LARGER_STEP,
                  "windows lie 1 apart, should lie stride = 2 apart");
    assert_filter(&conv2d_op, "n=1 c=3 h=30 k=2 r=3 pad=1", FIRST_CHANNEL,
                  "channel 1 of filter 0 is multiplied with the weights of channel 0 of filter 0 "
                  "(2 of 3 channels with others' than their own): the index of w leaves the "
                  "channel out");
    assert_filter(&conv2d_op, "n=1 c=2 h=24 k=3 r=3 pad=1", FIRST_FILTER,
                  "channel 0 of filter 1 is multiplied with the weights of channel 0 of filter 0");
    assert_filter(&conv2d_op, "n=1 c=1 h=24 k=2 r=3 pad=1", ONE_AHEAD,
                  "the weight of filter 0, channel 0, row 0, column 0 is read from w[1], it stands "
                  "in w[0] (9 of 9 weights are read elsewhere)");
    assert_filter(&conv2d_op, "n=1 c=1 h=24 k=7 r=3 pad=1", PITCH,
                  "7 as 0: do w's rows lie as far apart as they are read?");
    assert_filter(&convpool_op, pooled, RIGHT, NULL);
    assert_filter(&convpool_op, pooled, TRANSPOSED, "rows and columns are exchanged");
    assert_filter(&convpool_op, pooled, DOUBLED, "divided by the pool's side, not its area");
}

/* What passes a power of two from the larger problem that is right to the smaller that is not. */
static void numbers_that_pass(void **state)
{
    (void)state;
    static const struct {
        const char *right, *wrong, *words;
    } rows[] = {
        {"c=14 h=9 k=2 r=3", "c=15 h=9 k=2 r=3", "C R S, the places of a window, pass 128 there"},
        {"c=1 h=17 k=2 r=2", "c=1 h=18 k=2 r=2", "the outputs of a map pass 256 there (256, 289)"},
        {"c=1 h=5 k=64 r=3", "c=1 h=5 k=65 r=3", "K pass 64 there (64, 65): so many threads"},
        {"c=1 h=5 k=65 r=3", "c=1 h=5 k=66 r=3", ""},
        {"c=1 h=5 k=20 r=3", "c=1 h=5 k=90 r=3", ""}, /* no small step */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct conv_test right = conv_test_open(&conv2d_op, rows[i].right);
        struct conv_test wrong = conv_test_open(&conv2d_op, rows[i].wrong);
        char text[200];
        conv2d_op.passes(&right.c, &wrong.c, text, sizeof text);
        if (*rows[i].words ? !strstr(text, rows[i].words) : *text)
            fail_msg("said \"%s\", expected \"%s\"", text, rows[i].words);
        conv_test_close(&right);
        conv_test_close(&wrong);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fits_random_rows),
                                       cmocka_unit_test(too_few_rows_determine_nothing),
                                       cmocka_unit_test(finds_mixed_places),
                                       cmocka_unit_test(masks),
                                       cmocka_unit_test(filters),
                                       cmocka_unit_test(pools),
                                       cmocka_unit_test(numbers_that_pass)};
    return cmocka_run_group_tests_name("conv_part", tests, NULL, NULL);
}
