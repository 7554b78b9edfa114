/* Every variant of conv2d/ on shapes that stress it: right by the operation's checks, its inputs
 * untouched, nothing written behind its output. Variants in CUDA run on the CPU device in
 * `make test`, and on a GPU as build/bench/conv2d_check. HPC_TEST_VARIANT=NAME tries one only.
 *
 * Each has a process of its own: what ends one on a GPU ends all that its process would do there.
 */
#include "tests/unit/conv_case.h"

#include <limits.h>
#include <math.h>
#include <unistd.h>

#include "common/table.h"
#include "tests/unit/conv_ranges.h"
#include "tests/unit/conv_shapes.h"

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

static void one_right(const struct hpc_op *op, const struct hpc_variant *v,
                      const char *const *cases, size_t n)
{
    int taken = 0;
    for (size_t k = 0; k < n; k++) {
        print_message("# %s: %s\n", v->name, cases[k]);
        taken += runs_right(v, op, cases[k]);
    }
    print_message("# %s: %d of %zu cases\n", v->name, taken, n);
    if (taken < 4 && strncmp(v->name, "cudnn_", 6) != 0) /* cuDNN's algorithms are choosy */
        fail_msg("%s takes %d of %zu cases, expected 4 or more", v->name, taken, n);
}

/* This program again, for one variant. What it says is shown where it failed, as comments: its
 * counts are not this program's. */
static bool right_apart(const struct hpc_variant *v)
{
    char self[PATH_MAX], command[PATH_MAX + 200], line[1000], said[64 * 1024] = "";
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    size_t used = 0;
    assert_true(length > 0);
    self[length] = 0;
    snprintf(command, sizeof command, "HPC_TEST_VARIANT=%s '%s' 2>&1", v->name, self);
    fflush(stdout);
    FILE *out = popen(command, "r");
    assert_non_null(out);
    while (fgets(line, sizeof line, out))
        if (used + strlen(line) + 3 < sizeof said)
            used += (size_t)sprintf(said + used, "# %s", line);
    const bool right = pclose(out) == 0;
    if (!right)
        print_message("%s", said);
    return right;
}

static void all_right(const struct hpc_op *op, const char *const *cases, size_t n)
{
    const char *only = getenv("HPC_TEST_VARIANT");
    char wrong[1000] = "";
    int variants = 0;
    for (int i = 0; hpc_variants[i]; i++) {
        const struct hpc_variant *v = hpc_variants[i];
        if (strcmp(v->op, op->name) != 0 || (only && strcmp(only, v->name) != 0))
            continue;
        variants++;
        if (only)
            one_right(op, v, cases, n);
        else if (!right_apart(v) && strlen(wrong) + strlen(v->name) + 2 < sizeof wrong)
            strcat(strcat(wrong, " "), v->name);
    }
    if (wrong[0])
        fail_msg("wrong, or ended by a fault:%s", wrong);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conv2d_variants),    cmocka_unit_test(convpool_variants),
        cmocka_unit_test(sparse_is_lossless), cmocka_unit_test(halves_keep_range),
        cmocka_unit_test(states_stand_apart), cmocka_unit_test(fused_ranges),
    };
    const struct CMUnitTest of_one[] = {
        cmocka_unit_test(conv2d_variants),
        cmocka_unit_test(convpool_variants),
    };
    if (getenv("HPC_TEST_VARIANT"))
        return cmocka_run_group_tests(of_one, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
