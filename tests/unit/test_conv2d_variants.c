/* Every variant of conv2d/ that runs on the processor, on shapes that stress it: right by the
 * operation's checks, its inputs untouched, nothing written behind its output. */
#include "tests/unit/conv_case.h"

#include "harness/runner/table.h"

/* Losslessness of skipping zeros: sparsity 0 to 1, strides 1 to 3, kernels 1 x 1 to 7 x 7. */
static const char *const conv2d_cases[] = {
    "n=1 c=1 h=1 w=1 k=1 r=1",
    "n=2 c=3 h=7 w=5 k=4 r=3 s=2",
    "n=1 c=4 h=13 w=17 k=33 r=3 pad=1 stride=2 sparsity=0.5",
    "n=3 c=2 h=9 w=20 k=5 r=5 s=3 pad=2 stride=3 sparsity=0.9",
    "n=1 c=3 h=16 k=2 r=7 pad=3 stride=1 sparsity=0.99",
    "n=1 c=2 h=9 k=3 r=3 pad=4 sparsity=1",
    "n=2 c=20 h=11 k=50 r=5 sparsity=0.95",
    "n=1 c=64 h=7 k=40 r=1 sparsity=0.9",
    "n=1 c=5 h=31 w=33 k=17 r=3 pad=1 values=scaled",
    "n=2 c=7 h=9 w=6 k=5 r=3 pad=1 layout=nhwc",
    "n=2 c=8 h=10 k=8 r=3 pad=1 layout=nhwc type=f16",
    "n=1 c=8 h=10 k=6 r=5 pad=2 type=f16 stride=2",
    "n=1 c=8 h=10 k=6 r=3 type=tf32 values=positive",
};

static const char *const convpool_cases[] = {
    "n=1 c=1 h=1 k=1 r=1 pool=1",
    "n=2 c=3 h=8 k=4 r=3 pad=1",
    "n=1 c=2 h=11 w=9 k=3 r=3 s=2 pad=1 pool=3",
    "n=2 c=4 h=8 w=10 k=6 r=3 pad=1 layout=nhwc",
    "n=2 c=4 h=8 k=3 r=5 pad=2 pool=4 type=f16 layout=nhwc",
    "n=1 c=8 h=12 k=8 r=1 pool=5 type=f16",
    "n=1 c=3 h=17 k=2 r=7 pad=2 pool=2 type=tf32",
};

enum { GUARD = 64 };

/* Whether the variant takes the case. */
static bool runs_right(const struct hpc_variant *v, const struct hpc_op *op, const char *words)
{
    struct conv_test t = conv_test_open(op, words);
    const size_t bytes = conv_test_bytes(&t.layout.out[0]);
    const void *const fixed[] = {NULL, t.in[CONV2D_W]};
    const struct hpc_env env = {.threads = 2, .fixed = fixed};
    void *state = NULL;
    char name[200];
    snprintf(name, sizeof name, "%s %s", v->name, words);
    if (v->open(&env, &t.c, &state) != 0) {
        conv_test_close(&t);
        return false;
    }
    t.out[0] = hpc_realloc(t.out[0], bytes + GUARD);
    for (uint64_t call = 0; call < 2; call++) {
        conv_test_draw(&t, 5, call);
        memset((char *)t.out[0] + bytes, 0x5a, GUARD);
        assert_int_equal(v->run(state, (const void *const *)t.in, t.out), 0);
        assert_conv_right(&t, name);
        for (int i = 0; i < GUARD; i++)
            assert_int_equal(((unsigned char *)t.out[0])[bytes + (size_t)i], 0x5a);
        struct conv_test again = conv_test_open(op, words);
        conv_test_draw(&again, 5, call);
        for (int i = 0; i < t.layout.n_in; i++)
            assert_memory_equal(t.in[i], again.in[i], conv_test_bytes(&t.layout.in[i]));
        conv_test_close(&again);
    }
    v->close(state);
    conv_test_close(&t);
    return true;
}

static void all_right(const struct hpc_op *op, const char *const *cases, size_t n)
{
    int variants = 0;
    for (int i = 0; hpc_variants[i]; i++) {
        const struct hpc_variant *v = hpc_variants[i];
        if (strcmp(v->op, op->name) != 0)
            continue;
        int taken = 0;
        for (size_t k = 0; k < n; k++)
            taken += runs_right(v, op, cases[k]);
        if (taken < 4)
            fail_msg("%s takes %d of %zu cases, expected 4 or more", v->name, taken, n);
        variants++;
    }
    assert_true(variants >= 1);
}

static void conv2d_variants(void **state)
{
    (void)state;
    all_right(&conv2d_op, conv2d_cases, sizeof conv2d_cases / sizeof *conv2d_cases);
}

static void convpool_variants(void **state)
{
    (void)state;
    all_right(&convpool_op, convpool_cases, sizeof convpool_cases / sizeof *convpool_cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conv2d_variants),
        cmocka_unit_test(convpool_variants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
