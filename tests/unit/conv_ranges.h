/* What halves can't hold, given to the variants that scale floats to halves. */
#ifndef HPC_TESTS_UNIT_CONV_RANGES_H
#define HPC_TESTS_UNIT_CONV_RANGES_H

#include <math.h>

#include "common/table.h"
#include "tests/unit/conv_given.h"

/* What halves can't hold beside a tile's largest: where[i] of x becomes `value`, all else is zero
 * but for a one. */
static const struct {
    const char *name;
    float value;
} out_of_range[] = {
    {"2^-27", 0x1.5p-27f},     {"2^-29", 0x1.123456p-29f}, {"2^-40", -0x1.abcdefp-40f},
    {"denormal", 0x1.8p-130f}, {"infinite", INFINITY},     {"no number", NAN},
    {"2^100", 0x1p100f},
};

/* Each output as near as sums of floats are, infinite or no number where the sum in double is. */
static void assert_like(const struct conv_sums *want, const float *got, const char *name)
{
    for (size_t i = 0; i < want->count; i++) {
        const double y = want->y[i], off = fabs((double)got[i] - y);
        const bool right = isnan(y)   ? isnan(got[i])
                           : isinf(y) ? (double)got[i] == y
                                      : off <= 1e-6 * want->absolute[i] + 1e-44;
        if (!right)
            fail_msg("%s: y[%zu] is %g, expected %g", name, i, (double)got[i], y);
    }
}

static void keeps_range(const struct hpc_variant *v, const char *words, int kind)
{
    struct conv_test t = conv_test_open(&conv2d_op, words);
    const size_t nx = t.layout.in[CONV2D_X].count;
    float *values = t.in[CONV2D_X];
    memset(values, 0, nx * sizeof *values);
    values[0] = 1; /* a corner: most windows do not see it */
    values[nx / 2] = values[nx - 1] = out_of_range[kind].value;
    const void *fixed[] = {NULL, t.in[CONV2D_W]};
    const struct hpc_env env = {.threads = 1, .fixed = fixed};
    struct conv_sums want = conv_oracle(&t.c.p, t.in[CONV2D_X], t.in[CONV2D_W]);
    struct given x = give(true, t.in[CONV2D_X], conv_test_bytes(&t.layout.in[CONV2D_X]));
    struct given w = give(true, t.in[CONV2D_W], conv_test_bytes(&t.layout.in[CONV2D_W]));
    struct given y = give(true, t.out[0], conv_test_bytes(&t.layout.out[0]));
    const void *in[] = {x.p, w.p};
    void *out[] = {y.p}, *state = NULL;
    assert_int_equal(v->open(&env, &t.c, &state), 0);
    assert_int_equal(v->run(state, in, out), 0);
    v->close(state);
    take(&y, t.out[0]);
    assert_like(&want, t.out[0], out_of_range[kind].name);
    take(&x, t.in[CONV2D_X]);
    take(&w, t.in[CONV2D_W]);
    conv_sums_free(&want);
    conv_test_close(&t);
}

/* The second size is one that Hopper's kernel takes: where no GPU runs it, it would take long. */
static void halves_keep_range(void **state)
{
    int tried = 0;
    bool gpu = false;
    (void)state;
    for (int i = 0; hpc_variants[i]; i++)
        gpu |= strcmp(hpc_variants[i]->name, "pool_fused") == 0;
    for (int i = 0; hpc_variants[i]; i++)
        for (size_t kind = 0; kind < sizeof out_of_range / sizeof *out_of_range; kind++)
            if (strcmp(hpc_variants[i]->name, "conv_dense_split") == 0) {
                keeps_range(hpc_variants[i], "n=1 c=20 h=9 k=17 r=3 pad=1", (int)kind);
                if (gpu)
                    keeps_range(hpc_variants[i], "n=1 c=128 h=28 k=96 r=3 pad=1", (int)kind);
                tried++;
            }
    assert_int_equal(tried, sizeof out_of_range / sizeof *out_of_range);
}

/* Makes x hard for a kernel that scales tiles to halves. */
enum hard { TINY, TINY_CHANNEL, INFINITE, NOT_A_NUMBER, DENORMAL, HUGE_SUMS, HARD_KINDS };

static void make_hard(struct conv_test *t, enum hard kind)
{
    const struct conv2d_problem *p = &t->c.p.conv;
    const size_t count = t->layout.in[CONV2D_X].count;
    for (size_t i = 0; i < count; i++) {
        double v = conv_element(t->in[CONV2D_X], p->type, i);
        if (kind == TINY) /* two alone in the tile, out of each other's windows */
            v = i == 0 ? 1 : i == count - 1 ? 0x1p-29 : 0;
        if (kind == TINY_CHANNEL)
            v = i % (size_t)p->c < 4 ? v * 0x1p-29 : i / (size_t)p->c % 16 < 8 ? 0 : v;
        if ((kind == INFINITE || kind == NOT_A_NUMBER) && i == count / 2)
            v = kind == INFINITE ? INFINITY : NAN;
        if (kind == DENORMAL)
            v *= p->type == CONV_F16 ? 0x1p-18 : 0x1p-130;
        if (kind == HUGE_SUMS)
            v = p->type == CONV_F16 ? 30000 + v : v * 0x1p125;
        conv_put(t->in[CONV2D_X], p->type, i, v);
    }
}

/* Infinite and NaN where double's are, and near elsewhere. */
static void assert_as_oracle(const struct conv_test *t, const struct conv_sums *want,
                             const char *name, int kind)
{
    for (size_t i = 0; i < want->count; i++) {
        const int type = t->c.p.conv.type;
        const double got = conv_element(t->out[0], type, i), y = want->y[i];
        const double most = type == CONV_F16 ? 65504 : 3.4028234e38, least = 0x1p-149;
        const double bound = conv_bound(&t->c.p, y, want->absolute[i]) + least;
        const bool right = isnan(y)                     ? isnan(got)
                           : isinf(y) || fabs(y) > most ? got == (y > 0 ? INFINITY : -INFINITY)
                                                        : fabs(got - y) <= bound;
        if (!right)
            fail_msg("%s, hard inputs %d: y[%zu] is %g, want %g within %g", name, kind, i, got, y,
                     bound);
    }
}

static void hard_inputs_right(const struct hpc_variant *v, const char *words, enum hard kind)
{
    struct conv_test t = conv_test_open(&convpool_op, words);
    make_hard(&t, kind);
    const void *fixed[] = {NULL, t.in[CONV2D_W]};
    const struct hpc_env env = {.threads = 1, .fixed = fixed};
    struct conv_sums want = conv_oracle(&t.c.p, t.in[CONV2D_X], t.in[CONV2D_W]);
    struct given x = give(true, t.in[CONV2D_X], conv_test_bytes(&t.layout.in[CONV2D_X]));
    struct given w = give(true, t.in[CONV2D_W], conv_test_bytes(&t.layout.in[CONV2D_W]));
    struct given y = give(true, t.out[0], conv_test_bytes(&t.layout.out[0]));
    const void *in[] = {x.p, w.p};
    void *out[] = {y.p}, *state = NULL;
    assert_int_equal(v->open(&env, &t.c, &state), 0);
    assert_int_equal(v->run(state, in, out), 0);
    v->close(state);
    take(&y, t.out[0]);
    assert_as_oracle(&t, &want, v->name, (int)kind);
    assert_untouched(&x, t.in[CONV2D_X]);
    assert_untouched(&w, t.in[CONV2D_W]);
    conv_sums_free(&want);
    conv_test_close(&t);
}

/* The fused convolution-pooling, where a GPU runs it: what its halves can't hold. */
static void fused_ranges(void **state)
{
    static const char *const fused[] = {"pool_fused_half", "pool_fused_tf32", "pool_fused"};
    static const char *const types[] = {"f16", "tf32", "f32"};
    static const char *const maps[] = {"h=8 layout=nhwc", "h=16 layout=nhwc", "h=8", "h=16",
                                       "h=32"};
    int tried = 0;
    (void)state;
    for (int i = 0; hpc_variants[i]; i++)
        for (int j = 0; j < 3; j++)
            for (int m = 0; m < 5 && strcmp(hpc_variants[i]->name, fused[j]) == 0; m++)
                for (int kind = 0; kind < HARD_KINDS; kind++) {
                    char words[100];
                    snprintf(words, sizeof words, "n=2 c=64 k=64 r=3 pad=1 %s type=%s", maps[m],
                             types[j]);
                    hard_inputs_right(hpc_variants[i], words, (enum hard)kind);
                    tried++;
                }
    print_message("# %d cases of hard inputs\n", tried);
    if (tried == 0)
        skip();
}

#endif
