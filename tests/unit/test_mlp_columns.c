/* What some columns of a product alone have done to them. */
#include "tests/unit/mlp_case.h"

enum slip { RIGHT, TWICE, LEFT_OUT, NO_BIAS, OVERWRITTEN, OTHER, ROWS_LEFT_OUT };

/* Output j of the only product nn, by its K terms and its bias; columns from 64 on are a rest. */
static float output(enum slip slip, int k, int n, int j, const float *x, const float *w0)
{
    const int from = slip == LEFT_OUT ? 28 : 0, end = slip == LEFT_OUT ? k : 24;
    float z = slip == NO_BIAS && j < 64 ? 0 : w0[j];
    for (int p = 0; p < k; p++) {
        const bool once = !(j >= 64 && p >= from && p < end);
        const float times = once ? 1 : slip == TWICE ? 2 : slip == LEFT_OUT ? 0 : 1;
        z += times * x[p] * w0[(1 + p) * n + j];
    }
    return slip == OTHER && j >= 65 ? 1.3f * z + 0.1f : z;
}

/* One update of one sample, with the slip. */
static void update(struct test_case *t, enum slip slip)
{
    const struct mlp_problem *p = &t->c.p;
    const int k = p->size[0], n = p->size[1];
    const float *x = t->in[MLP_X], *y = t->in[MLP_Y], *w0 = t->in[MLP_W0];
    const float rate = *(const float *)t->in[MLP_RATES];
    float *w = t->out[MLP_W];
    for (int j = 0; j < n; j++)
        for (int r = 0; r <= k; r++) {
            const float d = y[j] - output(slip, k, n, j, x, w0);
            if (slip == ROWS_LEFT_OUT && (r == 2 || r == 4)) {
                w[r * n + j] = w0[r * n + j];
                continue;
            }
            const float old = slip == OVERWRITTEN && r > 0 && j < 64 ? 0 : w0[r * n + j];
            w[r * n + j] = old + rate * d * (r > 0 ? x[r - 1] : 1);
        }
}

static void columns_of_a_product(void **state)
{
    (void)state;
    static const char *const words[] = {
        [TWICE] = "product nn is wrong: of c[0][j], columns 64 to 66 of 67 get terms 0 to 23 of 31 "
                  "twice; all other columns are right",
        [LEFT_OUT] = "columns 64 to 66 of 67 leave out terms 28 to 30 of 31; all other",
        [NO_BIAS] = "columns 0 to 63 of 67 are overwritten, not added to, and lose their bias",
        [OVERWRITTEN] = "product tn is wrong: in 64 of 67 columns, from 0 to 63, b is overwritten, "
                        "not added to, and its old values lost",
        [OTHER] = "columns 65 to 66 of 67 are wrong (",
        [ROWS_LEFT_OUT] = "product tn is wrong: 2 of 31 rows of b get none of their terms, as if a "
                          "loop left them out: 1 3; the others move"};
    struct test_case from = test_open(&mlp_minibatch_op, "layers=31,67,29 activations=relu,softmax "
                                                         "samples=11 batch=3 epochs=2 rate=0.1");
    char keys[200], text[300] = "";
    assert_true(mlp_minibatch_op.probe(&from.c, 4, keys, sizeof keys));
    assert_false(mlp_minibatch_op.probe(&from.c, 5, text, sizeof text));
    struct test_case t = test_open(&mlp_minibatch_op, keys);
    assert_int_equal(t.c.p.samples, 1);
    update(&t, RIGHT);
    assert_false(mlp_minibatch_op.part(&t.c, (const void *const *)t.in, (const void *const *)t.out,
                                       text, sizeof text));
    for (enum slip slip = TWICE; slip <= ROWS_LEFT_OUT; slip++) {
        update(&t, slip);
        test_part(&t, words[slip]);
    }
    test_close(&t);
    test_close(&from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_a_product),
    };
    return cmocka_run_group_tests_name("mlp_columns", tests, NULL, NULL);
}
