/* harness/measure/pairs.h, measure_floor: its peak is one that plain code cannot reach. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "common/clock.h"
#include "harness/machine/machine.h"
#include "harness/measure/pairs.h"

#define TURNS  10
#define ROUNDS 100000
#define CHAINS 8

/* FLOPs a second of as many chains of single numbers as hide the latency. */
static double one_by_one(void)
{
    volatile double sink, start = 1e-9;
    double a[CHAINS], x = start;
    for (int k = 0; k < CHAINS; k++)
        a[k] = x * k;
    const double begin = clock_now();
    for (int i = 0; i < ROUNDS; i++)
#pragma GCC unroll 8
        for (int k = 0; k < CHAINS; k++)
            a[k] = a[k] * x + 1;
    const double seconds = clock_now() - begin;
    for (int k = 0; k < CHAINS; k++)
        sink = a[k];
    (void)sink;
    return 2.0 * CHAINS * ROUNDS / seconds;
}

static double peak(enum hpc_type type, int threads)
{
    const struct hpc_cost cost = {.flops = 1e9};
    struct hpc_layout layout = {.n_out = 1};
    layout.out[0].type = type;
    return 1e9 / measure_floor(&cost, &layout, threads);
}

static void vectors_are_faster(void **state)
{
    (void)state;
    if (machine_here()->simd < HPC_SIMD_AVX2 || machine_here()->simd >= HPC_SIMD_NEON) {
        print_message("no AVX2 here\n");
        skip();
    }
    double single = 0, vectors = 0;
    for (int i = 0; i < TURNS; i++) { /* in turn: others may run, too */
        const double s = one_by_one(), v = peak(HPC_F64, 1);
        single = s > single ? s : single;
        vectors = v > vectors ? v : vectors;
    }
    assert_true(vectors > 2 * single);
}

static void types_and_threads(void **state)
{
    (void)state;
    const struct hpc_cost nothing = {.flops = 0};
    const struct hpc_layout layout = {.n_out = 0};
    assert_float_equal(measure_floor(&nothing, &layout, 1), 0, 0);
    assert_true(peak(HPC_F64, 1) > 1e7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_faster),
        cmocka_unit_test(types_and_threads),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
