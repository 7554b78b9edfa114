/* Every variant of conv2d/ that runs on the processor, on shapes that stress it: right by the
 * operation's checks, its inputs untouched, nothing written behind its output. */
#include "tests/unit/conv_case.h"

#include "harness/runner/table.h"
#include "tests/unit/conv_shapes.h"

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
    all_right(&conv2d_op, conv2d_shapes, sizeof conv2d_shapes / sizeof *conv2d_shapes);
}

static void convpool_variants(void **state)
{
    (void)state;
    all_right(&convpool_op, convpool_shapes, sizeof convpool_shapes / sizeof *convpool_shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conv2d_variants),
        cmocka_unit_test(convpool_variants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
