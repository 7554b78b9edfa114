/* mlp_sgd, trusted side: gradients against central differences, the oracle, its inputs, and what
 * check() accepts, refuses and says. */
#include "tests/unit/mlp_case.h"

#include <math.h>

#include "common/random.h"

static const char paper[] = "layers=4,4,5,5,1 activations=softmax,relu,tanh,sigmoid samples=60 "
                            "epochs=2";

static struct test_case paper_case(const char *more)
{
    char words[300];
    snprintf(words, sizeof words, "%s %s", paper, more);
    return test_open(&mlp_sgd_op, words);
}

static void emulate(struct test_case *t)
{
    mlp_emulate(&t->c.p, t->in[MLP_X], t->in[MLP_Y], t->in[MLP_ORDER], t->in[MLP_W0],
                t->in[MLP_RATES], t->out[MLP_W]);
}

/* -dE/dw of one sample, by the definition: each weight moved both ways. */
static double difference(const struct mlp_problem *p, double *w, const double *x, const double *y,
                         size_t i)
{
    const double h = 1e-5, old = w[i];
    w[i] = old + h;
    double up = mlp_error(p, w, x, y);
    w[i] = old - h;
    double down = mlp_error(p, w, x, y);
    w[i] = old;
    return -(up - down) / (2 * h);
}

/* Compare on a net with `hidden` and `output` activations, in eight draws: in some of them relu
 * units are dead, but every matrix must have a gradient in one of them. */
static void try_gradient(const char *hidden, const char *output)
{
    char words[200];
    snprintf(words, sizeof words, "layers=3,4,3,2 activations=%s,%s,%s samples=1 rate=1", hidden,
             hidden, output);
    struct test_case t = test_open(&mlp_sgd_op, words);
    const struct mlp_problem *p = &t.c.p;
    double largest[MLP_MAX_LAYERS] = {0}, *w = t.in[MLP_W0];
    for (uint64_t call = 0; call < 8; call++) {
        double g[100] = {0};
        test_draw(&t, 3, call);
        mlp_gradient(p, w, t.in[MLP_X], t.in[MLP_Y], g);
        for (int l = 0; l < p->n_layers - 1; l++)
            for (size_t i = mlp_offset(p, l); i < mlp_offset(p, l + 1); i++) {
                double want = difference(p, w, t.in[MLP_X], t.in[MLP_Y], i);
                largest[l] = fmax(largest[l], fabs(want));
                if (!(fabs(g[i] - want) <= 1e-9 + 1e-7 * fabs(want)))
                    fail_msg("%s, %s: weight %zu: %.12g, by differences %.12g", hidden, output, i,
                             g[i], want);
            }
    }
    for (int l = 0; l < p->n_layers - 1; l++)
        assert_true(largest[l] > 1e-3);
    test_close(&t);
}

static void gradients_agree_with_differences(void **state)
{
    (void)state;
    static const char *const names[] = {"identity", "sigmoid", "tanh", "relu", "softmax"};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            try_gradient(names[i], names[j]);
}

/* One epoch is one gradient step a sample, in the schedule's order. */
static void oracle_follows_the_gradient(void **state)
{
    (void)state;
    struct test_case t = paper_case("permutations=1 epochs=1");
    const struct mlp_problem *p = &t.c.p;
    size_t n = mlp_weights(p);
    double *w = hpc_malloc(n * sizeof *w), *g = hpc_malloc(n * sizeof *g);
    memcpy(w, t.in[MLP_W0], n * sizeof *w);
    for (int i = 0; i < p->samples; i++) {
        int s = ((int32_t *)t.in[MLP_ORDER])[i];
        memset(g, 0, n * sizeof *g);
        mlp_gradient(p, w, (double *)t.in[MLP_X] + s * 4, (double *)t.in[MLP_Y] + s, g);
        for (size_t k = 0; k < n; k++)
            w[k] += t.c.rate * g[k];
    }
    memcpy(t.out[MLP_W], w, n * sizeof *w);
    assert_right(&t);
    free(w);
    free(g);
    test_close(&t);
}

/* Two replicas for one epoch: the mean of two nets that were trained on half of the order each. */
static void replicas_are_averaged(void **state)
{
    (void)state;
    struct test_case t = paper_case("samples=51 replicas=2 epochs=1");
    struct mlp_problem half = t.c.p;
    size_t n = mlp_weights(&half);
    double *w[2] = {hpc_malloc(n * sizeof(double)), hpc_malloc(n * sizeof(double))};
    for (int r = 0; r < 2; r++) {
        int first, last;
        mlp_shard(&t.c.p, r, &first, &last);
        assert_int_equal(last - first, r == 0 ? 25 : 26);
        half.replicas = 1;
        half.samples = last - first;
        mlp_emulate(&half, t.in[MLP_X], t.in[MLP_Y], (int32_t *)t.in[MLP_ORDER] + first,
                    t.in[MLP_W0], t.in[MLP_RATES], w[r]);
    }
    for (size_t i = 0; i < n; i++)
        ((double *)t.out[MLP_W])[i] = (w[0][i] + w[1][i]) / 2;
    assert_right(&t);
    free(w[0]);
    free(w[1]);
    test_close(&t);
}

static void inputs_are_new_and_repeatable(void **state)
{
    (void)state;
    static const char *const words[] = {
        "layers=5,3,1 activations=tanh,sigmoid samples=40 epochs=3",
        "data=breast_cancer layers=30,2 activations=softmax",
        "data=digits layers=64,10 activations=softmax samples=77",
    };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        struct test_case a = test_open(&mlp_sgd_op, words[k]);
        struct test_case b = test_open(&mlp_sgd_op, words[k]);
        const struct mlp_problem *p = &a.c.p;
        for (int i = 0; i < MLP_N_IN; i++)
            assert_memory_equal(a.in[i], b.in[i], test_bytes(&a.layout.in[i]));
        test_draw(&b, 20, 2);
        assert_memory_not_equal(a.in[MLP_X], b.in[MLP_X], test_bytes(&a.layout.in[MLP_X]));
        assert_memory_not_equal(a.in[MLP_W0], b.in[MLP_W0], test_bytes(&a.layout.in[MLP_W0]));
        test_draw(&b, 21, 1);
        assert_memory_not_equal(a.in[MLP_X], b.in[MLP_X], test_bytes(&a.layout.in[MLP_X]));
        for (int row = 0; row < p->permutations; row++) {
            char *seen = hpc_calloc((size_t)p->samples, 1);
            for (int i = 0; i < p->samples; i++) {
                int s = ((int32_t *)a.in[MLP_ORDER])[row * p->samples + i];
                assert_in_range(s, 0, p->samples - 1);
                assert_false(seen[s]++);
            }
            free(seen);
        }
        test_close(&a);
        test_close(&b);
    }
}

/* Real data comes scaled: each column has mean 0, and variance 1 or (constant columns) noise. */
static void data_is_scaled(void **state)
{
    (void)state;
    struct test_case t = test_open(&mlp_sgd_op, "data=digits layers=64,10 activations=softmax");
    const double *x = t.in[MLP_X];
    int constant = 0;
    for (int c = 0; c < 64; c++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < 1797; i++) {
            sum += x[i * 64 + c] / 1797;
            squares += x[i * 64 + c] * x[i * 64 + c] / 1797;
        }
        assert_true(fabs(sum) < 1e-3);
        assert_true(fabs(squares - 1) < 1e-3 || squares < 2e-6);
        constant += squares < 2e-6;
    }
    assert_int_equal(constant, 3);
    test_close(&t);
}

static void right_outputs_pass(void **state)
{
    (void)state;
    static const char *const words[] = {
        "samples=0",
        "samples=1 epochs=3",
        "epochs=0",
        "samples=2 replicas=5 epochs=2",
        "rate=0",
        "replicas=3 merge_every=2 epochs=5",
        "networks=4",
        "type=f32",
        "replicas=threads threads=3",
        "data=breast_cancer layers=30,3,1 activations=tanh,sigmoid"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        struct test_case t = paper_case(words[k]);
        if (t.c.p.type == HPC_F64) {
            emulate(&t);
        } else {
            size_t n = t.layout.out[0].count;
            double *in[MLP_N_IN], *w = hpc_malloc(n * sizeof *w);
            for (int i = 0; i < MLP_N_IN; i++)
                in[i] = i == MLP_ORDER ? NULL : mlp_doubles(t.in[i], HPC_F32, t.layout.in[i].count);
            mlp_emulate(&t.c.p, in[MLP_X], in[MLP_Y], t.in[MLP_ORDER], in[MLP_W0], in[MLP_RATES],
                        w);
            for (size_t i = 0; i < n; i++)
                ((float *)t.out[MLP_W])[i] = (float)w[i];
            for (int i = 0; i < MLP_N_IN; i++)
                free(in[i]);
            free(w);
        }
        assert_right(&t);
        test_close(&t);
    }
}

static void broken_cases_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *words, *text;
    } broken[] = {
        {"activations=tanh", "layers is missing"},
        {"layers=4 activations=tanh", "layers has 1 number, expected 2 to 10"},
        {"layers=4,0,1 activations=tanh,tanh", "here: layers has \"0\" at place 2"},
        {"layers=4,5x,1 activations=tanh,tanh", "layers has \"5x\" at place 2"},
        {"layers=4,65537 activations=tanh", "layers has \"65537\""},
        {"layers=1,1,1,1,1,1,1,1,1,1,1 activations=tanh", "layers has \"1\" at place 11"},
        {"layers=4,5,1 activations=tanh", "activations has 1 names, expected 2"},
        {"layers=4,5,1 activations=tanh,sigmod", "activations has \"sigmod\" at place 2"},
        {"layers=4,1 activations=softmax", "softmax of 1 unit"},
        {"layers=4,1 activations=tanh data=iris", "data is \"iris\""},
        {"layers=4,1 activations=tanh data=digits", "expected from 64 to 10"},
        {"layers=30,3 activations=tanh data=breast_cancer", "expected from 30 to 2 or 1"},
        {"layers=30,1 activations=tanh data=breast_cancer samples=570", "570"},
        {"layers=4,1 activations=tanh samples=-1", "-1"},
        {"layers=4,1 activations=tanh rate=-0.1", "rate"},
        {"layers=4,1 activations=tanh rate=nan", "rate"},
        {"layers=4,1 activations=tanh type=f16", "type is \"f16\", expected f64 or f32"},
        {"layers=4,1 activations=tanh epocs=3", "epocs"},
        {"layers=4,1 activations=tanh batch=3", "batch"},
        {"layers=4,1 activations=tanh networks=2 replicas=2", "expected one of them to be 1"},
        {"layers=65536,65536 activations=tanh samples=1", "less than 2 GiB"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct mlp_case c;
        struct hpc_error err = {0};
        assert_false(test_parse(&mlp_sgd_op, broken[i].words, &c, &err));
        if (!strstr(err.text, broken[i].text))
            fail_msg("%s: \"%s\", expected \"%s\"", broken[i].words, err.text, broken[i].text);
    }
}

/* One update of 2-3-1: 13 weights, 4 units, and 4 weights that hand errors back. */
static void costs_are_counted(void **state)
{
    (void)state;
    struct test_case t =
        test_open(&mlp_sgd_op, "layers=2,3,1 activations=tanh,tanh samples=10 epochs=5 networks=2");
    struct hpc_cost cost;
    mlp_sgd_op.cost(&t.c, &cost);
    assert_true(cost.flops == (2 * 13 + 2 * 13 + 2 * 4 + 2 * 4) * 10 * 5 * 2);
    assert_true(cost.bytes == 8 * (20 + 10 + 26 + 2 + 26) + 4 * 5 * 10);
    test_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_agree_with_differences),
        cmocka_unit_test(oracle_follows_the_gradient),
        cmocka_unit_test(replicas_are_averaged),
        cmocka_unit_test(inputs_are_new_and_repeatable),
        cmocka_unit_test(data_is_scaled),
        cmocka_unit_test(right_outputs_pass),
        cmocka_unit_test(broken_cases_are_explained),
        cmocka_unit_test(costs_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
