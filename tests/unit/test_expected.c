/* What an operation says that outputs should be is what its own check takes for right, and the
 * bound that it gives for an element is the one that it keeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/op.h"
#include "conv2d/half.h"

static const struct {
    const char *op, *keys;
} problems[] = {
    {"mlp_sgd", "layers=3,4,2 activations=tanh,sigmoid samples=7 epochs=2 rate=0.1"},
    {"mlp_sgd", "layers=2,1 activations=sigmoid samples=3 epochs=1 networks=2"},
    {"mlp_minibatch", "layers=5,4,3 activations=relu,softmax samples=8 batch=4 rate=0.1"},
    {"mlp_ranks", "layers=3,4,2 activations=tanh,sigmoid samples=7 epochs=2 replicas=3"},
    {"conv1d", "n=3001 mask=9"},
    {"conv1d", "n=5 mask=31"},
    {"conv2d", "n=2 c=3 h=7 w=6 k=4 r=3 pad=1"},
    {"conv2d", "n=2 c=3 h=7 w=6 k=4 r=3 stride=2 layout=nhwc"},
    {"convpool", "n=2 c=3 h=9 w=8 k=4 r=3 pad=1 pool=2"},
    {"convpool", "n=1 c=4 h=8 k=2 r=3 pad=1 pool=2 type=f16"},
    {"window_format", "h=9 r=3 pad=1 sparsity=0.6"},
};

struct call {
    const struct hpc_op *op;
    unsigned char problem[HPC_MAX_PROBLEM] __attribute__((aligned(16)));
    struct hpc_layout layout;
    void *in[HPC_MAX_ARRAYS], *out[HPC_MAX_ARRAYS];
    double *want[HPC_MAX_ARRAYS], *bound[HPC_MAX_ARRAYS];
};

static void put(void *array, enum hpc_type type, size_t i, double value)
{
    if (type == HPC_F64)
        ((double *)array)[i] = value;
    else if (type == HPC_F32)
        ((float *)array)[i] = (float)value;
    else if (type == HPC_F16)
        ((uint16_t *)array)[i] = half_from_float((float)value);
    else
        ((int32_t *)array)[i] = (int32_t)value;
}

static void call_open(struct call *c, const char *op, const char *keys)
{
    struct hpc_params params = {.n = 0};
    struct hpc_error err;
    char words[200], *save = NULL;
    *c = (struct call){.op = hpc_op_find(op)};
    snprintf(words, sizeof words, "%s", keys);
    for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
        assert_true(hpc_params_set_word(&params, w, "test", &err));
    if (!c->op->parse(&params, c->problem, &err))
        fail_msg("%s %s: %s", op, keys, err.text);
    c->op->layout(c->problem, &c->layout);
    for (int k = 0; k < c->layout.n_in; k++)
        c->in[k] = calloc(c->layout.in[k].count + 1, 8);
    for (int k = 0; k < c->layout.n_out; k++) {
        c->out[k] = calloc(c->layout.out[k].count + 1, 8);
        c->want[k] = calloc(c->layout.out[k].count + 1, 8);
        c->bound[k] = calloc(c->layout.out[k].count + 1, 8);
    }
    c->op->generate(c->problem, 7, 1, c->in);
    c->op->expected(c->problem, (const void *const *)c->in, c->want, c->bound);
    for (int k = 0; k < c->layout.n_out; k++)
        for (size_t i = 0; i < c->layout.out[k].count; i++)
            put(c->out[k], c->layout.out[k].type, i, c->want[k][i]);
}

static void call_close(struct call *c)
{
    for (int k = 0; k < HPC_MAX_ARRAYS; k++) {
        free(c->in[k]);
        free(c->out[k]);
        free(c->want[k]);
        free(c->bound[k]);
    }
}

static bool right(const struct call *c)
{
    struct hpc_mismatch m = {.plain = true};
    bool admitted;
    return c->op->check(c->problem, (const void *const *)c->in, (const void *const *)c->out,
                        &admitted, &m);
}

static void is_right(void **state)
{
    (void)state;
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
        struct call c;
        call_open(&c, problems[p].op, problems[p].keys);
        if (!right(&c))
            fail_msg("%s %s: what is expected is wrong", problems[p].op, problems[p].keys);
        call_close(&c);
    }
}

/* An element three bounds off is wrong, and of those that nobody looks at none is. */
static void bounds_are_kept(void **state)
{
    (void)state;
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
        struct call c;
        call_open(&c, problems[p].op, problems[p].keys);
        for (int k = 0; k < c.layout.n_out; k++) {
            const size_t i = c.layout.out[k].count / 2;
            const double bound = c.bound[k][i], off = isinf(bound) ? 1 : 3 * bound;
            const bool exact = bound == 0;
            put(c.out[k], c.layout.out[k].type, i, exact ? c.want[k][i] + 1 : c.want[k][i] + off);
            if (right(&c) != isinf(bound))
                fail_msg("%s %s: element %zu of %s", problems[p].op, problems[p].keys, i,
                         c.layout.out[k].name);
            put(c.out[k], c.layout.out[k].type, i, c.want[k][i]);
        }
        call_close(&c);
    }
}

/* Shapes say how many elements there are. */
static void shapes_fit(void **state)
{
    (void)state;
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
        struct call c;
        call_open(&c, problems[p].op, problems[p].keys);
        for (int k = 0; k < c.layout.n_in + c.layout.n_out; k++) {
            const struct hpc_array *a =
                k < c.layout.n_in ? &c.layout.in[k] : &c.layout.out[k - c.layout.n_in];
            size_t count = 1;
            for (int d = 0; d < HPC_DIMENSIONS && a->shape[d]; d++)
                count *= a->shape[d];
            if (a->shape[0])
                assert_int_equal(count, a->count);
        }
        call_close(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_right),
        cmocka_unit_test(bounds_are_kept),
        cmocka_unit_test(shapes_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
