/* Slips that are guessed from one update's numbers: none that fits them by chance. */
#include "mlp/op/minibatch.h"
#include "tests/unit/mlp_case.h"

/* A D of the output that no slip made: of some 500 slips one is near it by chance. */
static void nothing_is_said_by_chance(void **state)
{
    (void)state;
    struct test_case t = test_open(&mlp_minibatch_op, "layers=33,31,257,2 activations=sigmoid,tanh,"
                                                      "softmax samples=1 batch=1 rate=0.375");
    const struct mlp_problem *p = &t.c.p;
    float *w = t.out[MLP_W];
    const float *w0 = t.in[MLP_W0];
    for (float times = 0.31f; times < 1.7f; times += 0.07f) {
        char text[300] = "";
        memcpy(w, w0, mlp_weights(p) * sizeof *w);
        mlp_minibatch_plain(p, t.in[MLP_X], t.in[MLP_Y], *(const float *)t.in[MLP_RATES], 23, w);
        for (size_t i = mlp_offset(p, 2); i < mlp_weights(p); i++)
            w[i] = w0[i] + times * (w[i] - w0[i]);
        assert_true(
            t.op->part(&t.c, (const void *const *)t.in, (const void *const *)t.out, text, 300));
        if (!strstr(text, "output layer (softmax) is wrong (in one update"))
            fail_msg("said of %g: \"%s\"", (double)times, text);
    }
    test_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_said_by_chance)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
