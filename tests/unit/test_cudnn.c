/* Where cuDNN is looked for, in folders that are made here, and what nvcc and a runner's jail get
 * of what was found. */
#define _GNU_SOURCE
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/build/build.h"
#include "harness/trial/internal.h"
#include "common/command.h"
#include "harness/machine/cudnn.h"
#include "harness/exchange/exchange.h"

static char base[] = "/tmp/hpclab-cudnn-XXXXXX", folder[PATH_MAX];

static void shell(const char *command)
{
    char *text = hpc_printf("cd '%s' && { %s; }", folder, command);
    assert_int_equal(system(text), 0);
    free(text);
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(base) || !realpath(base, folder))
        return 1;
    shell(
        "for f in given toolkit/targets/x86_64-linux second/lib/x86_64-linux-gnu unpacked "
        "site/nvidia/cudnn; do mkdir -p $f/include $f/lib; done; mkdir first empty second/include;"
        "for f in given toolkit/targets/x86_64-linux second unpacked site/nvidia/cudnn; do "
        "touch $f/include/cudnn.h; done;"
        "touch given/lib/libcudnn.so.9 toolkit/targets/x86_64-linux/lib/libcudnn.so.9.1.0 "
        "second/lib/x86_64-linux-gnu/libcudnn.so.8 unpacked/lib/libcudnn.so.9 "
        "site/nvidia/cudnn/lib/libcudnn.so.9 site/nvidia/cudnn/lib/libcudnn_ops.so.9;"
        "cd toolkit/targets/x86_64-linux/lib && ln -s libcudnn.so.9.1.0 libcudnn.so.9 && "
        "ln -s libcudnn.so.9 libcudnn.so && cd ../../../.. && "
        "printf '#!/bin/sh\\necho %s/site/nvidia/cudnn\\n' \"$PWD\" >python && chmod +x python && "
        "printf '#!/bin/sh\\necho no such module >&2\\nexit 1\\n' >other && chmod +x other");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unsetenv("CUDNN_PATH");
    folder_remove(folder);
    return 0;
}

/* Of `search`, whose names are below the folder: the library's path below it. */
static void expect(const struct cudnn_search *names, const char *where, const char *library)
{
    struct cudnn_place place;
    struct hpc_error err;
    const char *name[] = {names->given,     names->toolkit,  names->system[0],
                          names->system[1], names->unpacked, names->python};
    char path[6][PATH_MAX + 32];
    for (int i = 0; i < 6; i++)
        snprintf(path[i], sizeof path[i], "%s/%s", folder, name[i] ? name[i] : "");
    struct cudnn_search search = {
        .given = name[0] ? path[0] : NULL,
        .toolkit = name[1] ? path[1] : NULL,
        .system = {name[2] ? path[2] : NULL, name[3] ? path[3] : NULL},
        .unpacked = name[4] ? path[4] : NULL,
        .python = name[5] ? path[5] : NULL,
    };
    if (!cudnn_find(&search, &place, &err))
        fail_msg("%s: %s", where, err.text);
    char *full = hpc_printf("%s/%s", place.lib, place.library);
    assert_string_equal(place.where, where);
    assert_string_equal(full + strlen(folder) + 1, library);
    assert_memory_equal(place.include, folder, strlen(folder));
    free(full);
}

static void test_order(void **state)
{
    (void)state;
    struct cudnn_search s = {"given", "toolkit", {"first", "second"}, "unpacked", "python"};
    expect(&s, "CUDNN_PATH", "given/lib/libcudnn.so.9");
    s.given = NULL;
    expect(&s, "beside nvcc", "toolkit/targets/x86_64-linux/lib/libcudnn.so.9.1.0");
    s.toolkit = "empty";
    expect(&s, "of the system", "second/lib/x86_64-linux-gnu/libcudnn.so.8");
    s.system[1] = NULL;
    expect(&s, "in .deps", "unpacked/lib/libcudnn.so.9");
    s.unpacked = NULL;
    expect(&s, "Python's package", "site/nvidia/cudnn/lib/libcudnn.so.9");
}

/* A header without its library is none, nor the other way round. */
static void test_halves(void **state)
{
    (void)state;
    struct cudnn_search s = {NULL, "toolkit", {"second"}, "unpacked", NULL};
    shell("rm -r toolkit/targets/x86_64-linux/lib second/include");
    expect(&s, "in .deps", "unpacked/lib/libcudnn.so.9");
}

/* Of a wheel all of NVIDIA's folder is seen: cuDNN looks for cuBLAS beside itself. */
static void test_package(void **state)
{
    (void)state;
    struct cudnn_place place;
    struct hpc_error err;
    char *wheel = hpc_printf("%s/site/nvidia/cudnn", folder);
    char *given = hpc_printf("%s/given", folder);
    struct cudnn_search s = {.given = wheel};
    assert_true(cudnn_find(&s, &place, &err));
    assert_string_equal(place.package + strlen(folder), "/site/nvidia");
    s.given = given;
    assert_true(cudnn_find(&s, &place, &err));
    assert_string_equal(place.package, place.lib);
    free(given);
    free(wheel);
}

static void test_none(void **state)
{
    (void)state;
    struct cudnn_place place;
    struct hpc_error err;
    char *empty = hpc_printf("%s/empty", folder), *other = hpc_printf("%s/other", folder);
    char *toolkit = hpc_printf("%s/unpacked", folder);
    struct cudnn_search s = {.given = empty, .toolkit = toolkit};
    assert_false(cudnn_find(&s, &place, &err)); /* not quietly another */
    assert_int_equal(err.status, HPC_EXIT_ENVIRONMENT);
    char *line = hpc_printf("CUDNN_PATH=%s: no cuDNN there, expected a folder with "
                            "include/cudnn.h and lib/libcudnn.so*",
                            empty);
    assert_string_equal(err.text, line);
    s = (struct cudnn_search){.python = other};
    assert_false(cudnn_find(&s, &place, &err));
    assert_non_null(strstr(err.text, "pip install nvidia-cudnn-cu13"));
    assert_null(strchr(err.text, '\n'));
    free(line);
    free(toolkit);
    free(other);
    free(empty);
}

static const char source[] =
    "#include <cudnn.h>\n#include \"common/abi.h\"\n"
    "static int o(const hpc_env *, const void *, void **) { return "
    "!cudnnGetErrorString(CUDNN_STATUS_SUCCESS); }\n"
    "static int r(void *, const void *const[], void *const[]) { return 0; }\n"
    "static void c(void *) {}\n"
    "extern \"C\" const struct hpc_variant hpc_variant = {HPC_ABI, \"toy\", \"toy\", o, r, c};\n"
    "__global__ void nothing_kernel() {}\n";

/* nvcc compiles with the header of CUDNN_PATH, links its library, and the program finds that. */
static void test_build(void **state)
{
    (void)state;
    char root[PATH_MAX], where[64], file[96], out[96];
    if (!device_nvcc())
        skip();
    shell("echo 'enum cudnnStatus_t { CUDNN_STATUS_SUCCESS }; "
          "extern \"C\" const char *cudnnGetErrorString(cudnnStatus_t);' >given/include/cudnn.h;"
          "echo 'const char *cudnnGetErrorString(int s) { return \"fake\" + s; }' | "
          "gcc -shared -fPIC -xc - -Wl,-soname,libcudnn.so.9 -o given/lib/libcudnn.so.9");
    char *given = hpc_printf("%s/given", folder);
    setenv("CUDNN_PATH", given, 1);
    assert_non_null(realpath(".", root));
    snprintf(where, sizeof where, "build/tests/cudnn.%d", (int)getpid());
    snprintf(file, sizeof file, "%s/toy.cu", where);
    snprintf(out, sizeof out, "%s/out", where);
    char *make = hpc_printf("mkdir -p '%s'", where);
    assert_int_equal(system(make), 0);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs(source, f);
    fclose(f);
    struct build_spec spec = {.root = root,
                              .source = file,
                              .folder = out,
                              .op_folder = where,
                              .libraries = "-lcudnn",
                              .kind = BUILD_CUDA};
    struct build_result result;
    struct exchange_spec runner = {0};
    build_variant(&spec, &result);
    if (result.outcome.verdict != VERDICT_PASS)
        fail_msg("%s: %s", verdict_names[result.outcome.verdict], result.outcome.reason);
    build_runner_needs(&result, &runner);
    bool seen = false;
    for (int i = 0; runner.extra_read_only && runner.extra_read_only[i]; i++)
        seen |= strncmp(runner.extra_read_only[i], given, strlen(given)) == 0;
    assert_true(seen);
    char *ldd =
        hpc_printf("env -i ldd '%s' | grep -q 'libcudnn.so.9 => %s/lib/'", result.output, given);
    assert_int_equal(system(ldd), 0);
    spec.kind =
        BUILD_PLAIN; /* for the CPU device, which answers by itself, after nvcc compiled it */
    build_variant(&spec, &result);
    if (result.outcome.verdict != VERDICT_PASS)
        fail_msg("%s: %s", verdict_names[result.outcome.verdict], result.outcome.reason);
    assert_null(result.read_only[0]);
    folder_remove(where);
    free(ldd);
    free(make);
    free(given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order), cmocka_unit_test(test_halves), cmocka_unit_test(test_package),
        cmocka_unit_test(test_none),  cmocka_unit_test(test_build),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
