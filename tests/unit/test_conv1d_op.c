/* conv1d, trusted side: its problems, its inputs, its oracle; that check() takes fp32 in any order
 * of additions and refuses lower precision, and that check_quick() sees single wrong outputs. */
#include "tests/unit/conv1d_case.h"

#include <math.h>

static const struct {
    uint64_t n;
    int mask;
} shapes[] = {{1, 1},      {1, 3},        {2, 9},       {3, 16383},  {31, 1},
              {97, 101},   {257, 3},      {1000, 31},   {4099, 127}, {65536, 5},
              {100003, 9}, {20011, 1023}, {9001, 16383}};
#define N_SHAPES (sizeof shapes / sizeof *shapes)

static void parses(void **state)
{
    (void)state;
    static const struct {
        const char *words, *expected;
    } bad[] = {
        {"mask=9", "has no n"},
        {"n=10", "has no mask"},
        {"n=10 mask=8", "here: mask = 8, expected an odd number from 1 to 16383"},
        {"n=10 mask=0", "expected a whole number from 1 to 16383"},
        {"n=10 mask=16385", "expected a whole number from 1 to 16383"},
        {"n=-1 mask=3", "here: n = -1, expected"},
        {"n=1e12 mask=3", "does not fit into memory"},
        {"n=10 mask=3 block=1025", "block = 1025, expected a whole number from 0 to 1024"},
        {"n=10 mask=3 stride=2", "unknown key 'stride'; known: n, mask, block"},
    };
    for (size_t i = 0; i <= sizeof bad / sizeof *bad; i++) {
        const bool good = i == sizeof bad / sizeof *bad;
        struct hpc_params params = {0};
        struct conv1d_problem p;
        struct hpc_error err = {0};
        char text[100], *rest = text;
        snprintf(text, sizeof text, "%s", good ? "n=1e3 mask=31 block=64" : bad[i].words);
        for (char *word; (word = strsep(&rest, " "));)
            assert_true(hpc_params_set_word(&params, word, "here", &err));
        assert_int_equal(conv1d_op.parse(&params, &p, &err), good);
        if (!good && !strstr(err.text, bad[i].expected))
            fail_msg("%s: \"%s\", expected \"%s\"", bad[i].words, err.text, bad[i].expected);
        if (good)
            assert_true(p.n == 1000 && p.radius == 15 && p.block == 64);
    }
}

static void lays_out_and_costs(void **state)
{
    (void)state;
    for (size_t s = 0; s < N_SHAPES; s++) {
        const struct conv1d_problem p = {shapes[s].n, shapes[s].mask / 2, 0};
        struct hpc_layout l;
        struct hpc_cost cost;
        double pairs = 0;
        for (int64_t i = 0; i < (int64_t)p.n; i++)
            for (int64_t j = -p.radius; j <= p.radius; j++)
                pairs += i + j >= 0 && i + j < (int64_t)p.n;
        conv1d_op.cost(&p, &cost);
        conv1d_op.layout(&p, &l);
        assert_true(cost.flops == 2 * pairs);
        assert_true(cost.bytes == 4.0 * (double)(2 * p.n + (uint64_t)shapes[s].mask));
        assert_int_equal(l.in[CONV1D_X].count, p.n);
        assert_int_equal(l.in[CONV1D_W].count, shapes[s].mask);
        assert_true(l.in[CONV1D_W].fixed && !l.in[CONV1D_X].fixed);
        assert_int_equal(l.out[CONV1D_Y].count, p.n);
    }
}

static void inputs_are_drawn(void **state)
{
    (void)state;
    struct conv1d_case a = conv1d_open(100003, 31, 0), b = conv1d_open(100003, 31, 0);
    const size_t bytes = a.p.n * sizeof *a.x;
    assert_memory_equal(a.x, b.x, bytes);
    conv1d_op.generate(&b.p, 20, 2, (void *[]){b.x, NULL});
    assert_memory_equal(a.w, b.w, 31 * sizeof *a.w);
    size_t same = 0, denormal = 0, negative_zero = 0, positive_zero = 0;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < a.p.n; i++) {
        same += a.x[i] == b.x[i];
        denormal += a.x[i] != 0 && fabsf(a.x[i]) < 0x1p-126f;
        negative_zero += a.x[i] == 0 && signbit(a.x[i]);
        positive_zero += a.x[i] == 0 && !signbit(a.x[i]);
        sum += (double)a.x[i];
        squares += (double)a.x[i] * (double)a.x[i];
    }
    assert_true(same < 300); /* both have runs of zeros, which may meet */
    assert_true(denormal > 80 && negative_zero > 20 && positive_zero > 20);
    assert_true(fabs(sum) < 5 * sqrt(squares));
    assert_true(fabs(squares / (double)a.p.n - 16.0 / 3) < 0.1);
    conv1d_op.generate(&b.p, 20, 1, (void *[]){b.x, NULL}); /* the call alone decides */
    assert_memory_equal(a.x, b.x, bytes);
    conv1d_op.generate(&b.p, 21, 1, (void *[]){NULL, b.w});
    assert_memory_not_equal(a.w, b.w, 31 * sizeof *a.w);
    conv1d_close(&a);
    conv1d_close(&b);
}

static void oracle_is_the_formula(void **state)
{
    (void)state;
    static const struct {
        int64_t first;
        int count;
    } pieces[] = {{0, 1},   {0, 97},  {-50, 50},     {-200, 1},
                  {60, 37}, {97, 50}, {-1024, 1024}, {5, 17}};
    struct conv1d_case c = conv1d_open(97, 101, 0);
    struct conv1d_oracle oracle;
    conv1d_oracle_open(&oracle, &c.p, (const void *[]){c.x, c.w});
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        double want[CONV1D_PIECE], squares[CONV1D_PIECE];
        conv1d_oracle_piece(&oracle, pieces[k].first, pieces[k].count, want, squares);
        for (int i = 0; i < pieces[k].count; i++) {
            double y = 0, square = 0, magnitude = 0;
            for (int64_t j = -50; j <= 50; j++) {
                double v = (double)c.w[j + 50] * (double)conv1d_x(&c, pieces[k].first + i + j);
                y += v;
                square += v * v;
                magnitude += fabs(v);
            }
            assert_true(fabs(want[i] - y) <= 1e-14 * magnitude);
            assert_true(fabs(squares[i] - square) <= 1e-14 * square);
            assert_true(fabs(conv1d_oracle_magnitude(&oracle, pieces[k].first + i) - magnitude) <=
                        1e-14 * magnitude);
        }
    }
    conv1d_oracle_close(&oracle);
    conv1d_close(&c);
}

enum order { FORWARD, BACKWARD, FOUR_SUMS, IN_DOUBLE, N_ORDERS };

/* The float with `bits` bits after its leading one. */
static float rounded(float v, int bits)
{
    if (bits == 23)
        return v;
    const float big = v * (float)(1 << (23 - bits)) * 1.5f;
    return (v + big) - big;
}

/* Convolve in fp32, operands rounded to `bits` bits; `flush`: denormals become zero. */
static void plain(struct conv1d_case *c, enum order order, int bits, bool flush)
{
    const int64_t n = (int64_t)c->p.n, r = c->p.radius;
    for (int64_t i = 0; i < n; i++) {
        float sum[4] = {0};
        double exact = 0;
        const int64_t low = i < r ? -i : -r, high = n - 1 - i < r ? n - 1 - i : r;
        for (int64_t k = low; k <= high; k++) {
            const int64_t j = order == BACKWARD ? low + high - k : k;
            const float x = flush && fabsf(c->x[i + j]) < 0x1p-126f ? 0 : c->x[i + j];
            sum[order == FOUR_SUMS ? k & 3 : 0] += rounded(c->w[j + r], bits) * rounded(x, bits);
            exact += (double)c->w[j + r] * (double)x;
        }
        c->y[i] = order == IN_DOUBLE ? (float)exact : (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

static void fp32_passes_in_any_order(void **state)
{
    (void)state;
    for (size_t s = 0; s < N_SHAPES; s++) {
        struct conv1d_case c = conv1d_open(shapes[s].n, shapes[s].mask, 0);
        for (uint64_t call = 0; call < (shapes[s].n < 5000 ? 8 : 1); call++)
            for (int order = FORWARD; order < N_ORDERS; order++) {
                conv1d_draw(&c, 9, call);
                plain(&c, (enum order)order, 23, false);
                conv1d_assert_right(&c);
            }
        conv1d_close(&c);
    }
    struct conv1d_case none = conv1d_open(0, 9, 0);
    conv1d_assert_right(&none);
    conv1d_close(&none);
}

static void low_precision_fails(void **state)
{
    (void)state;
    for (size_t s = 0; s < N_SHAPES; s++) {
        if (shapes[s].n < 31)
            continue;
        struct conv1d_case c = conv1d_open(shapes[s].n, shapes[s].mask, 0);
        for (int bits = 7; bits <= 10; bits += 3) {
            plain(&c, FORWARD, bits, false);
            conv1d_assert_wrong(&c, "", "");
        }
        conv1d_close(&c);
    }
    struct conv1d_case c = conv1d_open(4099, 127, 0);
    plain(&c, FORWARD, 10, false);
    conv1d_assert_wrong(&c, "y[", "half, bf16 or TF32");
    conv1d_close(&c);
    c = conv1d_open(100003, 3, 0);
    plain(&c, FORWARD, 10, false);
    conv1d_assert_wrong(&c, "", "half, bf16 or TF32");
    plain(&c, FORWARD, 23, true);
    conv1d_assert_wrong(&c, "y[", "denormals became zero");
    conv1d_close(&c);
}

static void quick_check_sees_single_outputs(void **state)
{
    (void)state;
    struct hpc_mismatch m;
    struct conv1d_case c = conv1d_open(100003, 9, 0);
    plain(&c, FORWARD, 23, false);
    for (int i = 0; i < 100; i++) { /* an angle of its own each */
        assert_true(conv1d_quick(&c, &m));
        const size_t at = (size_t)i * 1000 + 7;
        const float right = c.y[at];
        c.y[at] = right + 0.5f;
        assert_false(conv1d_quick(&c, &m));
        c.y[at] = right;
    }
    c.y[77] = INFINITY;
    assert_false(conv1d_quick(&c, &m));
    assert_int_equal(m.index, 77);
    plain(&c, FORWARD, 23, false);
    memmove(c.y + 1, c.y, 100002 * sizeof *c.y);
    assert_false(conv1d_quick(&c, &m));
    memset(c.y, 0, c.p.n * sizeof *c.y);
    assert_false(conv1d_quick(&c, &m));
    conv1d_close(&c);
}

/* Too many products for every element: ends, samples and the product check. */
static void large_problems_are_sampled(void **state)
{
    (void)state;
    struct conv1d_case c = conv1d_open(((uint64_t)1 << 34) / 16383 + 5000, 16383, 0);
    struct conv1d_oracle oracle;
    double squares[CONV1D_PIECE], want[CONV1D_PIECE];
    const int64_t n = (int64_t)c.p.n;
    conv1d_oracle_open(&oracle, &c.p, (const void *[]){c.x, c.w});
    for (int64_t i = 0; i < n; i += CONV1D_PIECE) {
        const int count = (int)(n - i < CONV1D_PIECE ? n - i : CONV1D_PIECE);
        conv1d_oracle_piece(&oracle, i, count, want, squares);
        for (int k = 0; k < count; k++)
            c.y[i + k] = (float)want[k];
    }
    conv1d_oracle_close(&oracle);
    conv1d_assert_right(&c);
    const float last = c.y[n - 1];
    c.y[n - 1] += 100;
    struct hpc_mismatch m;
    assert_false(conv1d_full(&c, &m));
    assert_int_equal(m.index, n - 1);
    c.y[n - 1] = last;
    for (int64_t i = n / 2; i < n / 2 + n / 100; i++)
        c.y[i] += 1;
    assert_false(conv1d_full(&c, &m));
    conv1d_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses),
        cmocka_unit_test(lays_out_and_costs),
        cmocka_unit_test(inputs_are_drawn),
        cmocka_unit_test(oracle_is_the_formula),
        cmocka_unit_test(fp32_passes_in_any_order),
        cmocka_unit_test(low_precision_fails),
        cmocka_unit_test(quick_check_sees_single_outputs),
        cmocka_unit_test(large_problems_are_sampled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
