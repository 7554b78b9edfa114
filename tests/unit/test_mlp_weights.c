/* mlp/app/weights.c: what is read is bit for bit what was written; whatever else a file holds ends
 * in one line of an error. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mlp/app/dataset.c"
#include "mlp/app/output.c"
#include "mlp/app/parse.c"
#include "mlp/app/weights.c"

static char path[] = "/tmp/hpclab-test-weights-XXXXXX";

static int make_path(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int drop_path(void **state)
{
    (void)state;
    return unlink(path);
}

/* A net of 2-3-2 with scaled inputs and numbers of all sizes. */
static void make_model(struct model *m)
{
    static double shift[2] = {0.1, -1e-300}, factor[2] = {1 / 3.0, 5e-324}, w[17];
    struct hpc_random r;
    hpc_random_init(&r, 6, 6);
    for (int i = 0; i < 17; i++)
        w[i] = hpc_random_normal(&r) * pow(10, 20 * i - 160);
    *m = (struct model){{.n_layers = 3, .size = {2, 3, 2}}, {2, shift, factor}, w};
    m->p.activation[1] = MLP_RELU;
    m->p.activation[2] = MLP_SOFTMAX;
}

static void model_free(struct model *m)
{
    free(m->w);
    scaling_free(&m->scaling);
}

static void reads_what_was_written(void **state)
{
    (void)state;
    struct model m, back;
    struct hpc_error err = {.text = ""};
    make_model(&m);
    assert_true(weights_write(path, &m, &err));
    if (!weights_read(path, &back, &err))
        fail_msg("%s", err.text);
    assert_int_equal(back.p.n_layers, 3);
    assert_memory_equal(back.p.size, m.p.size, sizeof m.p.size);
    assert_memory_equal(back.p.activation, m.p.activation, sizeof m.p.activation);
    assert_memory_equal(back.scaling.shift, m.scaling.shift, 2 * sizeof(double));
    assert_memory_equal(back.scaling.factor, m.scaling.factor, 2 * sizeof(double));
    assert_memory_equal(back.w, m.w, 17 * sizeof(double));
    model_free(&back);
    m.scaling.inputs = 0;
    assert_true(weights_write(path, &m, &err) && weights_read(path, &back, &err));
    assert_int_equal(back.scaling.inputs, 0);
    model_free(&back);
}

static void refused(const char *text, const char *words)
{
    struct model m;
    struct hpc_error err = {.text = ""};
    assert_true(file_write(path, text, strlen(text), &err));
    assert_false(weights_read(path, &m, &err));
    assert_null(m.w);
    if (!strstr(err.text, words) || !strstr(err.text, path))
        fail_msg("'%s' lacks '%s' or the path", err.text, words);
}

#define HEAD "hpclab-mlp 1\nlayers 1,1\nactivations relu\n"

static void refuses_with_place_and_reason(void **state)
{
    (void)state;
    refused("", "line 1: the file ends");
    refused("hpclab-mlp 2\n", "line 1: 'hpclab-mlp 2' found");
    refused("hpclab-mlp 1\nlayer 1,1\n", "line 2: 'layer 1,1' found, expected layers");
    refused("hpclab-mlp 1\nlayers 1,x\n", "line 2, layers: 'x' found");
    refused("hpclab-mlp 1\nlayers 1,1,1,1,1,1,1,1,1,1,1\n", "line 2, layers: more than 10");
    refused("hpclab-mlp 1\nlayers 1\nactivations relu\n", "line 3, activations: 1, expected");
    refused("hpclab-mlp 1\nlayers 1,1\nactivations rel\n", "line 3, activations: 'rel' found");
    refused("hpclab-mlp 1\nlayers 65536,65536\nactivations relu\n", "weights, expected at most");
    refused(HEAD "scaling 2\n", "line 4: 'scaling 2' found");
    refused(HEAD "scaling 1\n1\n", "line 5: '1' found, expected 2 finite numbers");
    refused(HEAD "scaling 0\nmatrix 0 1 2\n",
            "line 5: 'matrix 0 1 2' found, expected matrix 0 2 1");
    refused(HEAD "scaling 0\nmatrix 0 2 1\n1\n", "line 7: the file ends");
    refused(HEAD "scaling 0\nmatrix 0 2 1\n1\nnan\nend\n", "line 7: 'nan' found");
    refused(HEAD "scaling 0\nmatrix 0 2 1\n1\n1 2\nend\n", "line 7: '1 2' found");
    refused(HEAD "scaling 0\nmatrix 0 2 1\n1\n2\n", "line 8: the file ends, expected end");
    refused(HEAD "scaling 0\nmatrix 0 2 1\n1\n2\n3\n", "line 8: '3' found, expected end");
}

/* A written file with a few bytes changed, dropped or cut off. */
static void survives_damage(void **state)
{
    (void)state;
    struct model m;
    struct hpc_error err;
    char good[4096], bad[4096];
    make_model(&m);
    assert_true(weights_write(path, &m, &err));
    FILE *f = fopen(path, "r");
    size_t n = fread(good, 1, sizeof good, f);
    fclose(f);
    assert_in_range(n, 200, sizeof good - 1);
    struct hpc_random r;
    hpc_random_init(&r, 7, 7);
    int refusals = 0, trials = 3000;
    for (int trial = 0; trial < trials; trial++) {
        size_t length = trial % 3 == 0 ? hpc_random_below(&r, (uint32_t)n) : n;
        memcpy(bad, good, n);
        for (uint32_t i = hpc_random_below(&r, 4); i > 0; i--)
            bad[hpc_random_below(&r, (uint32_t)n)] =
                trial % 2 ? (char)hpc_random_below(&r, 256) : "0123456789,. \n-e"[i * 5];
        struct model back;
        err.text[0] = 0;
        assert_true(file_write(path, bad, length, &err));
        if (weights_read(path, &back, &err)) {
            for (size_t i = 0; i < mlp_weights(&back.p); i++)
                assert_true(isfinite(back.w[i]));
            model_free(&back);
        } else {
            refusals++;
            assert_true(err.text[0] && !strchr(err.text, '\n') && !back.w);
        }
    }
    assert_in_range(refusals, trials / 3, trials - 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_was_written),
        cmocka_unit_test(refuses_with_place_and_reason),
        cmocka_unit_test(survives_damage),
    };
    return cmocka_run_group_tests_name("mlp_weights", tests, make_path, drop_path);
}
