/* Inputs are in no cache when a call begins: a line of them takes longer to read the first time
 * than the second. What a variant leaves in the caches, or another before it, gains it nothing. */
#define _GNU_SOURCE
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/clock.h"
#include "harness/exchange/internal.h"

#define BYTES ((size_t)1 << 18) /* fits into a second-level cache */
#define LINE  64
#define TRIES 100 /* of which nothing else on the machine slows some */

/* Seconds for one walk over all lines, which hold ones: each says where the next is, so that no
 * hardware runs ahead. */
static double walk(const char *p, size_t *sum)
{
    const size_t lines = BYTES / LINE;
    double begin = clock_now();
    for (size_t i = 0, at = 0; i < lines; i++) {
        at = (at * 5 + 12345 + (size_t)p[at * LINE] - 1) % lines; /* every line once */
        *sum += at;
    }
    return clock_now() - begin;
}

static void keep_least(double *least, double seconds)
{
    if (seconds < *least)
        *least = seconds;
}

static void test_cold(void **state)
{
    struct hpc_layout layout = {.n_in = 1,
                                .n_out = 1,
                                .in = {{.name = "x", .type = HPC_F32, .count = BYTES / 4}},
                                .out = {{.name = "y", .type = HPC_F32, .count = 16}}};
    struct exchange_memory m;
    double cold = DBL_MAX, warm = DBL_MAX;
    size_t sum = 0;
    (void)state;
#if !defined(__x86_64__) && !defined(__aarch64__)
    skip(); /* nothing is flushed there */
#endif
    assert_true(memory_create(&m, &layout, false, NULL));
    memset(m.in_copy[0], 1, BYTES);
    /* The fastest of each: a line that is flushed is never read as fast as one that is not. */
    for (int i = 0; i < TRIES; i++) {
        memory_publish(&m);
        keep_least(&cold, walk(m.input, &sum));
        keep_least(&warm, walk(m.input, &sum));
    }
    assert_true(sum > 0);
    assert_true(cold > 2 * warm);
    memory_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
