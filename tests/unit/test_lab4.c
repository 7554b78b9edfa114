/* lab4 times one net against two replicas and calls it a race to the same error. It is one only
 * while both come to the same training error, by the trusted emulation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lab/case.h"
#include "tests/unit/load_lab.h"
#include "mlp/op/op.h"

#define DRAWS 8

static struct lab *lab;

static const struct lab_case *find(const char *name)
{
    for (int i = 0; i < lab->n_cases; i++)
        if (!strcmp(lab->cases[i].name, name))
            return &lab->cases[i];
    fail_msg("lab4 has no case %s", name);
    return NULL;
}

/* The mean over DRAWS draws of the training error before and after. */
static double mean_error(const char *name, double *before)
{
    struct ready_case ready;
    struct hpc_error err;
    struct hpc_layout layout;
    double sum = 0;
    *before = 0;
    if (!case_ready(find(name), 1, 2, &ready, &err))
        fail_msg("%s", err.text);
    const struct mlp_problem *p = &((const struct mlp_case *)ready.problem)->p;
    mlp_sgd_layout(p, &layout);
    void *in[MLP_N_IN];
    double *w = test_malloc(mlp_weights(p) * sizeof *w);
    for (int i = 0; i < MLP_N_IN; i++)
        in[i] = test_malloc(layout.in[i].count * hpc_type_bytes(layout.in[i].type));
    for (uint64_t call = 1; call <= DRAWS; call++) {
        mlp_sgd_op.generate(p, 1, call, in);
        mlp_emulate(p, in[MLP_X], in[MLP_Y], in[MLP_ORDER], in[MLP_W0], in[MLP_RATES], w);
        *before += mlp_error(p, in[MLP_W0], in[MLP_X], in[MLP_Y]) / DRAWS;
        sum += mlp_error(p, w, in[MLP_X], in[MLP_Y]);
    }
    for (int i = 0; i < MLP_N_IN; i++)
        test_free(in[i]);
    test_free(w);
    return sum / DRAWS;
}

static void both_come_to_the_same_error(void **state)
{
    (void)state;
    double before_one, before_two;
    double one = mean_error("one_net", &before_one), two = mean_error("two_replicas", &before_two);
    print_message("# training error: one net %.5f, two replicas %.5f; at the start %.5f, %.5f\n",
                  one, two, before_one, before_two);
    assert_true(fabs(two - one) <= 0.1 * one);
    assert_true(one < 0.5 * before_one); /* and there was something to learn */
}

/* Else the comparison would be of two tasks. */
static void they_differ_in_replicas_and_rate_alone(void **state)
{
    (void)state;
    struct ready_case one, two;
    struct hpc_error err;
    assert_true(case_ready(find("one_net"), 1, 2, &one, &err));
    assert_true(case_ready(find("two_replicas"), 1, 2, &two, &err));
    struct mlp_case *a = (struct mlp_case *)one.problem, *b = (struct mlp_case *)two.problem;
    assert_int_equal(a->p.replicas, 1);
    assert_int_equal(b->p.replicas, 2);
    a->p.replicas = b->p.replicas;
    a->p.merge_every = b->p.merge_every;
    assert_memory_equal(&a->p, &b->p, sizeof a->p);
    assert_int_equal(a->data, b->data);
}

static int load(void **state)
{
    (void)state;
    struct hpc_error err;
    lab = malloc(sizeof *lab);
    return lab && load_lab(".", "lab4", lab, &err) ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    free(lab);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_come_to_the_same_error),
        cmocka_unit_test(they_differ_in_replicas_and_rate_alone),
    };
    return cmocka_run_group_tests_name("lab4", tests, load, drop);
}
