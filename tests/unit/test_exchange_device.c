/* The exchange with variants in CUDA (tests/unit/toy/device.cu): on the CPU device, under its
 * checker, and with HPC_TEST_DEVICE=cuda on a GPU. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/trial/checker_report.h"
#include "tests/unit/toy/op.h"

#define CALLS 3

struct expectation {
    enum toy_attack attack;
    enum verdict verdict;
    const char *reason; /* a part of it */
    const char *fault;  /* under the checker: the first one's kind; NULL: none */
};

static const struct expectation plain[] = {
    {TOY_NONE, VERDICT_PASS, "", NULL},
    {TOY_FIXED, VERDICT_PASS, "", NULL},
    {TOY_LAZY, VERDICT_WRONG, "wrong output", NULL},
    {TOY_REFUSE, VERDICT_WRONG, "open() refused the problem: returned 7", NULL},
    {TOY_FAIL, VERDICT_WRONG, "run() failed: returned 9", NULL},
    {TOY_FORK, VERDICT_CRASH, "1024 threads" /* error 9, of some drivers 1 */, NULL},
    {TOY_CRASH, VERDICT_CRASH, "signal 11", NULL},
    {TOY_HANG, VERDICT_TIMEOUT, "run() did not return within 2 s", NULL},
    {TOY_AFTER, VERDICT_UNSAFE, "writes outside its output array \"y\"", NULL},
    {TOY_BEFORE, VERDICT_UNSAFE, "writes outside its output array \"y\"", NULL},
};

static const struct expectation checked[] = {
    {TOY_NONE, VERDICT_PASS, "", NULL},
    {TOY_FIXED, VERDICT_PASS, "", NULL},
    {TOY_RACE, VERDICT_PASS, "", "race-shared"},
    {TOY_AFTER, VERDICT_PASS, "past the end of y", "oob-global"},
    {TOY_BEFORE, VERDICT_PASS, "before the start of y", "oob-global"},
    {TOY_LEAK, VERDICT_PASS, "64 bytes", "leak"},
    {TOY_FORK, VERDICT_CRASH, "", NULL},
};

static bool right(const struct exchange_call *call)
{
    const double *x = call->in[0], *y = call->out[0];
    for (int i = 0; i < TOY_N; i++)
        if (!(y[i] == 2 * x[i] + 1))
            return false;
    return true;
}

static void build(enum toy_attack attack, enum build_kind kind, struct build_result *result)
{
    char folder[100], flags[40];
    snprintf(folder, sizeof folder, "build/tests/toy/device/%d", (int)attack);
    snprintf(flags, sizeof flags, "-DATTACK=%d", (int)attack);
    struct build_spec spec = {.root = toy_root,
                              .source = "tests/unit/toy/device.cu",
                              .folder = folder,
                              .op_folder = "tests/unit/toy",
                              .flags = flags,
                              .symbols = "cuda* calloc free",
                              .kind = kind};
    build_variant(&spec, result);
    if (result->outcome.verdict != VERDICT_PASS)
        print_error("%s\n", result->outcome.reason);
    assert_int_equal(result->outcome.verdict, VERDICT_PASS);
}

static void keep(void *data, const char *text)
{
    *(char **)data = hpc_strdup(text);
}

/* Open, a few calls, close: the verdict and its reason; and all that was printed, for the caller to
 * free. */
static enum verdict attempt(enum toy_attack attack, enum build_kind kind, const char *key_word,
                            char reason[400], char **printed)
{
    unsigned char problem[HPC_MAX_PROBLEM] __attribute__((aligned(16))) = {0};
    const char *env[] = {key_word, NULL};
    struct build_result built;
    struct outcome o = {0}, at_close = {0};
    ((struct toy_problem *)(void *)problem)->n = TOY_N;
    build(attack, kind, &built);
    struct exchange_spec spec = toy_spec(&built, problem);
    if (kind == BUILD_CHECK)
        spec.extra_env = env;
    spec.printed = keep;
    spec.printed_data = printed;
    if (attack != TOY_HANG)
        spec.limits.wall_seconds = 20;
    struct exchange *x = exchange_open(&spec, &o);
    bool good = x != NULL;
    for (uint64_t i = 0; good && i < CALLS; i++) {
        struct exchange_call call;
        good = exchange_run(x, i, i == 0, &call, &o);
        if (good && !right(&call))
            good = outcome_set(&o, VERDICT_WRONG, "wrong output");
    }
    if (x && !exchange_close(x, &at_close, NULL, 0) && good)
        o = at_close;
    snprintf(reason, sizeof o.reason, "%s", o.reason);
    return o.verdict;
}

static void test_plain(void **state)
{
    const char *device = getenv("HPC_TEST_DEVICE");
    enum build_kind kind = device && !strcmp(device, "cuda") ? BUILD_CUDA : BUILD_PLAIN;
    (void)state;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        char reason[400], *printed = NULL;
        enum verdict got = attempt(plain[i].attack, kind, NULL, reason, &printed);
        if (got != plain[i].verdict || !strstr(reason, plain[i].reason))
            print_error("attack %d: verdict %d, reason: %s\nprinted: %s\n", (int)plain[i].attack,
                        (int)got, reason, printed ? printed : "");
        assert_int_equal(got, plain[i].verdict);
        assert_non_null(strstr(reason, plain[i].reason));
        free(printed);
    }
}

static void test_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof checked / sizeof *checked; i++) {
        char reason[400], *printed = NULL, word[48], key[24];
        struct checker_reports reports;
        checker_key(word, key);
        enum verdict got = attempt(checked[i].attack, BUILD_CHECK, word, reason, &printed);
        assert_non_null(printed);
        checker_reports_read(printed, key, NULL, NULL, &reports);
        const char *kind = reports.faults ? reports.first.kind : "none";
        if (strcmp(kind, checked[i].fault ? checked[i].fault : "none") != 0)
            print_error("attack %d: verdict %d %s\nprinted: %s\n", (int)checked[i].attack, (int)got,
                        reason, printed);
        assert_string_equal(kind, checked[i].fault ? checked[i].fault : "none");
        if (checked[i].attack != TOY_RACE) /* its values are in its threads' order */
            assert_int_equal(got, checked[i].verdict);
        assert_non_null(strstr(reports.first.text, checked[i].reason));
        if (checked[i].attack == TOY_NONE) {
            assert_int_equal(reports.traffic.n, 1);
            assert_string_equal(reports.traffic.kernel[0].name, "toy_kernel");
            assert_true(reports.traffic.kernel[0].counter[TRAFFIC_LAUNCHES] == CALLS);
            assert_true(reports.traffic.kernel[0].counter[TRAFFIC_THREADS] == CALLS * 1024);
        }
        free(printed);
    }
}

static void test_no_elements(void **state)
{
    unsigned char problem[HPC_MAX_PROBLEM] __attribute__((aligned(16))) = {0};
    struct build_result built;
    struct exchange_call call;
    struct outcome o = {0};
    (void)state;
    build(TOY_NONE, BUILD_PLAIN, &built);
    struct exchange_spec spec = toy_spec(&built, problem);
    spec.limits.wall_seconds = 20;
    struct exchange *x = exchange_open(&spec, &o);
    assert_non_null(x);
    assert_true(exchange_run(x, 1, true, &call, &o));
    assert_true(exchange_close(x, &o, NULL, 0));
}

int main(void)
{
    if (!getcwd(toy_root, sizeof toy_root))
        return 1;
    const char *device = getenv("HPC_TEST_DEVICE");
    if (!device || strcmp(device, "cuda") != 0)
        setenv("HPC_NVCC", "none", 0); /* whether nvcc takes it too is cuda.sh's question */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_checked),
        cmocka_unit_test(test_no_elements),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("exchange_device", tests, NULL, NULL);
}
