/* What is said of trainings with one mistake in them: each by its own words, and no other's. */
#include <math.h>

#include "mlp/op/emulate.h"
#include "tests/unit/mlp_case.h"

#define NET      "layers=4,5,3,2 activations=tanh,softmax,sigmoid "
#define SAMPLES  NET "samples=7 epochs=4 permutations=3 rate=0.1 "
#define REPLICAS NET "samples=18 epochs=5 permutations=3 rate=0.1 replicas=5 merge_every=2"

static const char *const said[MLP_MISTAKES] = {
#define MISTAKE(name, words) [MLP_##name] = words,
#include "mlp/op/mistakes.def"
#undef MISTAKE
};

/* The hint of a training with that mistake; "": that is right. */
static void hint_of(const char *words, enum mlp_mistake mistake, char *hint, size_t size)
{
    struct test_case t = test_open(&mlp_sgd_op, words);
    struct hpc_mismatch m;
    bool admitted;
    mlp_emulate_mistake(&t.c.p, mistake, t.in[MLP_X], t.in[MLP_Y], t.in[MLP_ORDER], t.in[MLP_W0],
                        t.in[MLP_RATES], t.out[MLP_W]);
    snprintf(hint, size, "%s", test_check(&t, &admitted, &m) ? "" : m.hint);
    test_close(&t);
}

static void each_mistake_has_its_own_words(void **state)
{
    (void)state;
    for (int m = MLP_RIGHT + 1; m < MLP_MISTAKES; m++) {
        char alone[300], several[300];
        hint_of(SAMPLES, m < MLP_OVER_TWO ? (enum mlp_mistake)m : MLP_RIGHT, alone, sizeof alone);
        hint_of(REPLICAS, (enum mlp_mistake)m, several, sizeof several);
        /* One less than these replicas is 4. */
        const bool twice = m == MLP_OVER_LESS;
        if (strcmp(several, said[m]) != 0 &&
            !(twice && strstr(several, "sum of all replicas over")))
            fail_msg("\"%s\" is called \"%s\"", said[m], several);
        if (*alone && strcmp(alone, said[m]) != 0)
            fail_msg("\"%s\" is called \"%s\"", said[m], alone);
    }
}

/* One update whose matrix l alone does not move. */
static void a_matrix_that_never_moves(void **state)
{
    (void)state;
    static const char *const words[] = {"the weights from the input to hidden 1 (tanh) never move",
                                        "the weights from hidden 1 (tanh) to hidden 2 (softmax)",
                                        "the weights from hidden 2 (softmax) to the output layer"};
    for (int l = 0; l < 3; l++) {
        struct test_case t = test_right(NET "samples=1 epochs=1 rate=0.375");
        const struct mlp_problem *p = &t.c.p;
        memcpy((double *)t.out[MLP_W] + mlp_offset(p, l),
               (const double *)t.in[MLP_W0] + mlp_offset(p, l), mlp_matrix(p, l) * sizeof(double));
        test_part(&t, words[l]);
        test_part(&t, "(1 of 3 matrices; all others are right)");
        test_close(&t);
    }
}

/* One layer, one sample: outputs and targets as the slip has them. */
static void update_of_a_layer(const struct test_case *t, int slip)
{
    const double *w0 = t->in[MLP_W0], *x = t->in[MLP_X], *y = t->in[MLP_Y];
    double *w = t->out[MLP_W];
    for (int k = 0; k < 3; k++) {
        double z = slip == 0 ? 0 : w0[k];
        for (int i = 0; i < 4; i++)
            z += x[slip == 3 ? 0 : i] * w0[(1 + i) * 3 + k];
        const double o = tanh(z) + (slip == 0 ? w0[k] : 0);
        const double d = (y[slip == 1 ? 0 : slip == 2 ? (k + 1) % 3 : k] - o) * (1 - o * o);
        for (int i = 0; i <= 4; i++)
            w[i * 3 + k] = w0[i * 3 + k] + 0.375 * d * (i > 0 ? x[i - 1] : 1);
    }
}

static void slips_of_outputs_and_targets(void **state)
{
    (void)state;
    static const char *const words[] = {"the bias is added to the activation's result",
                                        "compared with the first target, y[0]",
                                        "compared with the target of the next one",
                                        "every weight is multiplied with the first output"};
    for (int slip = 0; slip < 4; slip++) {
        struct test_case t =
            test_right("layers=4,3 activations=tanh samples=1 epochs=1 rate=0.375");
        double *y = t.in[MLP_Y];
        for (int k = 0; k < 3; k++)
            y[k] = 0.2 + 0.3 * k;
        update_of_a_layer(&t, slip);
        test_part(&t, words[slip]);
        test_close(&t);
    }
}

/* Some units' deltas are wrong for no reason that is known: which. */
static void units_that_are_wrong(void **state)
{
    (void)state;
    struct test_case t = test_right("layers=4,6 activations=tanh samples=1 epochs=1 rate=0.375");
    const double *w0 = t.in[MLP_W0];
    double *w = t.out[MLP_W];
    for (int k = 2; k < 5; k++)
        for (int i = 0; i <= 4; i++)
            w[i * 6 + k] = w0[i * 6 + k] + (1.1 + 0.37 * k * k) * (w[i * 6 + k] - w0[i * 6 + k]);
    test_part(&t, "3 of 6 units, from 2 to 4, the others are right");
    test_close(&t);
}

/* What no merge makes of replicas is not called a merge of them. */
static void shards_are_no_merge(void **state)
{
    (void)state;
    struct test_case t = test_open(&mlp_sgd_op, NET "samples=11 epochs=1 rate=0.05 replicas=3");
    const void *const *in = (const void *const *)t.in, *const *out = (const void *const *)t.out;
    char text[300] = "";
    mlp_emulate_mistake(&t.c.p, MLP_LAST_TAKES_REST, t.in[MLP_X], t.in[MLP_Y], t.in[MLP_ORDER],
                        t.in[MLP_W0], t.in[MLP_RATES], t.out[MLP_W]);
    if (t.op->part(&t.c, in, out, text, sizeof text))
        fail_msg("said: \"%s\"", text);
    mlp_emulate_mistake(&t.c.p, MLP_WEIGHTED, t.in[MLP_X], t.in[MLP_Y], t.in[MLP_ORDER],
                        t.in[MLP_W0], t.in[MLP_RATES], t.out[MLP_W]);
    test_part(&t, "each counts by the samples of its shard, where all count the same");
    test_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mistake_has_its_own_words),
        cmocka_unit_test(a_matrix_that_never_moves),
        cmocka_unit_test(slips_of_outputs_and_targets),
        cmocka_unit_test(units_that_are_wrong),
        cmocka_unit_test(shards_are_no_merge),
    };
    return cmocka_run_group_tests_name("mlp_words", tests, NULL, NULL);
}
