/* What the figures of a call rest on: poison, fresh inputs, the parent's clock. */
#define _GNU_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/build/internal.h"
#include "harness/machine/busy.h"
#include "tests/unit/toy/op.h"

/* Poison, fresh inputs, the clock: what an honest variant's figures rest on. */
static void test_calls(void **state)
{
    unsigned char problem[HPC_MAX_PROBLEM] __attribute__((aligned(16))) = {0};
    struct build_result built;
    struct exchange_call call;
    struct outcome o = {0};
    (void)state;
    ((struct toy_problem *)(void *)problem)->n = TOY_N;
    toy_build(TOY_LAZY, BUILD_PLAIN, &built);
    struct exchange_spec spec = toy_spec(&built, problem);
    struct exchange *x = exchange_open(&spec, &o);
    assert_non_null(x);
    double first[3], poison[2];
    static const uint64_t numbers[3] = {5, 6, 5};
    for (int i = 0; i < 3; i++) {
        assert_true(exchange_run(x, numbers[i], false, &call, &o));
        const double *y = call.out[0];
        const float *halves = call.out[0];
        first[i] = *(const double *)call.in[0];
        assert_true(*(const double *)call.in[1] == (double)spec.seed); /* fixed */
        for (int k = 0; k < TOY_N; k++)
            assert_true(isnan(y[k]) && isnan(halves[2 * k]) && isnan(halves[2 * k + 1]));
        if (i < 2)
            memcpy(&poison[i], y, sizeof *y);
    }
    assert_true(first[0] == first[2] && first[0] != first[1]);
    assert_memory_not_equal(&poison[0], &poison[1], sizeof poison[0]);
    assert_true(exchange_close(x, &o, NULL, 0));

    toy_build(TOY_SLEEPY, BUILD_PLAIN, &built);
    spec = toy_spec(&built, problem);
    x = exchange_open(&spec, &o);
    assert_non_null(x);
    assert_true(exchange_run(x, 1, false, &call, &o));
    assert_true(call.seconds >= 0.030 && call.seconds < 0.9);
    assert_true(call.cpu_seconds >= 0 && call.cpu_seconds < 0.020);
    assert_true(call.waited_seconds < 0); /* two threads' waits are not asked for */
    assert_true(exchange_close(x, &o, NULL, 0));

    spec.env.threads = 1;
    x = exchange_open(&spec, &o);
    assert_non_null(x);
    assert_true(exchange_run(x, 1, false, &call, &o));
    assert_true((call.waited_seconds >= 0) == (busy_waited(0) >= 0));
    assert_true(exchange_close(x, &o, NULL, 0));
}

static void test_no_elements(void **state)
{
    unsigned char problem[HPC_MAX_PROBLEM] __attribute__((aligned(16))) = {0};
    struct build_result built;
    struct exchange_call call;
    struct outcome o = {0};
    (void)state;
    toy_build(TOY_NONE, BUILD_PLAIN, &built);
    struct exchange_spec spec = toy_spec(&built, problem);
    struct exchange *x = exchange_open(&spec, &o);
    assert_non_null(x);
    assert_true(exchange_run(x, 1, true, &call, &o));
    assert_true(exchange_close(x, &o, NULL, 0));
    spec.runner = "/nowhere/runner";
    assert_null(exchange_open(&spec, &o));
    assert_int_equal(o.verdict, VERDICT_ENVIRONMENT);
    assert_non_null(strstr(o.reason, "/nowhere/runner"));
}

/* A call whose OpenMP threads wait for one that sleeps; what it printed. */
static void wait_once(enum build_kind kind, bool untimed, struct exchange_call *call,
                      char output[400])
{
    unsigned char problem[HPC_MAX_PROBLEM] __attribute__((aligned(16))) = {0};
    struct build_result built;
    struct outcome o = {0};
    ((struct toy_problem *)(void *)problem)->n = TOY_N;
    toy_build(TOY_OPENMP_WAIT, kind, &built);
    struct exchange_spec spec = toy_spec(&built, problem);
    spec.untimed = untimed;
    struct exchange *x = exchange_open(&spec, &o);
    assert_non_null(x);
    assert_true(exchange_run(x, 1, false, call, &o));
    assert_true(exchange_close(x, &o, output, 400));
}

static void test_waiting(void **state)
{
    struct build_spec spec = {.source = "x.c", .flags = "-fopenmp", .kind = BUILD_THREADS};
    struct build_tools tools;
    struct exchange_call call;
    char output[400], watched[400];
    (void)state;
    wait_once(BUILD_PLAIN, true, &call, output);
    assert_non_null(strstr(output, "spins 200 times"));
    wait_once(BUILD_PLAIN, false, &call, output);
    assert_non_null(strstr(output, "spins 2000 times"));
    wait_once(BUILD_ADDRESS, false, &call, watched);
    assert_string_equal(watched, output); /* nothing there tells which build it is */
    build_tools_for(&spec, &tools);
    if (tools.missing)
        skip(); /* needs clang with Archer */
    wait_once(BUILD_THREADS, true, &call, output);
    assert_non_null(strstr(output, "atexit_sleep_ms=50"));
    assert_true(call.seconds >= 0.15);
    assert_true(call.cpu_seconds < call.seconds / 2); /* clang's OpenMP would spin all the time */
}

int main(void)
{
    if (!getcwd(toy_root, sizeof toy_root))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_no_elements),
        cmocka_unit_test(test_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
