/* mlp_minibatch, trusted side: the oracle against mlp_sgd's, and that check() accepts fp32 in any
 * order of additions and refuses TF32, bf16 and single wrong weights. */
#include "tests/unit/mlp_case.h"

#include <math.h>

#include "common/random.h"
#include "mlp/op/minibatch.h"

static const char *const shapes[] = {
    "layers=5,3,2 activations=tanh,softmax samples=1 batch=1 rate=0.1",
    "layers=31,67,29,7 activations=sigmoid,tanh,softmax samples=57 batch=13 epochs=2 rate=0.1",
    "layers=64,129,63,3 activations=relu,relu,identity samples=65 batch=33 rate=0.02",
    "layers=3,200,2 activations=relu,sigmoid samples=256 batch=256 epochs=3 rate=0.5",
    "layers=300,41,10 activations=tanh,softmax samples=64 batch=64 rate=0.5",
    "data=digits layers=64,48,10 activations=relu,softmax samples=300 batch=32 epochs=2 rate=0.1",
};
#define N_SHAPES (sizeof shapes / sizeof *shapes)

static void plain(struct test_case *t, int bits)
{
    memcpy(t->out[MLP_W], t->in[MLP_W0], test_bytes(&t->layout.out[0]));
    mlp_minibatch_plain(&t->c.p, t->in[MLP_X], t->in[MLP_Y], *(float *)t->in[MLP_RATES], bits,
                        t->out[MLP_W]);
}

/* With batches of one sample, minibatch is sgd in the order of the rows. */
static void oracle_is_sgd_at_batch_one(void **state)
{
    (void)state;
    struct test_case t = test_open(&mlp_minibatch_op, "layers=6,9,8,3 activations=tanh,sigmoid,"
                                                      "softmax samples=20 batch=1 epochs=2");
    size_t n = t.layout.out[0].count;
    double *x = mlp_doubles(t.in[MLP_X], HPC_F32, 20 * 6), *want = hpc_malloc(n * sizeof *want);
    double *y = mlp_doubles(t.in[MLP_Y], HPC_F32, 20 * 3);
    double *w = mlp_doubles(t.in[MLP_W0], HPC_F32, n), rate = (double)*(float *)t.in[MLP_RATES];
    float *variance = hpc_malloc(n * sizeof *variance);
    struct mlp_problem sgd = t.c.p;
    int32_t order[20];
    for (int i = 0; i < 20; i++)
        order[i] = i;
    sgd.permutations = 1;
    mlp_emulate(&sgd, x, y, order, w, &rate, want);
    mlp_minibatch_oracle(&t.c.p, t.in[MLP_X], t.in[MLP_Y], (float)rate, w, variance);
    for (size_t i = 0; i < n; i++) {
        assert_true(fabs(w[i] - want[i]) <= 1e-14);
        assert_true(variance[i] > 0 && variance[i] < 1e6f);
    }
    free(x);
    free(y);
    free(w);
    free(want);
    free(variance);
    test_close(&t);
}

/* One batch of all samples is a step along the mean gradient. */
static void oracle_steps_along_the_mean(void **state)
{
    (void)state;
    struct test_case t = test_open(&mlp_minibatch_op, "layers=6,9,3 activations=relu,softmax "
                                                      "samples=10 batch=10 rate=0.3");
    const struct mlp_problem *p = &t.c.p;
    size_t n = t.layout.out[0].count;
    double *x = mlp_doubles(t.in[MLP_X], HPC_F32, 60), *y = mlp_doubles(t.in[MLP_Y], HPC_F32, 30);
    double *w0 = mlp_doubles(t.in[MLP_W0], HPC_F32, n), *w = mlp_doubles(t.in[MLP_W0], HPC_F32, n);
    double *g = hpc_calloc(n, sizeof *g), moved = 0;
    float *variance = hpc_malloc(n * sizeof *variance), rate = *(float *)t.in[MLP_RATES];
    for (int i = 0; i < 10; i++)
        mlp_gradient(p, w0, x + i * 6, y + i * 3, g);
    mlp_minibatch_oracle(p, t.in[MLP_X], t.in[MLP_Y], rate, w, variance);
    for (size_t i = 0; i < n; i++) {
        assert_true(fabs(w[i] - (w0[i] + (double)rate * g[i] / 10)) <= 1e-14);
        moved = fmax(moved, fabs(w[i] - w0[i]));
    }
    assert_true(moved > 1e-3);
    free(x);
    free(y);
    free(w0);
    free(w);
    free(g);
    free(variance);
    test_close(&t);
}

/* Train in plain fp32 with hidden units and samples shuffled, and shuffle the weights back: the
 * same net, every sum in another order. Two-matrix nets only. */
static void plain_shuffled(struct test_case *t)
{
    const struct mlp_problem *p = &t->c.p;
    int n_x = p->size[0], n_h = p->size[1], n_y = p->size[2], *hidden = hpc_malloc(4096 * 4);
    float *x = hpc_malloc(test_bytes(&t->layout.in[MLP_X])), *w0 = t->in[MLP_W0];
    float *y = hpc_malloc(test_bytes(&t->layout.in[MLP_Y])), *out = t->out[MLP_W];
    float *w = hpc_malloc(test_bytes(&t->layout.out[0])), *upper = w + mlp_offset(p, 1);
    struct hpc_random random;
    hpc_random_init(&random, 5, 5);
    hpc_random_permutation(&random, hidden, n_h);
    for (int i = 0; i < p->samples; i++) { /* one batch: the samples backwards */
        memcpy(x + (p->samples - 1 - i) * n_x, (float *)t->in[MLP_X] + i * n_x, (size_t)n_x * 4);
        memcpy(y + (p->samples - 1 - i) * n_y, (float *)t->in[MLP_Y] + i * n_y, (size_t)n_y * 4);
    }
    for (int back = 0; back < 2; back++) {
        float *from = back ? w : w0, *to = back ? out : w;
        memcpy(to, from, test_bytes(&t->layout.out[0]));
        for (int k = 0; k < n_h; k++) {
            int a = back ? k : hidden[k], b = back ? hidden[k] : k;
            for (int i = 0; i <= n_x; i++)
                to[i * n_h + b] = from[i * n_h + a];
            memcpy(to + (upper - w) + (1 + b) * n_y, from + (upper - w) + (1 + a) * n_y,
                   (size_t)n_y * 4);
        }
        if (!back)
            mlp_minibatch_plain(p, x, y, *(float *)t->in[MLP_RATES], 23, w);
    }
    free(hidden);
    free(x);
    free(y);
    free(w);
}

static void fp32_passes_in_any_order(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_SHAPES; k++) {
        struct test_case t = test_open(&mlp_minibatch_op, shapes[k]);
        for (uint64_t call = 0; call < 20; call++) {
            test_draw(&t, 9, call);
            plain(&t, 23);
            assert_right(&t);
            if (t.c.p.n_layers == 3 && t.c.p.samples <= t.c.p.batch) {
                plain_shuffled(&t);
                assert_right(&t);
            }
        }
        test_close(&t);
    }
}

/* What a unit of hidden 1 sums for a sample, by the start weights. */
static double start_sum(const struct test_case *t, int unit, int sample)
{
    const int n_x = t->c.p.size[0], n = t->c.p.size[1];
    const float *w = t->in[MLP_W0], *x = (const float *)t->in[MLP_X] + sample * n_x;
    double z = (double)w[unit];
    for (int i = 0; i < n_x; i++)
        z += (double)x[i] * (double)w[(1 + i) * n + unit];
    return z;
}

/* A relu of which fp32 can't say whether it is on, in the first of two updates: both ways are
 * right, and what follows of it in the second. */
static void relu_that_may_be_on_or_off(void **state)
{
    (void)state;
    int on = 0, off = 0;
    struct test_case t = test_open(&mlp_minibatch_op, shapes[2]);
    for (int unit = 0; unit < 24; unit++) {
        test_draw(&t, 9, 1);
        const int sample = unit % t.c.p.batch;
        float *bias = (float *)t.in[MLP_W0] + unit;
        *bias = (float)((double)*bias - start_sum(&t, unit, sample));
        const float middle = *bias;
        for (int side = -1; side <= 1; side += 2) { /* taken for less or more than 0 */
            *bias = middle + (float)side * 2e-7f;
            assert_true(side * start_sum(&t, unit, sample) > 0);
            plain(&t, 23);
            *bias = middle;
            assert_right(&t);
            on += side > 0;
            off += side < 0;
        }
    }
    assert_true(on && off);
    test_close(&t);
}

static void low_precision_fails(void **state)
{
    (void)state;
    for (size_t k = 1; k < N_SHAPES; k++) {
        struct test_case t = test_open(&mlp_minibatch_op, shapes[k]);
        for (int bits = 7; bits <= 10; bits += 3) {
            plain(&t, bits);
            assert_wrong(&t, "", "");
        }
        test_close(&t);
    }
    struct test_case t = test_open(&mlp_minibatch_op, shapes[4]);
    plain(&t, 10);
    assert_wrong(&t, "", "half, bf16 or TF32");
    test_close(&t);
}

static void slips_are_recognised(void **state)
{
    (void)state;
    struct test_case t = test_open(&mlp_minibatch_op, shapes[4]);
    struct hpc_mismatch m;
    bool admitted;
    float *w = t.out[MLP_W], *rate = t.in[MLP_RATES];
    assert_wrong(&t, "bias of hidden 1, unit 0", "not finite");
    assert_false(test_quick(&t, &m));
    memcpy(w, t.in[MLP_W0], test_bytes(&t.layout.out[0]));
    assert_wrong(&t, "", "never moved");
    assert_false(test_quick(&t, &m));
    *rate = -*rate;
    plain(&t, 23);
    *rate = -*rate;
    assert_wrong(&t, "", "climb");
    *rate *= 64;
    plain(&t, 23);
    *rate /= 64;
    assert_wrong(&t, "", "the mean over the batch, not the sum");
    plain(&t, 23);
    w[41 * 300 + 7] += 0x1p-12f;
    assert_false(test_check(&t, &admitted, &m));
    assert_int_equal(m.wrong, 1);
    assert_string_equal(m.what, "weight of input, unit 299 (row 300), to hidden 1, unit 7");
    assert_true(admitted);
    test_close(&t);
}

/* The cheap check errs on some draw of a small net with random answers; a timed call is not marked
 * by it alone. */
static void quick_no_is_looked_at_again(void **state)
{
    (void)state;
    struct test_case t = test_open(
        &mlp_minibatch_op, "layers=31,67,29,7 activations=sigmoid,tanh,softmax samples=27 batch=13 "
                           "epochs=2 rate=0.1");
    const void *const *in = (const void *const *)t.in, *const *out = (const void *const *)t.out;
    float *rate = t.in[MLP_RATES];
    struct hpc_mismatch m;
    int suspected = 0;
    for (uint64_t call = 0; call < 20; call++) {
        test_draw(&t, 11524465573950806179u, call); /* one that meets such a draw */
        plain(&t, 23);
        suspected += !test_quick(&t, &m);
        if (!hpc_op_check_timed(t.op, &t.c, in, out, &m))
            fail_msg("call %d: %s", (int)call, m.what);
    }
    assert_true(suspected > 0);
    *rate = -*rate;
    plain(&t, 23);
    *rate = -*rate;
    assert_false(hpc_op_check_timed(t.op, &t.c, in, out, &m));
    assert_non_null(strstr(m.hint, "climb"));
    test_close(&t);
}

static void cases_are_admitted_by_trial(void **state)
{
    (void)state;
    struct hpc_error err;
    for (size_t k = 0; k < N_SHAPES; k++) {
        struct test_case t = test_open(&mlp_minibatch_op, shapes[k]);
        if (!mlp_minibatch_op.admit(&t.c, 4, 5, &err))
            fail_msg("%s: %s", shapes[k], err.text);
        test_close(&t);
    }
    struct test_case t = test_open(&mlp_minibatch_op, "layers=200,100,3 activations=tanh,softmax "
                                                      "samples=10 batch=10 rate=1e-6");
    assert_false(mlp_minibatch_op.admit(&t.c, 4, 2, &err));
    assert_non_null(strstr(err.text, "cannot tell TF32 products from fp32"));
    test_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracle_is_sgd_at_batch_one),
        cmocka_unit_test(oracle_steps_along_the_mean),
        cmocka_unit_test(fp32_passes_in_any_order),
        cmocka_unit_test(relu_that_may_be_on_or_off),
        cmocka_unit_test(low_precision_fails),
        cmocka_unit_test(slips_are_recognised),
        cmocka_unit_test(quick_no_is_looked_at_again),
        cmocka_unit_test(cases_are_admitted_by_trial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
