/* Which samples a wrong training has learnt, and which units have no derivative. */
#include <math.h>

#include "tests/unit/mlp_case.h"

#define NET "layers=4,5,3,2 activations=tanh,softmax,sigmoid "

/* Which samples were learnt, where they are few. */
static void other_samples(void **state)
{
    (void)state;
    struct test_case t = test_right(NET "samples=3 epochs=2 permutations=2 rate=0.375");
    const int32_t rows[] = {2, 0, 1, 1, 2, 0};
    char text[300] = "";
    memcpy(t.in[MLP_ORDER], rows, sizeof rows);
    mlp_emulate(&t.c.p, t.in[MLP_X], t.in[MLP_Y], t.in[MLP_ORDER], t.in[MLP_W0], t.in[MLP_RATES],
                t.out[MLP_W]);
    ((int32_t *)t.in[MLP_ORDER])[3] = 2; /* what was learnt is no longer what the order says */
    ((int32_t *)t.in[MLP_ORDER])[4] = 1;
    test_part(&t, "equals training by the samples 2 0 1, then 1 2 0, where the rows of "
                  "in[MLP_ORDER] are 2 0 1, then 2 1 0");
    ((double *)t.out[MLP_W])[0] += 1;
    assert_false(
        t.op->part(&t.c, (const void *const *)t.in, (const void *const *)t.out, text, 300));
    test_close(&t);
}

/* Epochs that leave a sample out at one end, by epochs. */
static void short_epochs(void **state)
{
    (void)state;
    static const char *const words[] = {
        "by the samples 2 0, then 1 2, where the rows of in[MLP_ORDER] are 2 0 1, then 1 2 0: the "
        "last sample of each epoch is left out",
        "by the samples 0 1, then 2 0, where the rows of in[MLP_ORDER] are 2 0 1, then 1 2 0: the "
        "first sample of each epoch is left out"};
    static const int32_t rows[] = {2, 0, 1, 1, 2, 0}, learnt[][4] = {{2, 0, 1, 2}, {0, 1, 2, 0}};
    for (int i = 0; i < 2; i++) {
        struct test_case t = test_right(NET "samples=3 epochs=2 permutations=2 rate=0.375");
        struct mlp_problem few = t.c.p;
        few.samples = 4;
        few.epochs = 1;
        mlp_emulate(&few, t.in[MLP_X], t.in[MLP_Y], learnt[i], t.in[MLP_W0], t.in[MLP_RATES],
                    t.out[MLP_W]);
        memcpy(t.in[MLP_ORDER], rows, sizeof rows);
        test_part(&t, words[i]);
        test_close(&t);
    }
}

/* The delta of hidden 1 has the derivative in its units before `first` alone. */
static void errors_without_derivative(void **state)
{
    (void)state;
    struct test_case t =
        test_right("layers=4,5,2 activations=tanh,sigmoid samples=1 epochs=1 rate=0.375");
    const struct mlp_problem *p = &t.c.p;
    double *w = t.out[MLP_W], *w0 = t.in[MLP_W0], *x = t.in[MLP_X];
    for (int k = 3; k < 5; k++) {
        double z = w0[k];
        for (int i = 0; i < 4; i++)
            z += x[i] * w0[(1 + i) * 5 + k];
        for (int row = 0; row <= 4; row++) {
            const int at = row * 5 + k;
            w[at] = w0[at] + (w[at] - w0[at]) / (1 - tanh(z) * tanh(z));
        }
    }
    assert_true(p->n_layers == 3);
    test_part(&t, "2 of 5 units, from 3 to 4, have an error that nobody multiplied");
    test_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(other_samples),
                                       cmocka_unit_test(short_epochs),
                                       cmocka_unit_test(errors_without_derivative)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
