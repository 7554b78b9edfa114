/* Every variant of conv2d/ on shapes that stress it: right by the operation's checks, its inputs
 * untouched, nothing written behind its output. Variants in CUDA run on the CPU device in
 * `make test`, and on a GPU as build/bench/conv2d_check. HPC_TEST_VARIANT=NAME tries one only. */
#include "tests/unit/conv_case.h"

#include <math.h>

#include "common/table.h"
#include "tests/unit/conv_shapes.h"

/* tests/unit/conv_memory.cu: the device's memory. */
void *conv_memory_put(const void *host, size_t bytes);
int conv_memory_get(void *host, const void *device, size_t bytes);
void conv_memory_free(void *device);

enum { GUARD = 64 };

/* One array as a variant is given it: on the device, or a copy of the host's. */
struct given {
    bool device;
    size_t bytes;
    void *p;
};

static struct given give(bool device, const void *host, size_t bytes)
{
    struct given g = {device, bytes, NULL};
    g.p = device ? conv_memory_put(host, bytes) : hpc_malloc(bytes);
    assert_non_null(g.p);
    if (!device)
        memcpy(g.p, host, bytes);
    return g;
}

/* Its contents into `host`, and it is gone. */
static void take(struct given *g, void *host)
{
    if (g->device) {
        assert_true(conv_memory_get(host, g->p, g->bytes));
        conv_memory_free(g->p);
    } else {
        memcpy(host, g->p, g->bytes);
        free(g->p);
    }
}

static void assert_untouched(struct given *g, const void *was)
{
    void *now = hpc_malloc(g->bytes);
    take(g, now);
    assert_memory_equal(now, was, g->bytes);
    free(now);
}

/* Whose errors may spread: FFT, Winograd, and what lets cuDNN choose. */
static bool transforms(const char *name)
{
    return strstr(name, "fft") || strstr(name, "winograd") || strcmp(name, "cudnn") == 0 ||
           strcmp(name, "cudnn_best") == 0 || strncmp(name, "pool_cudnn", 10) == 0 ||
           strncmp(name, "pool_best", 9) == 0 || strcmp(name, "pool_sat") == 0;
}

/* One call on a new draw. */
static void one_call(const struct hpc_variant *v, bool device, void *state, struct conv_test *t,
                     uint64_t call, const char *name)
{
    const size_t bytes = conv_test_bytes(&t->layout.out[0]);
    conv_test_draw(t, 5, call);
    memset((char *)t->out[0] + bytes, 0x5a, GUARD);
    struct given x = give(device, t->in[CONV2D_X], conv_test_bytes(&t->layout.in[CONV2D_X]));
    struct given w = give(device, t->in[CONV2D_W], conv_test_bytes(&t->layout.in[CONV2D_W]));
    struct given y = give(device, t->out[0], bytes + GUARD);
    const void *in[] = {x.p, w.p};
    void *out[] = {y.p};
    assert_int_equal(v->run(state, in, out), 0);
    take(&y, t->out[0]);
    assert_conv_right(t, name);
    for (int i = 0; i < GUARD; i++)
        assert_int_equal(((unsigned char *)t->out[0])[bytes + (size_t)i], 0x5a);
    assert_untouched(&x, t->in[CONV2D_X]);
    assert_untouched(&w, t->in[CONV2D_W]);
}

/* Whether the variant takes the case. */
static bool runs_right(const struct hpc_variant *v, const struct hpc_op *op, const char *words)
{
    const size_t length = strlen(v->name);
    const bool device = length < 4 || strcmp(v->name + length - 4, "_cpu") != 0;
    struct conv_test t = conv_test_open(op, words);
    const void *fixed[] = {NULL, t.in[CONV2D_W]};
    const struct hpc_env env = {.threads = 2, .fixed = fixed};
    void *state = NULL;
    char name[200];
    snprintf(name, sizeof name, "%s %s", v->name, words);
    conv_test_draw(&t, 5, 0);
    if (transforms(v->name))
        t.c.tolerance = CONV_NORMWISE;
    const bool taken = v->open(&env, &t.c, &state) == 0;
    if (taken) {
        t.out[0] = hpc_realloc(t.out[0], conv_test_bytes(&t.layout.out[0]) + GUARD);
        for (uint64_t call = 0; call < 2; call++)
            one_call(v, device, state, &t, call, name);
        v->close(state);
    }
    conv_test_close(&t);
    return taken;
}

static void all_right(const struct hpc_op *op, const char *const *cases, size_t n)
{
    const char *only = getenv("HPC_TEST_VARIANT");
    int variants = 0;
    for (int i = 0; hpc_variants[i]; i++) {
        const struct hpc_variant *v = hpc_variants[i];
        if (strcmp(v->op, op->name) != 0 || (only && strcmp(only, v->name) != 0))
            continue;
        int taken = 0;
        for (size_t k = 0; k < n; k++)
            taken += runs_right(v, op, cases[k]);
        print_message("# %s: %d of %zu cases\n", v->name, taken, n);
        if (taken < 4 && strncmp(v->name, "cudnn_", 6) != 0) /* cuDNN's algorithms are choosy */
            fail_msg("%s takes %d of %zu cases, expected 4 or more", v->name, taken, n);
        variants++;
    }
    assert_true(variants >= 1 || only);
}

static void conv2d_variants(void **state)
{
    (void)state;
    all_right(&conv2d_op, conv2d_shapes, sizeof conv2d_shapes / sizeof *conv2d_shapes);
}

/* States that are open at the same time do not change one another: all are opened, then each runs.
 */
static void states_stand_apart(void **state)
{
    static const char *const sizes[] = {"n=1 c=96 h=12 k=40 r=3 pad=1",
                                        "n=1 c=16 h=6 k=40 r=3 pad=1",
                                        "n=1 c=96 h=14 k=20 r=5 pad=2", "n=1 c=4 h=5 k=20 r=1"};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    (void)state;
    for (int i = 0; hpc_variants[i]; i++) {
        const struct hpc_variant *v = hpc_variants[i];
        struct conv_test t[SIZES];
        void *open[SIZES];
        if (strncmp(v->name, "conv_", 5) != 0 || strcmp(v->name, "conv_dense_tf32") == 0)
            continue;
        for (int k = 0; k < SIZES; k++) {
            t[k] = conv_test_open(&conv2d_op, sizes[k]);
            const void *fixed[] = {NULL, t[k].in[CONV2D_W]};
            const struct hpc_env env = {.threads = 1, .fixed = fixed};
            conv_test_draw(&t[k], 5, 0);
            assert_int_equal(v->open(&env, &t[k].c, &open[k]), 0);
            t[k].out[0] = hpc_realloc(t[k].out[0], conv_test_bytes(&t[k].layout.out[0]) + GUARD);
        }
        for (int k = 0; k < SIZES; k++) {
            one_call(v, true, open[k], &t[k], 0, v->name);
            v->close(open[k]);
            conv_test_close(&t[k]);
        }
    }
}

static void convpool_variants(void **state)
{
    (void)state;
    all_right(&convpool_op, convpool_shapes, sizeof convpool_shapes / sizeof *convpool_shapes);
}

/* Whole numbers, whose sums are exact in any order; zeros stay. */
static void make_whole(float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = values[i] == 0 ? 0 : values[i] < 0 ? -1 - (float)(i % 7) : 1 + (float)(i % 5);
}

/* Each output of the variant is the dense one, to the last bit. */
static void assert_lossless(const struct hpc_variant *v, struct conv_test *t, const char *words)
{
    const void *fixed[] = {NULL, t->in[CONV2D_W]};
    const struct hpc_env env = {.threads = 1, .fixed = fixed};
    struct conv_sums dense = conv_oracle(&t->c.p, t->in[CONV2D_X], t->in[CONV2D_W]);
    struct given x = give(true, t->in[CONV2D_X], conv_test_bytes(&t->layout.in[CONV2D_X]));
    struct given w = give(true, t->in[CONV2D_W], conv_test_bytes(&t->layout.in[CONV2D_W]));
    struct given y = give(true, t->out[0], conv_test_bytes(&t->layout.out[0]));
    const void *in[] = {x.p, w.p};
    void *out[] = {y.p}, *state = NULL;
    assert_int_equal(v->open(&env, &t->c, &state), 0);
    assert_int_equal(v->run(state, in, out), 0);
    v->close(state);
    take(&y, t->out[0]);
    for (size_t i = 0; i < dense.count; i++)
        if (!((double)((float *)t->out[0])[i] == dense.y[i]))
            fail_msg("%s %s: y[%zu] is %g, dense %g", v->name, words, i,
                     (double)((float *)t->out[0])[i], dense.y[i]);
    assert_untouched(&x, t->in[CONV2D_X]);
    assert_untouched(&w, t->in[CONV2D_W]);
    conv_sums_free(&dense);
}

/* Skipping zeros changes nothing: sparsity 0 to 1, strides 1 to 3, kernels 1 x 1 to 7 x 7. */
static void sparse_is_lossless(void **state)
{
    static const char *const sparse[] = {"sparse_window", "sparse_blocked", "csr", "conv_skip"};
    static const double sparsities[] = {0, 0.3, 0.6, 0.9, 0.99, 1};
    int tried = 0;
    (void)state;
    for (int i = 0; i < 6 * 3 * 7; i++) {
        char words[100];
        snprintf(words, sizeof words, "n=2 c=3 h=12 w=10 k=2 r=%d pad=%d stride=%d sparsity=%g",
                 1 + i % 7, i % 4, 1 + i / 7 % 3, sparsities[i / 21]);
        struct conv_test t = conv_test_open(&conv2d_op, words);
        make_whole(t.in[CONV2D_X], t.layout.in[CONV2D_X].count);
        make_whole(t.in[CONV2D_W], t.layout.in[CONV2D_W].count);
        for (int k = 0; hpc_variants[k]; k++)
            for (int j = 0; j < 4; j++)
                if (strcmp(hpc_variants[k]->name, sparse[j]) == 0) {
                    assert_lossless(hpc_variants[k], &t, words);
                    tried++;
                }
        conv_test_close(&t);
    }
    assert_int_equal(tried, 4 * 6 * 3 * 7);
}

/* What halves can't hold beside a tile's largest: where[i] of x becomes `value`, all else is zero
 * but for a one. */
static const struct {
    const char *name;
    float value;
} out_of_range[] = {
    {"2^-27", 0x1.5p-27f},     {"2^-29", 0x1.123456p-29f}, {"2^-40", -0x1.abcdefp-40f},
    {"denormal", 0x1.8p-130f}, {"infinite", INFINITY},     {"no number", NAN},
    {"2^100", 0x1p100f},
};

/* Each output as near as sums of floats are, infinite or no number where the sum in double is. */
static void assert_like(const struct conv_sums *want, const float *got, const char *name)
{
    for (size_t i = 0; i < want->count; i++) {
        const double y = want->y[i], off = fabs((double)got[i] - y);
        const bool right = isnan(y)   ? isnan(got[i])
                           : isinf(y) ? (double)got[i] == y
                                      : off <= 1e-6 * want->absolute[i] + 1e-44;
        if (!right)
            fail_msg("%s: y[%zu] is %g, expected %g", name, i, (double)got[i], y);
    }
}

static void keeps_range(const struct hpc_variant *v, int kind)
{
    struct conv_test t = conv_test_open(&conv2d_op, "n=1 c=20 h=9 k=17 r=3 pad=1");
    const size_t nx = t.layout.in[CONV2D_X].count;
    float *values = t.in[CONV2D_X];
    memset(values, 0, nx * sizeof *values);
    values[0] = 1; /* a corner: most windows do not see it */
    values[nx / 2] = values[nx - 1] = out_of_range[kind].value;
    const void *fixed[] = {NULL, t.in[CONV2D_W]};
    const struct hpc_env env = {.threads = 1, .fixed = fixed};
    struct conv_sums want = conv_oracle(&t.c.p, t.in[CONV2D_X], t.in[CONV2D_W]);
    struct given x = give(true, t.in[CONV2D_X], conv_test_bytes(&t.layout.in[CONV2D_X]));
    struct given w = give(true, t.in[CONV2D_W], conv_test_bytes(&t.layout.in[CONV2D_W]));
    struct given y = give(true, t.out[0], conv_test_bytes(&t.layout.out[0]));
    const void *in[] = {x.p, w.p};
    void *out[] = {y.p}, *state = NULL;
    assert_int_equal(v->open(&env, &t.c, &state), 0);
    assert_int_equal(v->run(state, in, out), 0);
    v->close(state);
    take(&y, t.out[0]);
    assert_like(&want, t.out[0], out_of_range[kind].name);
    take(&x, t.in[CONV2D_X]);
    take(&w, t.in[CONV2D_W]);
    conv_sums_free(&want);
    conv_test_close(&t);
}

static void halves_keep_range(void **state)
{
    int tried = 0;
    (void)state;
    for (int i = 0; hpc_variants[i]; i++)
        for (size_t kind = 0; kind < sizeof out_of_range / sizeof *out_of_range; kind++)
            if (strcmp(hpc_variants[i]->name, "conv_dense_split") == 0) {
                keeps_range(hpc_variants[i], (int)kind);
                tried++;
            }
    assert_int_equal(tried, sizeof out_of_range / sizeof *out_of_range);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conv2d_variants),    cmocka_unit_test(convpool_variants),
        cmocka_unit_test(sparse_is_lossless), cmocka_unit_test(halves_keep_range),
        cmocka_unit_test(states_stand_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
