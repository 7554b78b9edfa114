/* Which part of training is wrong: one update with one slip in it, and the words that name it. */
#include <math.h>

#include "mlp/op/emulate.h"
#include "tests/unit/mlp_case.h"

#define NET "layers=4,5,3,2 activations=tanh,softmax,sigmoid "

static void emulated(void **state)
{
    (void)state;
    static const struct {
        enum mlp_mistake mistake;
        const char *words;
    } rows[] = {
        {MLP_NEW_WEIGHTS, "errors come from weights that are updated already"},
        {MLP_NO_DERIVATIVE, "the derivative of the activation is left out"},
        {MLP_DIAGONAL_SOFTMAX, "hidden 2 (softmax) is wrong: the derivative is that of sigmoid"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct test_case t = test_open(&mlp_sgd_op, NET "samples=1 epochs=1 rate=0.375");
        const struct mlp_problem *p = &t.c.p;
        mlp_emulate_mistake(p, rows[i].mistake, t.in[MLP_X], t.in[MLP_Y], t.in[MLP_ORDER],
                            t.in[MLP_W0], t.in[MLP_RATES], t.out[MLP_W]);
        test_part(&t, rows[i].words);
        test_close(&t);
    }
}

static void nothing_is_said_of_a_right_result(void **state)
{
    (void)state;
    struct test_case t = test_right(NET "samples=1 epochs=1 rate=0.375");
    char text[300] = "";
    assert_false(
        t.op->part(&t.c, (const void *const *)t.in, (const void *const *)t.out, text, 300));
    test_close(&t);
}

static void nothing_moves(void **state)
{
    (void)state;
    struct test_case t = test_right(NET "samples=1 epochs=1 rate=0.375");
    memcpy(t.out[MLP_W], t.in[MLP_W0], mlp_weights(&t.c.p) * sizeof(double));
    test_part(&t, "moves no weight");
    test_close(&t);
}

static void update_without_the_rate(void **state)
{
    (void)state;
    struct test_case t = test_right(NET "samples=1 epochs=1 rate=0.375");
    double *w = t.out[MLP_W], *w0 = t.in[MLP_W0];
    for (size_t i = mlp_offset(&t.c.p, 1) + 3; i < mlp_offset(&t.c.p, 2); i++)
        w[i] = w0[i] + (w[i] - w0[i]) / 0.375;
    test_part(&t, "the update of the weights from hidden 1 (tanh) to hidden 2 (softmax) is wrong: "
                  "all are taken 2.667 times, that is without the rate");
    test_close(&t);
}

static void biases_without_the_rate(void **state)
{
    (void)state;
    struct test_case t = test_right(NET "samples=1 epochs=1 rate=0.375");
    double *w = t.out[MLP_W], *w0 = t.in[MLP_W0];
    for (int l = 0; l < 3; l++)
        for (size_t i = mlp_offset(&t.c.p, l), k = 0; k < (size_t)t.c.p.size[l + 1]; i++, k++)
            w[i] = w0[i] + (w[i] - w0[i]) / 0.375;
    test_part(&t, "the update of the biases of every layer is wrong: all are taken 2.667 times, "
                  "that is without the rate");
    test_close(&t);
}

static void biases_of_one_layer(void **state)
{
    (void)state;
    struct test_case t = test_right(NET "samples=1 epochs=1 rate=0.375");
    double *w = t.out[MLP_W], *w0 = t.in[MLP_W0];
    memcpy(w, w0, (size_t)t.c.p.size[1] * sizeof *w);
    test_part(&t, "the update of the biases of hidden 1 (tanh) is wrong: all are 0, as if nobody "
                  "computed them (row 0, unit 0: ");
    test_close(&t);
}

/* One layer, whose D is f(y - o) o (1 - o), or whose sums go on from unit to unit. */
static void slips_of_the_last_layer(void **state)
{
    (void)state;
    static const char *const words[] = {"the error y - o is squared", "goes on from unit to unit"};
    for (int slip = 0; slip < 2; slip++) {
        struct test_case t =
            test_right("layers=4,3 activations=sigmoid samples=1 epochs=1 rate=0.375");
        const double *w0 = t.in[MLP_W0], *x = t.in[MLP_X], *y = t.in[MLP_Y];
        double *w = t.out[MLP_W], kept = 0;
        for (int k = 0; k < 3; k++) {
            double sum = slip == 1 ? kept : 0;
            for (int i = 0; i < 4; i++)
                sum += x[i] * w0[(1 + i) * 3 + k];
            kept = sum;
            const double o = 1 / (1 + exp(-(w0[k] + sum))), e = y[k] - o;
            const double d = (slip == 0 ? e * e : e) * o * (1 - o);
            for (int i = 0; i <= 4; i++)
                w[i * 3 + k] = w0[i * 3 + k] + 0.375 * d * (i > 0 ? x[i - 1] : 1);
        }
        test_part(&t, words[slip]);
        test_close(&t);
    }
}

/* The mean of the first two of three replicas, over three. */
static void a_merge_that_leaves_one_out(void **state)
{
    (void)state;
    struct test_case t = test_right(NET "samples=7 epochs=2 replicas=3 merge_every=4 rate=0.1");
    const size_t n = mlp_weights(&t.c.p);
    double *w = t.out[MLP_W], *one = hpc_malloc(n * sizeof *one);
    char text[300] = "";
    const void *const *in = (const void *const *)t.in, *const *out = (const void *const *)t.out;
    assert_false(t.op->part(&t.c, in, out, text, sizeof text));
    memset(w, 0, n * sizeof *w);
    for (int r = 0; r < 2; r++) {
        struct mlp_problem p = t.c.p;
        int first, last;
        mlp_shard(&t.c.p, r, &first, &last);
        p.replicas = p.permutations = 1;
        p.samples = last - first;
        int32_t rows[14];
        const int32_t *order = t.in[MLP_ORDER];
        for (int e = 0; e < 2; e++)
            memcpy(rows + e * p.samples, order + (e % t.c.p.permutations) * 7 + first,
                   (size_t)p.samples * sizeof *rows);
        p.permutations = t.c.p.permutations < 2 ? 1 : 2;
        mlp_emulate(&p, t.in[MLP_X], t.in[MLP_Y], rows, t.in[MLP_W0], t.in[MLP_RATES], one);
        for (size_t i = 0; i < n; i++)
            w[i] += one[i] / 3;
    }
    free(one);
    test_part(&t, "of the trained weights of replicas 0 to 2 the result has 0.333, 0.333, ");
    test_part(&t, "should have 0.333 of each: the merge leaves replicas out");
    test_close(&t);
}

static void only_rounding(void **state)
{
    (void)state;
    struct test_case t = test_right(NET "samples=1 epochs=1 rate=0.375");
    double *w = t.out[MLP_W];
    for (size_t i = 0; i < mlp_offset(&t.c.p, 1); i++)
        w[i] += 1e-9;
    test_part(&t, "as a float in place of a double");
    test_close(&t);
}

/* A net whose first layer leaves its bias out: its outputs, and all that comes of them, follow. */
static void forward_without_bias(void **state)
{
    (void)state;
    struct test_case t = test_right(NET "samples=1 epochs=1 rate=0.375");
    const struct mlp_problem *p = &t.c.p;
    const size_t n = mlp_weights(p);
    double *w0 = t.in[MLP_W0], *w = t.out[MLP_W], *plain = hpc_malloc(n * sizeof *plain);
    memcpy(plain, w0, n * sizeof *plain);
    memset(plain, 0, 5 * sizeof *plain); /* row 0 of the first matrix */
    mlp_emulate(p, t.in[MLP_X], t.in[MLP_Y], t.in[MLP_ORDER], plain, t.in[MLP_RATES], w);
    for (size_t i = 0; i < n; i++)
        w[i] += w0[i] - plain[i];
    test_part(&t, "the outputs of hidden 1 (tanh) are wrong: the bias is left out of the sum");
    free(plain);
    test_close(&t);
}

static void refuses_more_than_one_update(void **state)
{
    (void)state;
    static const char *const words[] = {NET "samples=2 epochs=1", NET "samples=1 epochs=2",
                                        NET "samples=1 epochs=1 rate=0"};
    for (int i = 0; i < 3; i++) {
        struct test_case t = test_right(words[i]);
        char text[300] = "";
        memset(t.out[MLP_W], 0, sizeof(double));
        assert_false(
            t.op->part(&t.c, (const void *const *)t.in, (const void *const *)t.out, text, 300));
        test_close(&t);
    }
}

#define EVERY -1 /* all terms, in place of one */

/* One update of a net without activations, each product with a term of its sum taken `times`. */
static void update_with(const struct test_case *t, char which, int term, float times)
{
    const struct mlp_problem *p = &t->c.p;
    const int last = p->n_layers - 1, m = p->samples;
    const float *x = t->in[MLP_X], *y = t->in[MLP_Y], *w0 = t->in[MLP_W0];
    const float rate = *(const float *)t->in[MLP_RATES];
    float *w = t->out[MLP_W], o[3][64][64], d[3][64][64];
    memcpy(w, w0, mlp_weights(p) * sizeof *w);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < p->size[0]; j++)
            o[0][i][j] = x[i * p->size[0] + j];
    for (int l = 0; l < last; l++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < p->size[l + 1]; j++) {
                const float *b = w0 + mlp_offset(p, l) + j;
                o[l + 1][i][j] = *b;
                for (int k = 0; k < p->size[l]; k++)
                    o[l + 1][i][j] += (which == 'n' && k == term ? times : 1) *
                                      (which == 'N' && l == 0 ? x[k * m + i] : o[l][i][k]) *
                                      b[(1 + k) * p->size[l + 1]];
            }
    for (int l = last; l >= 1; l--)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < p->size[l]; j++) {
                const int n = p->size[last];
                d[l][i][j] = l == last ? y[i * n + j] - o[l][i][j] : 0;
                for (int k = 0; l < last && k < n; k++)
                    d[l][i][j] += (which == 'b' && k == term ? times : 1) * d[l + 1][i][k] *
                                  w0[mlp_offset(p, l) + (size_t)((1 + j) * n + k)];
            }
    for (int l = 0; l < last; l++)
        for (int k = 0; k <= p->size[l]; k++)
            for (int j = 0; j < p->size[l + 1]; j++)
                for (int i = 0; i < m; i++)
                    w[mlp_offset(p, l) + (size_t)(k * p->size[l + 1] + j)] +=
                        (which == 't' && (term == EVERY ? k > 0 : k == 1 && i == term) ? times
                                                                                       : 1) *
                        rate / (float)m * d[l + 1][i][j] *
                        (k == 0                   ? 1
                         : which == 'T' && l == 0 ? x[(k - 1) * m + i]
                                                  : o[l][i][k - 1]);
}

/* The case that mlp_minibatch makes of another one, to look at its products. */
static void the_terms_of_a_product(void **state)
{
    (void)state;
    static const struct {
        char which;
        int net, term;
        float times;
        const char *words;
    } rows[] = {{'n', 0, 2, 0, "product nn is wrong: of c[0][j] += sum of a[0][p] * b[p][j], "},
                {'n', 0, 2, 0, "term 2 is left out (1 of 6 terms"},
                {'n', 0, 3, 2, "term 3 counts 2 times"},
                {'b', 1, 4, 0,
                 "product nt is wrong: of e[0][p] = sum of d[0][j] * b[p][j], n = 5, "
                 "term 4 is left out"},
                {'b', 3, 5, 0, "n = 7, term 5 is left out (1 of 7 terms are wrong: 5)"},
                {'t', 0, 1, 2,
                 "product tn is wrong: of b[0][j] += scale * sum of a[i][0] * "
                 "d[i][j], m = 3, term 1 counts 2 times"},
                {'N', 0, 0, 1, "product nn is wrong: a, m x k, is read as its transpose"},
                {'T', 0, 0, 1, "product tn is wrong: a, m x k, is read as its transpose"},
                {'t', 0, EVERY, 1 / 3.0f, "every term is taken 0.3333 times, one m-th"}};
    struct test_case from = test_open(&mlp_minibatch_op, "layers=6,7,5 activations=relu,softmax "
                                                         "samples=11 batch=3 epochs=2 rate=0.1");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char keys[200], text[300] = "";
        assert_true(mlp_minibatch_op.probe(&from.c, rows[i].net, keys, sizeof keys));
        struct test_case t = test_open(&mlp_minibatch_op, keys);
        const void *const *in = (const void *const *)t.in, *const *out = (const void *const *)t.out;
        update_with(&t, 0, 0, 1);
        assert_false(mlp_minibatch_op.part(&t.c, in, out, text, sizeof text));
        update_with(&t, rows[i].which, rows[i].term, rows[i].times);
        test_part(&t, rows[i].words);
        test_close(&t);
    }
    assert_false(mlp_minibatch_op.probe(&from.c, 5, (char[200]){""}, 200));
    test_close(&from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emulated),
        cmocka_unit_test(nothing_is_said_of_a_right_result),
        cmocka_unit_test(nothing_moves),
        cmocka_unit_test(update_without_the_rate),
        cmocka_unit_test(biases_without_the_rate),
        cmocka_unit_test(biases_of_one_layer),
        cmocka_unit_test(slips_of_the_last_layer),
        cmocka_unit_test(a_merge_that_leaves_one_out),
        cmocka_unit_test(only_rounding),
        cmocka_unit_test(forward_without_bias),
        cmocka_unit_test(refuses_more_than_one_update),
        cmocka_unit_test(the_terms_of_a_product),
    };
    return cmocka_run_group_tests_name("mlp_part", tests, NULL, NULL);
}
