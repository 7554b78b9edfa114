/* mlp/app/train.c: training in chunks, with progress in between, is training in one call. The
 * program's own sources are compiled in here, with flat as the variant. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mlp/app/classify.c"
#include "mlp/app/dataset.c"
#include "mlp/app/train.c"
#include "mlp/variants/flat.c"

#define ROWS   37
#define INPUTS 3

/* What the calls of run() were asked for. */
static int calls, most_epochs, off_merge;
static int merge_every;

static int counting_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    calls++;
    most_epochs = p->epochs > most_epochs ? p->epochs : most_epochs;
    off_merge += p->epochs % merge_every != 0;
    return flat_open(env, problem, state);
}

static const struct hpc_variant counting = {HPC_ABI,       "mlp_sgd", "counting",
                                            counting_open, flat_run,  flat_close};

static void fill(struct dataset *d)
{
    struct hpc_random r;
    hpc_random_init(&r, 4, 4);
    *d = (struct dataset){.rows = ROWS, .inputs = INPUTS, .classes = 2};
    d->x = hpc_malloc(ROWS * INPUTS * sizeof *d->x);
    d->label = hpc_malloc(ROWS * sizeof *d->label);
    for (int i = 0; i < ROWS; i++) {
        d->label[i] = 0;
        for (int c = 0; c < INPUTS; c++) {
            d->x[i * INPUTS + c] = hpc_random_normal(&r);
            d->label[i] ^= d->x[i * INPUTS + c] > 0;
        }
    }
}

/* Train by train_run, and by one call; both give the same bits. */
static void compare(int epochs, int replicas, int every, int networks)
{
    struct app_options o = {.seed = 9, .threads = 1, .quiet = true};
    struct dataset d;
    struct hpc_error err = {.text = ""};
    struct training t = {.o = &o, .variant = &counting, .data = &d};
    t.p = (struct mlp_problem){.n_layers = 3, .size = {INPUTS, 4, 1}, .samples = ROWS};
    t.p.activation[1] = MLP_TANH;
    t.p.activation[2] = MLP_SIGMOID;
    t.p.epochs = t.p.permutations = epochs;
    t.p.replicas = replicas;
    t.p.merge_every = merge_every = every;
    t.p.networks = networks;
    t.p.type = HPC_F64;
    fill(&d);
    size_t n = mlp_weights(&t.p), all = n * (size_t)networks;
    double rates[3] = {0.1, 0.2, 0.3}, error[3], one[3 * 32];
    double *w = hpc_malloc(all * sizeof *w), *w0 = hpc_malloc(all * sizeof *w0);
    int32_t *order = hpc_malloc((size_t)epochs * ROWS * sizeof *order);
    assert_in_range(all, 1, sizeof one / sizeof *one);
    for (int net = 0; net < networks; net++) {
        double *start = start_weights(&t.p, 100 + (uint64_t)net);
        memcpy(w + (size_t)net * n, start, n * sizeof *w);
        free(start);
    }
    memcpy(w0, w, all * sizeof *w);
    for (int e = 0; e < epochs; e++)
        epoch_order(&o, e, ROWS, order + e * ROWS);
    t.y = dataset_targets(&d, 1);
    t.w = w;
    t.rates = rates;
    t.error = error;

    const void *in[MLP_N_IN] = {d.x, t.y, order, w0, rates};
    void *out[MLP_N_OUT] = {one}, *state;
    assert_int_equal(flat_open(NULL, &t.p, &state), 0);
    assert_int_equal(flat_run(state, in, out), 0);
    flat_close(state);

    calls = most_epochs = off_merge = 0;
    if (train_run(&t, &err) != TRAIN_DONE)
        fail_msg("%s", err.text);
    assert_int_equal(t.epochs_done, epochs);
    assert_memory_equal(w, one, all * sizeof *w);
    assert_memory_not_equal(w, w0, all * sizeof *w);
    assert_in_range(calls, 3, epochs);
    assert_in_range(off_merge, 0, replicas > 1 ? 1 : calls); /* the last one may be */
    assert_int_equal(t.curve.point[0].epoch, 0);
    assert_int_equal(t.curve.point[t.curve.n - 1].epoch, epochs);
    free(t.curve.point);
    free(t.y);
    free(w);
    free(w0);
    free(order);
    dataset_free(&d);
}

static void chunks_are_one_call(void **state)
{
    (void)state;
    compare(137, 1, 1, 1);
    compare(137, 1, 7, 1);
    compare(100, 3, 1, 1);
    compare(101, 3, 7, 1);
    compare(60, 1, 1, 3);
}

static int diverging_run(void *state, const void *const in[], void *const out[])
{
    int status = flat_run(state, in, out);
    ((double *)out[MLP_W])[2] = NAN;
    return status;
}

static int failing_run(void *state, const void *const in[], void *const out[])
{
    flat_run(state, in, out);
    return 5;
}

static int refusing_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    (void)problem;
    (void)state;
    return 1;
}

/* How training with a variant ends; *err is its line. */
static enum train_end end_of(const struct hpc_variant *v, struct hpc_error *err)
{
    struct app_options o = {.seed = 9, .threads = 1, .quiet = true};
    struct dataset d;
    struct training t = {.o = &o, .variant = v, .data = &d};
    t.p = (struct mlp_problem){.n_layers = 2, .size = {INPUTS, 1}, .samples = ROWS, .epochs = 50};
    t.p.activation[1] = MLP_SIGMOID;
    t.p.replicas = t.p.merge_every = t.p.networks = t.p.permutations = 1;
    t.p.type = HPC_F64;
    fill(&d);
    double rate = 0.1, error;
    t.y = dataset_targets(&d, 1);
    t.rates = &rate;
    t.error = &error;
    t.w = start_weights(&t.p, 1);
    enum train_end end = train_run(&t, err);
    free(t.curve.point);
    free(t.y);
    free(t.w);
    dataset_free(&d);
    return end;
}

static void tells_how_it_ended(void **state)
{
    (void)state;
    struct hpc_error err;
    struct hpc_variant v = counting;
    v.run = diverging_run;
    assert_int_equal(end_of(&v, &err), TRAIN_DIVERGED);
    assert_non_null(strstr(err.text, "after epoch 1 "));
    v.run = failing_run;
    assert_int_equal(end_of(&v, &err), TRAIN_FAILED);
    assert_int_equal(err.status, HPC_EXIT_ENVIRONMENT);
    assert_non_null(strstr(err.text, "run() failed with 5"));
    v.run = flat_run;
    v.open = refusing_open;
    assert_int_equal(end_of(&v, &err), TRAIN_FAILED);
    assert_non_null(strstr(err.text, "does not take a net of 3-1 with f64"));
    train_stop = 1;
    assert_int_equal(end_of(&counting, &err), TRAIN_INTERRUPTED);
    train_stop = 0;
    assert_int_equal(end_of(&counting, &err), TRAIN_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_are_one_call),
        cmocka_unit_test(tells_how_it_ended),
    };
    return cmocka_run_group_tests_name("mlp_train", tests, NULL, NULL);
}
