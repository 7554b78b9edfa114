/* The inputs of conv2d and convpool, and the halves that they may be. */
#include "tests/unit/conv_case.h"

#include <math.h>

#include "common/random.h"
#include "conv2d/half.h"

static void draws(void **state)
{
    (void)state;
    struct conv_test a = conv_test_open(&conv2d_op, "c=4 h=50 k=2 r=3 sparsity=0.75"), b = a;
    const size_t n = a.layout.in[0].count, filters = conv_test_bytes(&a.layout.in[1]);
    const float *x = a.in[0];
    size_t zeros = 0;
    for (size_t i = 0; i < n; i++)
        zeros += x[i] == 0;
    assert_true(fabs((double)zeros / (double)n - 0.75) < 0.02);
    assert_true(a.layout.in[1].fixed && !a.layout.in[0].fixed);

    b.in[0] = hpc_malloc(n * sizeof *x);
    b.in[1] = hpc_malloc(filters);
    b.op->generate(&b.c, 20, 2, b.in); /* another call: other maps, the same filters */
    assert_memory_not_equal(a.in[0], b.in[0], n * sizeof *x);
    assert_memory_equal(a.in[1], b.in[1], filters);
    void *only_x[2] = {b.in[0], NULL};
    b.op->generate(&b.c, 20, 1, only_x);
    assert_memory_equal(a.in[0], b.in[0], n * sizeof *x);
    free(b.in[0]);
    free(b.in[1]);
    conv_test_close(&a);
}

/* Mean 0 and variance 1, over more than a chunk, with nothing drawn twice; positive ones; channels
 * scaled, each by a power of two of its own. */
static void normal(void **state)
{
    (void)state;
    struct conv_test a = conv_test_open(&conv2d_op, "c=4 h=80 k=2 r=3");
    const size_t n = a.layout.in[0].count, plane = n / 4;
    float *x = a.in[0], *scaled = hpc_malloc(n * sizeof *x);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (double)x[i];
        squares += (double)x[i] * (double)x[i];
    }
    assert_true(fabs(sum / (double)n) < 0.04 && fabs(squares / (double)n - 1) < 0.05);
    assert_memory_not_equal(x, x + HPC_RANDOM_CHUNK, HPC_RANDOM_CHUNK * sizeof *x);

    void *in[2] = {scaled, NULL};
    a.c.values = CONV_SCALED;
    a.op->generate(&a.c, 20, 1, in);
    for (size_t i = 0; i < n; i++)
        assert_true(x[i] == 0 ||
                    scaled[i] / x[i] == scaled[i / plane * plane] / x[i / plane * plane]);
    a.c.values = CONV_POSITIVE;
    a.op->generate(&a.c, 20, 1, in);
    for (size_t i = 0; i < n; i++)
        assert_true(scaled[i] == fabsf(x[i]));
    free(scaled);
    conv_test_close(&a);
}

/* Every half there and back; and rounding against the two neighbours. */
static void halves(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 0x10000; h++) {
        const float value = half_to_float((uint16_t)h);
        if (value == value)
            assert_int_equal(half_from_float(value), h);
        if ((h & 0x7fff) >= 0x7bff)
            continue;
        const float next = half_to_float((uint16_t)(h + 1)), middle = (value + next) / 2;
        assert_int_equal(half_from_float(middle), h + (h & 1)); /* ties to even */
        assert_int_equal(half_from_float(nextafterf(middle, value)), h);
        assert_int_equal(half_from_float(nextafterf(middle, next)), h + 1);
    }
    assert_true(half_to_float(0x3c00) == 1 && half_to_float(0xc500) == -5);
    assert_true(half_to_float(0x0001) == 0x1p-24f && half_to_float(0x7bff) == 65504);
    assert_int_equal(half_from_float(65519), 0x7bff);
    assert_int_equal(half_from_float(65520), 0x7c00);
    assert_int_equal(half_from_float(-INFINITY), 0xfc00);
    assert_true(half_from_float(NAN) > 0x7c00);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws),
        cmocka_unit_test(normal),
        cmocka_unit_test(halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
