/* What made a part of one update wrong, told by its numbers: rows, rates, merges of ranks; and the
 * nets on which a slip is told. */
#include "mlp/op/part.h"
#include "tests/unit/mlp_case.h"

#define ONE "layers=4,5,3,2 activations=tanh,softmax,sigmoid samples=1 epochs=1 rate=0.361"

/* The outputs of layer l are the ratios of the rows that one update adds to. */
static double moved(const struct test_case *t, int l, int row, int k)
{
    const struct mlp_problem *p = &t->c.p;
    const size_t at = mlp_offset(p, l) + (size_t)(row * p->size[l + 1] + k);
    return ((double *)t->out[MLP_W])[at] - ((double *)t->in[MLP_W0])[at];
}

/* Update row 1 + i of matrix 1 by D[k] of the right update times v[i]. */
static void rows_by(struct test_case *t, const double *v)
{
    const struct mlp_problem *p = &t->c.p;
    const size_t at = mlp_offset(p, 1);
    double *w = t->out[MLP_W];
    const double *w0 = t->in[MLP_W0];
    for (int i = 0; i < p->size[1]; i++)
        for (int k = 0; k < p->size[2]; k++) {
            const size_t cell = at + (size_t)((1 + i) * p->size[2] + k);
            w[cell] = w0[cell] + v[i] * moved(t, 1, 0, k);
        }
}

enum rows { NEXT, BEFORE, SQUARE, SLOPE, RANDOM };

static void what_rows_go_with(void **state)
{
    (void)state;
    static const char *const words[] = {
        [NEXT] = "hidden 1 (tanh) to hidden 2 (softmax) is wrong: o[i + 1] stands where o[i]",
        [BEFORE] = "is wrong: o[i - 1] stands where o[i]",
        [SQUARE] = "is wrong: o[i] counts twice, as o[i] * o[i]",
        [SLOPE] = "is wrong: the activation's derivative stands where its output o[i] belongs",
        [RANDOM] = "hidden 1 (tanh) to hidden 2 (softmax) is wrong (row of unit 0"};
    for (int how = NEXT; how <= RANDOM; how++) {
        struct test_case t = test_right(ONE);
        double o[5], v[5];
        for (int i = 0; i < 5; i++)
            o[i] = moved(&t, 1, 1 + i, 0) / moved(&t, 1, 0, 0);
        for (int i = 0; i < 5; i++)
            v[i] = how == NEXT     ? o[i < 4 ? i + 1 : i]
                   : how == BEFORE ? o[i > 0 ? i - 1 : i]
                   : how == SQUARE ? o[i] * o[i]
                   : how == SLOPE  ? 1 - o[i] * o[i]
                                   : 0.3 + o[i] * i;
        rows_by(&t, v);
        test_part(&t, words[how]);
        test_close(&t);
    }
}

static void weights_that_are_overwritten(void **state)
{
    (void)state;
    struct test_case t = test_right(ONE);
    double *w = t.out[MLP_W];
    const double *w0 = t.in[MLP_W0];
    for (size_t i = mlp_offset(&t.c.p, 2) + 2; i < mlp_weights(&t.c.p); i++)
        w[i] -= w0[i];
    test_part(&t, "to the output layer (sigmoid) is wrong: the old weight is lost: = stands where "
                  "+= belongs");
    test_close(&t);
}

/* D of the first unit for that of each. */
static void first_delta_for_all(void **state)
{
    (void)state;
    struct test_case t = test_right(ONE);
    double *w = t.out[MLP_W];
    const double *w0 = t.in[MLP_W0];
    for (int i = 0; i < 5; i++)
        for (int k = 2; k >= 0; k--) {
            const size_t row = mlp_offset(&t.c.p, 1) + (size_t)(3 * (1 + i));
            w[row + (size_t)k] = w0[row + (size_t)k] + w[row] - w0[row];
        }
    test_part(&t, "D[0] stands where D[k] of the column belongs");
    test_close(&t);
}

/* Of several outputs one factor is a rate; of one output any wrong D is. */
static void another_rate(void **state)
{
    (void)state;
    static const struct {
        const char *net;
        double used;
        const char *words;
    } rows[] = {
        {ONE, 0.5, "they are made with a rate of 0.5, should be 0.361"},
        {ONE, -0.24099999666213989, "should be 0.361: it is read as a float"},
        {"layers=4,3,1 activations=tanh,sigmoid samples=1 epochs=1 rate=0.361", 0.5,
         "the output layer (sigmoid) is wrong"},
        {"layers=4,3,1 activations=tanh,sigmoid samples=1 epochs=1 rate=0.361",
         -0.24099999666213989, "it is read as a float, where in[MLP_RATES] has doubles"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct test_case t = test_right(rows[r].net);
        double *w = t.out[MLP_W];
        const double *w0 = t.in[MLP_W0];
        for (size_t i = 0; i < mlp_weights(&t.c.p); i++)
            w[i] = w0[i] + (w[i] - w0[i]) * rows[r].used / 0.361;
        test_part(&t, rows[r].words);
        test_close(&t);
    }
}

/* Errors by the matrix read as its transpose, while its rows are updated one by one. */
static void transposed_and_updated(void **state)
{
    (void)state;
    struct test_case t = test_right("layers=4,5,7 activations=identity,identity samples=1 epochs=1 "
                                    "rate=0.361");
    const struct mlp_problem *p = &t.c.p;
    double *w = t.out[MLP_W], e[5] = {0};
    const double *w0 = t.in[MLP_W0], *x = t.in[MLP_X];
    const size_t behind = mlp_offset(p, 1) + 7;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 7; k++) {
            const size_t at = (size_t)(5 * k + i);
            e[i] += moved(&t, 1, 0, k) * ((int)at / 7 < i ? w : w0)[behind + at];
        }
    for (int i = 0; i <= 4; i++)
        for (int k = 0; k < 5; k++)
            w[5 * i + k] = w0[5 * i + k] + e[k] * (i > 0 ? x[i - 1] : 1);
    test_part(&t, "the delta of hidden 1 (identity) is wrong: the weights are read transposed, "
                  "w[k][i] for w[i][k], and its errors come from weights that are updated already");
    test_close(&t);
}

/* The net that tells a slip by its numbers has six outputs at least, and one update. */
static void the_wide_net(void **state)
{
    (void)state;
    struct test_case t = test_open(&mlp_sgd_op, "layers=2,9,1 activations=relu,sigmoid samples=30 "
                                                "epochs=4 permutations=2 rate=0.1");
    struct mlp_case wide;
    struct hpc_error err = {0};
    char keys[200], all[300];
    assert_true(mlp_sgd_op.probe(&t.c, 1, keys, sizeof keys));
    assert_false(mlp_sgd_op.probe(&t.c, 2, keys, sizeof keys));
    assert_true(mlp_sgd_op.probe(&t.c, 1, keys, sizeof keys));
    snprintf(all, sizeof all, "activations=relu,sigmoid %s", keys);
    assert_true(test_parse(&mlp_sgd_op, all, &wide, &err));
    assert_int_equal(wide.p.samples * wide.p.epochs * wide.p.replicas, 1);
    assert_true(wide.p.size[0] >= 3 && wide.p.size[1] == 9 && wide.p.size[2] >= 6);
    test_close(&t);
}

/* The outputs of a softmax, each three with a sum of their own. */
static void softmax_of_groups(void **state)
{
    (void)state;
    char how[160] = "";
    const double of_three[] = {.2, .3, .5, .1, .8, .1, .25, .75}, of_all[] = {.1, .2, .3, .4};
    const double want[] = {.1, .2, .3, .1, .1, .1, .05, .05};
    part_say_softmax(8, of_three, want, 1e-9, how, sizeof how);
    assert_non_null(strstr(how, "each 3 units have a softmax of their own"));
    how[0] = '\0';
    part_say_softmax(4, of_all, of_all, 1e-9, how, sizeof how);
    assert_string_equal(how, "");
    const double twice[] = {.1 / 1.2, .2 / 1.2, .3 / 1.2, .4 / 1.2};
    part_say_softmax(4, twice, of_all, 1e-9, how, sizeof how);
    assert_non_null(strstr(how, "the exp of unit 1 counts twice"));
    const double without[] = {.1 / .6, .2 / .6, .3 / .6, .4 / .6};
    part_say_softmax(4, without, of_all, 1e-9, how, sizeof how);
    assert_non_null(strstr(how, "the exp of unit 3 is left out"));
    const double lost[] = {.1 / .95, .2 / .95, .3 / .95, .4 / .95};
    part_say_softmax(4, lost, of_all, 1e-9, how, sizeof how);
    assert_string_equal(how,
                        "they add up to 1.053, not 1: the sum that they are divided by is wrong");
}

/* Right training of another problem than the one that was given. */
static void another_run(void **state)
{
    (void)state;
    struct test_case t = test_open(&mlp_sgd_op, "layers=4,5,2 activations=tanh,sigmoid samples=9 "
                                                "epochs=2 permutations=3 rate=0.1");
    const size_t n = mlp_weights(&t.c.p);
    struct mlp_problem more = t.c.p;
    double *w0 = t.in[MLP_W0], half[64] = {0};
    more.epochs = 3;
    mlp_emulate(&more, t.in[MLP_X], t.in[MLP_Y], t.in[MLP_ORDER], w0, t.in[MLP_RATES],
                t.out[MLP_W]);
    assert_wrong(&t, "", "equals one epoch more than there are");
    assert_true(n <= 64);
    memcpy(half, w0, n / 2 * sizeof *half);
    mlp_emulate(&t.c.p, t.in[MLP_X], t.in[MLP_Y], t.in[MLP_ORDER], half, t.in[MLP_RATES],
                t.out[MLP_W]);
    assert_wrong(&t, "", "equals training from the first half of w0, and 0 in place of the rest");
    test_close(&t);
}

/* Of four ranks that merge once: rank r's w[r] before that, by training it alone. */
static void part_of_ranks(const double share[4], const char *words)
{
    struct test_case t =
        test_open(&mlp_ranks_op, "data=blobs layers=4,3,2 activations=tanh,sigmoid "
                                 "samples=13 epochs=1 merge_every=1 rate=0.125 "
                                 "replicas=4");
    const size_t n = mlp_weights(&t.c.p);
    double *own = hpc_malloc(n * sizeof *own);
    for (int r = 0; r < 4; r++)
        memset(t.out[r], 0, n * sizeof *own);
    for (int r = 0; r < 4; r++) {
        struct mlp_problem one = t.c.p;
        int first, last;
        mlp_shard(&t.c.p, r, &first, &last);
        one.samples = last - first;
        one.replicas = one.permutations = 1;
        mlp_emulate(&one, t.in[3 * r + MLP_X], t.in[3 * r + MLP_Y], t.in[3 * r + MLP_ORDER],
                    t.in[12], t.in[13], own);
        for (int rank = 0; rank < 4; rank++)
            for (size_t i = 0; i < n; i++)
                ((double *)t.out[rank])[i] += share[r] * own[i];
    }
    free(own);
    test_part(&t, words);
    test_close(&t);
}

static void shares_of_ranks(void **state)
{
    (void)state;
    part_of_ranks((const double[]){1 / 64., 1 / 64., 1 / 16., 1 / 4.},
                  "weights 0 to 22 of 23 on rank 0 are 0.0156 w0 + 0.0156 w1 + 0.0625 w2 + 0.25 "
                  "w3, should be 0.25 of each (wK: rank K's before it): the sum is divided in each "
                  "step, not once at its end");
    part_of_ranks(
        (const double[]){1.25, .25, .25, .25},
        "on rank 0 are 1.25 w0 + 0.25 w1 + 0.25 w2 + 0.25 w3, should be 0.25 of each (wK: "
        "rank K's before it): the mean is added to the rank's own");
    part_of_ranks(
        (const double[]){0, 0, 0, 0},
        "all are 0: of what array is the sum, and is the share 1 / ranks of integers, 0?");
    part_of_ranks((const double[]){.3, .1, .2, .4},
                  "are 0.3 w0 + 0.1 w1 + 0.2 w2 + 0.4 w3, should be 0.25 of each");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rows_go_with),
        cmocka_unit_test(weights_that_are_overwritten),
        cmocka_unit_test(first_delta_for_all),
        cmocka_unit_test(another_rate),
        cmocka_unit_test(transposed_and_updated),
        cmocka_unit_test(the_wide_net),
        cmocka_unit_test(another_run),
        cmocka_unit_test(softmax_of_groups),
        cmocka_unit_test(shares_of_ranks),
    };
    return cmocka_run_group_tests_name("mlp_cause", tests, NULL, NULL);
}
