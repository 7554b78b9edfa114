/* mlp_sgd, trusted side: what check(), check_quick() and admit() refuse, and what they say. */
#include "common/noise.h"
#include "tests/unit/mlp_case.h"

#include <math.h>

static struct test_case paper_case(const char *more)
{
    char words[300];
    snprintf(words, sizeof words,
             "layers=4,4,5,5,1 activations=softmax,relu,tanh,sigmoid samples=60 %s", more);
    return test_open(&mlp_sgd_op, words);
}

/* The output of the oracle for `p`, which may differ from the case's problem. */
static void emulate(struct test_case *t, const struct mlp_problem *p)
{
    mlp_emulate(p, t->in[MLP_X], t->in[MLP_Y], t->in[MLP_ORDER], t->in[MLP_W0], t->in[MLP_RATES],
                t->out[MLP_W]);
}

static void wrong_weights_are_named(void **state)
{
    (void)state;
    static const struct {
        size_t index;
        const char *name;
    } places[] = {{0, "bias of hidden 1, unit 0 (row 0)"},
                  {19, "weight of input, unit 3 (row 4), to hidden 1, unit 3"},
                  {24, "bias of hidden 2, unit 4 (row 0)"},
                  {29, "weight of hidden 1, unit 0 (row 1), to hidden 2, unit 4"},
                  {80, "weight of hidden 3, unit 4 (row 5), to output, unit 0"}};
    struct test_case t = paper_case("epochs=2");
    double *w = t.out[MLP_W];
    assert_int_equal(t.layout.out[0].count, 81);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct hpc_mismatch m;
        bool admitted;
        emulate(&t, &t.c.p);
        w[places[i].index] += 5e-13;
        assert_right(&t);
        w[places[i].index] += 1e-11;
        assert_wrong(&t, places[i].name, "");
        assert_false(test_check(&t, &admitted, &m));
        assert_true(admitted);
        assert_int_equal(m.wrong, 1);
        assert_int_equal(m.index, places[i].index);
        assert_true(m.got == w[places[i].index]);
        w[places[i].index] = i % 2 ? NAN : -INFINITY;
        assert_wrong(&t, places[i].name, "not finite");
        assert_false(test_quick(&t, &m));
        assert_string_equal(m.what, places[i].name);
    }
    test_close(&t);
    t = paper_case("networks=3");
    emulate(&t, &t.c.p);
    ((double *)t.out[MLP_W])[2 * 81 + 80] += 1;
    assert_wrong(&t, "to output, unit 0 in network 2", "");
    test_close(&t);
}

/* What a student's usual slips leave behind, and the hint for each. */
static void slips_are_recognised(void **state)
{
    (void)state;
    struct test_case t = paper_case("epochs=3");
    const double *w0 = t.in[MLP_W0];
    double *w = t.out[MLP_W], *rate = t.in[MLP_RATES];
    struct hpc_mismatch m;
    assert_wrong(&t, "bias of hidden 1", "no weight was written");
    assert_false(test_quick(&t, &m));
    memcpy(w, w0, 81 * sizeof *w);
    assert_wrong(&t, "bias of hidden 1", "never moved");
    assert_false(test_quick(&t, &m));
    *rate = -*rate;
    emulate(&t, &t.c.p);
    *rate = -*rate;
    assert_wrong(&t, "bias of hidden 1", "climb");
    emulate(&t, &t.c.p);
    for (int k = 0; k < 4; k++)
        w[k] = w0[k];
    assert_wrong(&t, "bias of hidden 1, unit 0", "only biases");
    test_close(&t);

    t = paper_case("epochs=5 replicas=3 merge_every=2");
    struct mlp_problem p = t.c.p;
    p.replicas = 1;
    emulate(&t, &p);
    assert_wrong(&t, "bias of hidden 1", "one replica on all samples");
    p = t.c.p;
    p.merge_every = 5;
    emulate(&t, &p);
    assert_wrong(&t, "bias of hidden 1", "one merge at the end");
    p.merge_every = 1;
    emulate(&t, &p);
    assert_wrong(&t, "bias of hidden 1", "after every epoch");
    test_close(&t);
}

/* The quick check: a net that got worse, and honest ones that do not move. */
static void quick_looks_at_the_error(void **state)
{
    (void)state;
    struct hpc_mismatch m;
    struct test_case t = paper_case("epochs=30");
    double *rate = t.in[MLP_RATES];
    *rate = -*rate;
    emulate(&t, &t.c.p);
    *rate = -*rate;
    assert_false(test_quick(&t, &m));
    assert_true(m.got > 1.05 * m.want);
    emulate(&t, &t.c.p);
    assert_true(test_quick(&t, &m));
    test_close(&t);

    t = test_open(&mlp_sgd_op, "layers=2,3,1 activations=relu,sigmoid samples=5");
    double *w0 = t.in[MLP_W0];
    for (int k = 0; k < 3; k++) { /* dead hidden units, and an output that is right already */
        w0[k] = -100;
        w0[9 + 1 + k] = 1;
    }
    w0[9] = -1000;
    memset(t.in[MLP_Y], 0, 5 * sizeof(double));
    emulate(&t, &t.c.p);
    assert_memory_equal(t.out[MLP_W], w0, 13 * sizeof *w0);
    assert_right(&t);
    test_close(&t);
}

/* Float: the rounding of one pass passes, half precision and a third of an epoch do not. */
static void float_is_judged_by_norm(void **state)
{
    (void)state;
    struct test_case t = paper_case("epochs=4 type=f32");
    double *in[MLP_N_IN] = {0}, w[81];
    float *out = t.out[MLP_W];
    for (int i = 0; i < MLP_N_IN; i++)
        if (i != MLP_ORDER)
            in[i] = mlp_doubles(t.in[i], HPC_F32, t.layout.in[i].count);
    mlp_emulate(&t.c.p, in[MLP_X], in[MLP_Y], t.in[MLP_ORDER], in[MLP_W0], in[MLP_RATES], w);
    for (int i = 0; i < 81; i++)
        out[i] = (float)w[i];
    assert_right(&t);
    for (int i = 0; i < 81; i++)
        out[i] = (float)w[i] * (1 + (i % 2 ? 1 : -1) * 0x1p-9f);
    assert_wrong(&t, "norm of the error", "");
    out[3] = NAN;
    assert_wrong(&t, "norm of the error", "some weights are not finite");
    for (int i = 0; i < MLP_N_IN; i++)
        free(in[i]);
    test_close(&t);
}

/* The one-ulp rule: the paper's net at rate 0.01 obeys it, at rate 0.3 and 300 epochs it cannot. */
static void chaotic_cases_are_refused(void **state)
{
    (void)state;
    struct hpc_error err;
    struct test_case t = paper_case("epochs=20 rate=0.01");
    assert_true(mlp_sgd_op.admit(&t.c, 7, 3, &err));
    test_close(&t);
    t = paper_case("epochs=300 rate=0.3");
    assert_false(mlp_sgd_op.admit(&t.c, 7, 3, &err));
    assert_non_null(strstr(err.text, "amplifies a one-ulp change of a start weight to"));
    struct hpc_mismatch m;
    bool admitted;
    emulate(&t, &t.c.p);
    ((double *)t.out[MLP_W])[0] += 1;
    assert_true(test_check(&t, &admitted, &m));
    assert_false(admitted);
    test_close(&t);
    t = paper_case("epochs=20 rate=1000");
    assert_false(mlp_sgd_op.admit(&t.c, 7, 3, &err));
    test_close(&t);
}

/* What an output holds before a call, from byte `from` of w on. */
static void leave_noise(double *w, size_t n, size_t from)
{
    const uint32_t noise = HPC_NOISE | 0x55;
    for (size_t i = from; i < n * sizeof *w; i++)
        ((char *)w)[i] = ((const char *)&noise)[i % sizeof noise];
}

static void a_copy_of_too_few_bytes(void **state)
{
    (void)state;
    double w[20];
    char hint[300] = "as it was";
    for (size_t i = 0; i < 20; i++)
        w[i] = 0.25 * (double)i;
    mlp_unwritten(20, w, hint, sizeof hint);
    assert_string_equal(hint, "as it was");
    leave_noise(w, 20, 80);
    mlp_unwritten(20, w, hint, sizeof hint);
    assert_string_equal(hint, "out[MLP_W] was not written from weight 10 of 20 on: a copy counts "
                              "bytes by sizeof(float), where weights are doubles");
    leave_noise(w, 20, 20);
    mlp_unwritten(20, w, hint, sizeof hint);
    assert_string_equal(hint, "out[MLP_W] was not written from weight 2 of 20 on: a copy counts "
                              "bytes, and each weight has sizeof(double) of them");
    snprintf(hint, sizeof hint, "as it was");
    w[19] = 1;
    mlp_unwritten(20, w, hint, sizeof hint);
    assert_string_equal(hint, "as it was");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_weights_are_named),   cmocka_unit_test(slips_are_recognised),
        cmocka_unit_test(quick_looks_at_the_error),  cmocka_unit_test(float_is_judged_by_norm),
        cmocka_unit_test(chaotic_cases_are_refused), cmocka_unit_test(a_copy_of_too_few_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
