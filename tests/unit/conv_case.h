/* A case of conv2d or convpool, its inputs drawn, its output poisoned: for the tests of conv2d/. */
#ifndef HPC_TESTS_CONV_CASE_H
#define HPC_TESTS_CONV_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conv2d/op/op.h"

struct conv_test {
    const struct hpc_op *op;
    struct conv_case c;
    struct hpc_layout layout;
    void *in[HPC_MAX_ARRAYS], *out[HPC_MAX_ARRAYS];
};

/* Parse "c=3 h=8 ..". */
static inline bool conv_test_parse(const struct hpc_op *op, const char *words, struct conv_case *c,
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

static inline size_t conv_test_bytes(const struct hpc_array *a)
{
    return a->count * hpc_type_bytes(a->type);
}

static inline void conv_test_draw(struct conv_test *t, uint64_t seed, uint64_t call)
{
    t->op->generate(&t->c, seed, call, t->in);
    memset(t->out[0], 0xff, conv_test_bytes(&t->layout.out[0])); /* NaN */
}

static inline struct conv_test conv_test_open(const struct hpc_op *op, const char *words)
{
    struct conv_test t = {.op = op};
    struct hpc_error err = {0};
    if (!conv_test_parse(op, words, &t.c, &err))
        fail_msg("%s: %s", words, err.text);
    op->layout(&t.c, &t.layout);
    for (int i = 0; i < t.layout.n_in; i++)
        t.in[i] = hpc_malloc(conv_test_bytes(&t.layout.in[i]));
    t.out[0] = hpc_malloc(conv_test_bytes(&t.layout.out[0]));
    conv_test_draw(&t, 20, 1);
    return t;
}

static inline void conv_test_close(struct conv_test *t)
{
    for (int i = 0; i < t->layout.n_in; i++)
        free(t->in[i]);
    free(t->out[0]);
}

static inline bool conv_test_check(const struct conv_test *t, struct hpc_mismatch *m)
{
    bool admitted = false;
    *m = (struct hpc_mismatch){0};
    const bool right =
        t->op->check(&t->c, (const void *const *)t->in, (const void *const *)t->out, &admitted, m);
    assert_true(admitted);
    return right;
}

static inline bool conv_test_quick(const struct conv_test *t, struct hpc_mismatch *m)
{
    *m = (struct hpc_mismatch){0};
    return t->op->check_quick(&t->c, (const void *const *)t->in, (const void *const *)t->out, m);
}

/* The output is right by both checks. */
static inline void assert_conv_right(const struct conv_test *t, const char *words)
{
    struct hpc_mismatch m;
    if (!conv_test_check(t, &m) || !conv_test_quick(t, &m))
        fail_msg("%s: %s: got %.9g, want %.9g within %g, %zu wrong; %s", words, m.what, m.got,
                 m.want, m.bound, m.wrong, m.hint);
}

/* The output is wrong by the full check, whose `what` and `hint` hold these texts. */
static inline void assert_conv_wrong(const struct conv_test *t, const char *what, const char *hint)
{
    struct hpc_mismatch m;
    assert_false(conv_test_check(t, &m));
    if (!strstr(m.what, what) || !strstr(m.hint, hint))
        fail_msg("what \"%s\", hint \"%s\"; expected \"%s\", \"%s\"", m.what, m.hint, what, hint);
}

#endif
