/* A case of an operation of mlp/, its inputs drawn, its output poisoned: for the tests of mlp/. */
#ifndef HPC_TESTS_MLP_CASE_H
#define HPC_TESTS_MLP_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlp/op/op.h"

struct test_case {
    const struct hpc_op *op;
    struct mlp_case c;
    struct hpc_layout layout;
    void *in[HPC_MAX_ARRAYS], *out[HPC_MAX_ARRAYS];
};

/* Parse "layers=4,1 activations=tanh ..". */
static inline bool test_parse(const struct hpc_op *op, const char *words, struct mlp_case *c,
                              struct hpc_error *err)
{
    struct hpc_params params = {0};
    char text[1000], *rest = text;
    snprintf(text, sizeof text, "%s", words);
    for (char *word; (word = strsep(&rest, " "));)
        if (*word && !hpc_params_set_word(&params, word, "here", err))
            return false;
    return op->parse(&params, c, err);
}

static inline size_t test_bytes(const struct hpc_array *a)
{
    return a->count * hpc_type_bytes(a->type);
}

static inline void test_draw(struct test_case *t, uint64_t seed, uint64_t call)
{
    t->op->generate(&t->c, seed, call, t->in);
    for (int i = 0; i < t->layout.n_out; i++)
        memset(t->out[i], 0xff, test_bytes(&t->layout.out[i])); /* NaN */
}

static inline struct test_case test_open(const struct hpc_op *op, const char *words)
{
    struct test_case t = {.op = op};
    struct hpc_error err = {0};
    if (!test_parse(op, words, &t.c, &err))
        fail_msg("%s: %s", words, err.text);
    op->layout(&t.c, &t.layout);
    for (int i = 0; i < t.layout.n_in; i++)
        t.in[i] = hpc_malloc(test_bytes(&t.layout.in[i]) + 1);
    for (int i = 0; i < t.layout.n_out; i++)
        t.out[i] = hpc_malloc(test_bytes(&t.layout.out[i]) + 1);
    test_draw(&t, 20, 1);
    return t;
}

static inline void test_close(struct test_case *t)
{
    for (int i = 0; i < t->layout.n_in; i++)
        free(t->in[i]);
    for (int i = 0; i < t->layout.n_out; i++)
        free(t->out[i]);
}

static inline bool test_check(const struct test_case *t, bool *admitted, struct hpc_mismatch *m)
{
    *m = (struct hpc_mismatch){0};
    return t->op->check(&t->c, (const void *const *)t->in, (const void *const *)t->out, admitted,
                        m);
}

static inline bool test_quick(const struct test_case *t, struct hpc_mismatch *m)
{
    *m = (struct hpc_mismatch){0};
    return t->op->check_quick(&t->c, (const void *const *)t->in, (const void *const *)t->out, m);
}

/* The output is right by both checks, and the draw is one that counts. */
static inline void assert_right(const struct test_case *t)
{
    struct hpc_mismatch m;
    bool admitted;
    if (!test_check(t, &admitted, &m) || !test_quick(t, &m))
        fail_msg("%s: got %.17g, want %.17g within %g; %s", m.what, m.got, m.want, m.bound, m.hint);
    assert_true(admitted);
}

/* The output is wrong by the full check, whose `what` and `hint` hold these texts. */
static inline void assert_wrong(const struct test_case *t, const char *what, const char *hint)
{
    struct hpc_mismatch m;
    bool admitted;
    assert_false(test_check(t, &admitted, &m));
    if (!strstr(m.what, what) || !strstr(m.hint, hint))
        fail_msg("what \"%s\", hint \"%s\"; expected \"%s\", \"%s\"", m.what, m.hint, what, hint);
}

/* The words that say which part is wrong hold these. */
static inline void test_part(const struct test_case *t, const char *words)
{
    char text[300] = "";
    const bool known =
        t->op->part(&t->c, (const void *const *)t->in, (const void *const *)t->out, text, 300);
    if (!known || !strstr(text, words))
        fail_msg("said: \"%s\", expected \"%s\"", text, words);
}

/* Training, and its right result. */
static inline struct test_case test_right(const char *words)
{
    struct test_case t = test_open(&mlp_sgd_op, words);
    mlp_emulate(&t.c.p, t.in[MLP_X], t.in[MLP_Y], t.in[MLP_ORDER], t.in[MLP_W0], t.in[MLP_RATES],
                t.out[MLP_W]);
    return t;
}

#endif
