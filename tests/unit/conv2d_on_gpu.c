/* Every variant of conv2d/ in CUDA, on shapes that stress it: right by the operation's checks, its
 * inputs untouched, nothing written behind its output. Linked with the CPU device in `make test`,
 * and with a GPU's runtime by benchmarks/convpool/check. */
#include "tests/unit/conv_case.h"

#include "harness/runner/table.h"
#include "tests/unit/conv_shapes.h"

/* tests/unit/conv_memory.cu */
void *conv_memory_put(const void *host, size_t bytes);
int conv_memory_get(void *host, const void *device, size_t bytes);
void conv_memory_free(void *device);
enum { GUARD = 64 };

static void *upload(const void *host, size_t bytes)
{
    void *p = conv_memory_put(host, bytes);
    assert_non_null(p);
    return p;
}

static bool transforms(const char *name)
{
    return strstr(name, "fft") || strstr(name, "winograd") || strcmp(name, "cudnn") == 0 ||
           strncmp(name, "pool_cudnn", 10) == 0 || strcmp(name, "cudnn_best") == 0 ||
           strncmp(name, "pool_best", 9) == 0;
}

/* One call on a new draw, by way of the device. */
static void one_call(const struct hpc_variant *v, void *state, struct conv_test *t, uint64_t call,
                     const void *d_w, const char *name)
{
    const size_t bytes = conv_test_bytes(&t->layout.out[0]);
    const size_t x_bytes = conv_test_bytes(&t->layout.in[0]);
    conv_test_draw(t, 5, call);
    memset((char *)t->out[0] + bytes, 0x5a, GUARD);
    void *d_x = upload(t->in[CONV2D_X], x_bytes), *d_y = upload(t->out[0], bytes + GUARD);
    const void *in[] = {d_x, d_w};
    void *out[] = {d_y}, *again = hpc_malloc(x_bytes);
    assert_int_equal(v->run(state, in, out), 0);
    assert_true(conv_memory_get(t->out[0], d_y, bytes + GUARD));
    assert_true(conv_memory_get(again, d_x, x_bytes));
    assert_conv_right(t, name);
    for (int i = 0; i < GUARD; i++)
        assert_int_equal(((unsigned char *)t->out[0])[bytes + (size_t)i], 0x5a);
    assert_memory_equal(again, t->in[CONV2D_X], x_bytes);
    free(again);
    conv_memory_free(d_x);
    conv_memory_free(d_y);
}

/* Whether the variant takes the case. */
static bool runs_right(const struct hpc_variant *v, const struct hpc_op *op, const char *words)
{
    struct conv_test t = conv_test_open(op, words);
    const size_t w_bytes = conv_test_bytes(&t.layout.in[1]);
    const void *fixed[] = {NULL, t.in[CONV2D_W]};
    const struct hpc_env env = {.threads = 1, .fixed = fixed};
    void *state = NULL;
    char name[200];
    snprintf(name, sizeof name, "%s %s", v->name, words);
    conv_test_draw(&t, 5, 0);
    if (transforms(v->name))
        t.c.tolerance = CONV_NORMWISE;
    const bool taken = v->open(&env, &t.c, &state) == 0;
    if (taken) {
        void *d_w = upload(t.in[CONV2D_W], w_bytes), *again = hpc_malloc(w_bytes);
        t.out[0] = hpc_realloc(t.out[0], conv_test_bytes(&t.layout.out[0]) + GUARD);
        for (uint64_t call = 0; call < 2; call++)
            one_call(v, state, &t, call, d_w, name);
        assert_true(conv_memory_get(again, d_w, w_bytes));
        assert_memory_equal(again, t.in[CONV2D_W], w_bytes);
        v->close(state);
        free(again);
        conv_memory_free(d_w);
    }
    conv_test_close(&t);
    return taken;
}

static void all_right(const struct hpc_op *op, const char *const *cases, size_t n)
{
    const char *only = getenv("HPC_TEST_VARIANT");
    for (int i = 0; hpc_variants[i]; i++) {
        const struct hpc_variant *v = hpc_variants[i];
        if (strcmp(v->op, op->name) != 0 || (only && strcmp(only, v->name) != 0))
            continue;
        int taken = 0;
        for (size_t k = 0; k < n; k++)
            taken += runs_right(v, op, cases[k]);
        print_message("# %s: %d of %zu cases\n", v->name, taken, n);
        if (taken < 4 && !transforms(v->name) && strcmp(v->name, "cudnn_direct") != 0)
            fail_msg("%s takes %d of %zu cases, expected 4 or more", v->name, taken, n);
    }
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
