/* Feature maps: .npy files and pictures, right ones and others; the networks' layers, which must be
 * those that benchmarks/sparse times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/sparse/layers.h"
#include "conv2d/featuremaps/network.h"
#include "conv2d/featuremaps/npy.h"

static char path[] = "/tmp/hpclab-test-maps-XXXXXX";

static void put(const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

/* A file of format 1.0 with this header and these bytes behind it. */
static void put_npy(const char *header, const void *data, size_t bytes)
{
    char file[1000] = "\x93NUMPY\x01\x00";
    const size_t length = strlen(header);
    file[8] = (char)(length & 255);
    file[9] = (char)(length >> 8);
    memcpy(file + 10, header, length);
    memcpy(file + 10 + length, data, bytes);
    put(file, 10 + length + bytes);
}

static void npy_there_and_back(void **state)
{
    (void)state;
    const size_t size[3] = {2, 3, 4};
    float value[24];
    struct npy read;
    struct hpc_error err;
    for (int i = 0; i < 24; i++)
        value[i] = (float)i * 0.25f - 1;
    assert_true(npy_write(path, 3, size, HPC_F32, value, &err));
    assert_true(npy_read(path, &read, &err));
    assert_int_equal(read.dimensions, 3);
    assert_memory_equal(read.size, size, sizeof size);
    assert_int_equal(read.count, 24);
    assert_memory_equal(read.value, value, sizeof value);
    npy_free(&read);
    assert_false(npy_write("/nowhere/x.npy", 3, size, HPC_F32, value, &err));
    assert_non_null(strstr(err.text, "/nowhere/x.npy"));
}

static void npy_of_others(void **state)
{
    (void)state;
    struct npy read;
    struct hpc_error err;
    const double doubles[6] = {1, 2, 3, 4, 5, 6};
    put_npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }\n", doubles,
            sizeof doubles);
    assert_true(npy_read(path, &read, &err)); /* columns first: (1 3 5) (2 4 6) */
    assert_true(read.value[1] == 3 && read.value[2] == 5 && read.value[3] == 2);
    npy_free(&read);

    const uint16_t halves[2] = {0x3c00, 0xc000};
    put_npy("{'shape':(2,),'fortran_order':False,'descr':'<f2'}", halves, sizeof halves);
    assert_true(npy_read(path, &read, &err));
    assert_true(read.count == 2 && read.value[0] == 1 && read.value[1] == -2);
    npy_free(&read);

    put_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "\0\0\x80\x3f", 4);
    assert_true(npy_read(path, &read, &err));
    assert_true(read.dimensions == 0 && read.count == 1 && read.value[0] == 1);
    npy_free(&read);
}

static void npy_refused(void **state)
{
    (void)state;
    static const char nan4[4] = "\x00\x00\xc0\x7f";
    static const struct {
        const char *header;
        size_t bytes;
        const char *expected;
    } bad[] = {
        {"{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", 4, "not understood"},
        {"{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }", 4, "not understood"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, }", 4, "not understood"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", 4, "not understood"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}", 4,
         "at most 8 dimensions"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", 4,
         "not understood"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2000000000,2000000000,2000000000)}", 4,
         "not understood"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000,), }", 4, "2 GiB"},
        {"{'descr': '<f4', 'shape': (1,), }", 4, "not understood"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 4, "ends after"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 12, "goes on after"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 4, "not finite"},
        {"", 0, "not understood"},
        {"{'descr': '<f", 0, "not understood"},
    };
    struct npy read;
    struct hpc_error err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const bool nan = strstr(bad[i].expected, "finite");
        put_npy(bad[i].header, nan ? nan4 : "\0\0\0\0\0\0\0\0\0\0\0", bad[i].bytes);
        assert_false(npy_read(path, &read, &err));
        if (!strstr(err.text, bad[i].expected) || strncmp(err.text, path, strlen(path)) != 0)
            fail_msg("%s: \"%s\", expected \"%s\"", bad[i].header, err.text, bad[i].expected);
        assert_null(read.value);
    }
    put("\x93NUMPY\x04\x00\x01\x00 ", 11);
    assert_false(npy_read(path, &read, &err));
    assert_non_null(strstr(err.text, "format 4"));
    put("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12);
    assert_false(npy_read(path, &read, &err));
    assert_non_null(strstr(err.text, "header of 4294967295 bytes"));
    put("PNG", 3);
    assert_false(npy_read(path, &read, &err));
    assert_false(npy_read("/nowhere", &read, &err));
    assert_int_equal(err.status, HPC_EXIT_USAGE);
}

static void pictures(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        int channels;
        float first, last;
    } good[] = {
        {"P2\n# a comment\n2 1\n4\n1 # another\n4\n", 34, 1, 0.25f, 1},
        {"P3 1 1 10 0 5 10", 16, 3, 0, 1},
        {"P5 2 1 255\n\x33\xff", 13, 1, 0.2f, 1},
        {"P6 1 1 1000\n\x00\x00\x01\xf4\x03\xe8", 18, 3, 0, 1},
    };
    struct image image;
    struct hpc_error err;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        put(good[i].bytes, good[i].n);
        if (!image_read(path, &image, &err))
            fail_msg("%s", err.text);
        assert_int_equal(image.channels, good[i].channels);
        const int n = image.channels * image.rows * image.columns;
        assert_true(fabsf(image.value[0] - good[i].first) < 1e-6f);
        assert_true(fabsf(image.value[n - 1] - good[i].last) < 1e-6f);
        image_free(&image);
    }
    static const char *const bad[] = {
        "",           "P4 1 1\n1",       "P5 0 1 255\n", "P5 1 1 255\n",
        "P2 1 1 4 5", "P5 99999999 1 2", "P2 1 1 0 0",   "P2 -1 1 1 1",
        "\x89PNG",    "P6 1 1 65536\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put(bad[i], strlen(bad[i]));
        assert_false(image_read(path, &image, &err));
        assert_null(image.value);
        assert_int_equal(err.status, HPC_EXIT_USAGE);
    }
    assert_false(image_read("/nowhere", &image, &err));
}

static void pictures_are_fitted(void **state)
{
    (void)state;
    float value[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}; /* 3 x 2 x 2 */
    const struct image image = {3, 2, 2, value};
    struct image one = image_fit(&image, 3, 1, 1), wide = image_fit(&image, 1, 2, 4);
    assert_true(one.value[0] == 1.5f && one.value[1] == 5.5f && one.value[2] == 9.5f);
    assert_true(fabsf(wide.value[0] - 4) < 1e-6f && fabsf(wide.value[2] - 5) < 1e-6f);
    assert_true(fabsf(wide.value[7] - 7) < 1e-6f);
    image_free(&one);
    image_free(&wide);
}

/* The layer of this name, "vgg19-conv1_1", or NULL. */
static const struct layer *find(const char *name, struct network *net)
{
    for (int i = 0; network_names[i]; i++) {
        const size_t n = strlen(network_names[i]);
        if (strncmp(name, network_names[i], n) != 0 || name[n] != '-')
            continue;
        assert_true(network_find(network_names[i], net));
        for (int l = 0; l < net->n; l++)
            if (strcmp(net->layer[l].name, name + n + 1) == 0)
                return &net->layer[l];
    }
    return NULL;
}

static void assert_layers(const struct sparse_layer *all, size_t n)
{
    static struct network net;
    for (size_t i = 0; i < n; i++) {
        const struct layer *l = find(all[i].name, &net);
        if (!l)
            fail_msg("%s is in no network", all[i].name);
        const struct layer *in = network_input(&net, l);
        if (in->channels != all[i].c || in->rows != all[i].size || in->columns != all[i].size ||
            l->channels != all[i].k || l->size != all[i].r || l->pad != all[i].pad ||
            l->stride != 1 || l->sparsity != all[i].sparsity)
            fail_msg("%s: %d x %d x %d to %d, %d x %d, pad %d, sparsity %g", all[i].name,
                     in->channels, in->rows, in->columns, l->channels, l->size, l->size, l->pad,
                     l->sparsity);
    }
}

static void layers_are_those_that_are_timed(void **state)
{
    (void)state;
    assert_layers(table1_layers, sizeof table1_layers / sizeof *table1_layers);
    assert_layers(vgg19_layers, sizeof vgg19_layers / sizeof *vgg19_layers);
}

struct kept {
    int n;
    double zeros, sum;
    float *map;
};

static bool keep(void *arg, const struct network *net, const struct layer *layer, const float *map)
{
    struct kept *k = arg;
    const struct layer *in = network_input(net, layer);
    const size_t n = (size_t)in->channels * (size_t)in->rows * (size_t)in->columns;
    k->n++;
    k->zeros = k->sum = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(isfinite(map[i]) && map[i] >= 0);
        k->zeros += map[i] == 0;
        k->sum += (double)map[i];
    }
    k->zeros /= (double)n;
    return true;
}

static bool stop(void *arg, const struct network *net, const struct layer *layer, const float *map)
{
    (void)net, (void)layer, (void)map;
    ++*(int *)arg;
    return false;
}

static void networks_run(void **state)
{
    (void)state;
    static struct network net;
    struct image image = image_built_in();
    struct kept a = {0}, b = {0}, c = {0};
    int stopped = 0;
    assert_true(network_find("alexnetc", &net));
    assert_true(network_run(&net, &image, 1, keep, &a));
    assert_true(network_run(&net, &image, 1, keep, &b));
    assert_true(network_run(&net, &image, 2, keep, &c));
    assert_int_equal(a.n, 1);
    assert_true(fabs(a.zeros - 0.9) < 0.001); /* of 1152 */
    assert_true(a.sum > 0 && a.sum == b.sum && a.sum != c.sum);
    for (int i = 0; i < image.rows * image.columns; i++)
        image.value[i] = 1 - image.value[i];
    assert_true(network_run(&net, &image, 1, keep, &b));
    assert_true(a.sum != b.sum); /* the picture counts */
    assert_false(network_run(&net, &image, 1, stop, &stopped));
    assert_int_equal(stopped, 1);
    image_free(&image);
}

static int make_path(void **state)
{
    (void)state;
    const int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int drop_path(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(npy_there_and_back),  cmocka_unit_test(npy_of_others),
        cmocka_unit_test(npy_refused),         cmocka_unit_test(pictures),
        cmocka_unit_test(pictures_are_fitted), cmocka_unit_test(layers_are_those_that_are_timed),
        cmocka_unit_test(networks_run),
    };
    return cmocka_run_group_tests(tests, make_path, drop_path);
}
