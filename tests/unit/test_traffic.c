/* harness/lab/traffic.h and harness/trial/checker_report.h: bounds, quantities, and the lines of a
 * checker. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/trial/checker_report.h"

static void bounds_are_read(void **state)
{
    struct traffic_bound b[TRAFFIC_MAX_BOUNDS];
    char why[200];
    (void)state;
    int n = traffic_bounds_parse("global_load_sectors_per_output <= 0.16; launches>=2 ;"
                                 " shared_load_conflicts_per_request <= 5e-2;",
                                 b, TRAFFIC_MAX_BOUNDS, why, sizeof why);
    assert_int_equal(n, 3);
    assert_string_equal(b[0].quantity, "global_load_sectors_per_output");
    assert_true(b[0].counter == TRAFFIC_GLOBAL_LOAD_SECTORS && b[0].per == TRAFFIC_PER_OUTPUT);
    assert_true(!b[0].at_least && b[0].bound == 0.16);
    assert_true(b[1].counter == TRAFFIC_LAUNCHES && b[1].per == TRAFFIC_ALL && b[1].at_least);
    assert_true(b[2].counter == TRAFFIC_SHARED_LOAD_CONFLICTS && b[2].per == TRAFFIC_PER_REQUEST);
    assert_int_equal(traffic_bounds_parse("  ", b, TRAFFIC_MAX_BOUNDS, why, sizeof why), 0);
}

static void bounds_that_are_none(void **state)
{
    static const char *const texts[] = {"global_load_sectors_per_output",
                                        "global_load_sectors_per_output < 1",
                                        "global_load_sectors_per_output <= x",
                                        "global_load_sectors_per_output <= nan",
                                        "global_load_sectors_per_output <= 1 2",
                                        "global_load_sectors_per_thread <= 1",
                                        "launches_per_request <= 1",
                                        "global_load_requests_per_request <= 1",
                                        "sectors <= 1",
                                        "<= 1",
                                        "launches <= 1, threads <= 1",
                                        "launches = 1"};
    struct traffic_bound b[TRAFFIC_MAX_BOUNDS];
    char why[200];
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (traffic_bounds_parse(texts[i], b, TRAFFIC_MAX_BOUNDS, why, sizeof why) >= 0)
            fail_msg("taken: %s", texts[i]);
        assert_non_null(strstr(why, "QUANTITY <= NUMBER"));
    }
    assert_int_equal(traffic_bounds_parse("launches<=1;threads<=1", b, 1, why, sizeof why), -1);
    assert_non_null(strstr(why, "at most 1"));
}

static void quantities(void **state)
{
    struct traffic t = {.n = 2};
    struct traffic_bound b[3];
    char why[200];
    (void)state;
    for (int k = 0; k < 2; k++) {
        t.kernel[k].counter[TRAFFIC_THREADS] = 32;
        t.kernel[k].counter[TRAFFIC_GLOBAL_LOAD_REQUESTS] = 10 + 20 * k;
        t.kernel[k].counter[TRAFFIC_GLOBAL_LOAD_SECTORS] = 40 + 110 * k;
    }
    assert_int_equal(traffic_bounds_parse("global_load_sectors_per_output <= 1.9;"
                                          "global_load_sectors_per_request <= 4.75;"
                                          "shared_load_conflicts_per_request <= 0",
                                          b, 3, why, sizeof why),
                     3);
    assert_true(fabs(traffic_quantity(&t, &b[0], 100) - 1.9) < 1e-12);
    assert_true(fabs(traffic_quantity(&t, &b[1], 100) - 4.75) < 1e-12);
    assert_true(traffic_quantity(&t, &b[2], 100) == 0); /* no request: no conflict */
    assert_true(traffic_idle(&t, &b[2]) && !traffic_idle(&t, &b[0]) && !traffic_idle(&t, &b[1]));
    assert_true(traffic_met(&b[0], 1.9) && traffic_met(&b[0], 1.0) && !traffic_met(&b[0], 1.901));
    b[0].at_least = true;
    assert_true(traffic_met(&b[0], 1.9) && !traffic_met(&b[0], 1.899));
}

/* Copies within the device, which have no threads, move bytes; they make no request cheaper, and do
 * nothing that kernels are to do. */
static void copies(void **state)
{
    struct traffic t = {.n = 2};
    struct traffic_bound b[4];
    const struct traffic_least least = {.loaded = 3200, .stored = 0};
    char why[200];
    (void)state;
    assert_int_equal(traffic_bounds_parse("global_load_sectors_per_output <= 1; launches <= 1;"
                                          "global_load_sectors_per_request <= 8;"
                                          "global_load_sectors >= 100",
                                          b, 4, why, sizeof why),
                     4);
    t.kernel[0].counter[TRAFFIC_LAUNCHES] = 1;
    t.kernel[0].counter[TRAFFIC_THREADS] = 320;
    t.kernel[0].counter[TRAFFIC_GLOBAL_LOAD_REQUESTS] = 5;
    t.kernel[0].counter[TRAFFIC_GLOBAL_LOAD_SECTORS] = 80;
    t.kernel[1].counter[TRAFFIC_LAUNCHES] = 2;
    t.kernel[1].counter[TRAFFIC_GLOBAL_LOAD_REQUESTS] = 1000;
    t.kernel[1].counter[TRAFFIC_GLOBAL_LOAD_SECTORS] = 4000;
    assert_true(traffic_quantity(&t, &b[0], 80) == 51);
    assert_true(traffic_quantity(&t, &b[1], 80) == 3);
    assert_true(traffic_quantity(&t, &b[2], 80) == 16);
    assert_true(traffic_quantity(&t, &b[3], 80) == 80);
    assert_false(traffic_whole(&t, &least, why, sizeof why));
    t.kernel[1].counter[TRAFFIC_THREADS] = 32;
    assert_true(traffic_whole(&t, &least, why, sizeof why));
}

/* Cheap requests beside scattered ones make the mean smaller, and not the quantity. */
static void no_dilution(void **state)
{
    struct traffic t = {.n = 2};
    struct traffic_bound b;
    char why[200];
    (void)state;
    assert_int_equal(
        traffic_bounds_parse("global_load_sectors_per_request <= 5", &b, 1, why, sizeof why), 1);
    t.kernel[0].counter[TRAFFIC_GLOBAL_LOAD_REQUESTS] = 10;
    t.kernel[0].counter[TRAFFIC_GLOBAL_LOAD_SECTORS] = 320;
    t.kernel[0].scattered[TRAFFIC_GLOBAL_LOAD_SECTORS].requests = 10;
    t.kernel[0].scattered[TRAFFIC_GLOBAL_LOAD_SECTORS].units = 320;
    t.kernel[0].counter[TRAFFIC_THREADS] = t.kernel[1].counter[TRAFFIC_THREADS] = 32;
    t.kernel[1].counter[TRAFFIC_GLOBAL_LOAD_REQUESTS] = 1000;
    t.kernel[1].counter[TRAFFIC_GLOBAL_LOAD_SECTORS] = 1000;
    assert_true(traffic_quantity(&t, &b, 320) == 32);
    assert_true(traffic_quantity(&t, &b, 10000) < 2); /* a few, of many outputs */
}

#define FAULT(kind, line, words)                                                                   \
    "{\"kind\":\"" kind "\",\"kernel\":\"k\",\"file\":\"./labs/x.cu\",\"line\":" line              \
    ",\"text\":\"" words "\",\"advice\":\"do\"}\n"

static void lines_of_the_checker(void **state)
{
    struct checker_reports r;
    char list[1000] = "";
    FILE *f = fmemopen(list, sizeof list, "w");
    (void)state;
    static const char output[] =
        "score 100\n"
        "@key" FAULT("uninit-shared", "4", "nobody") "@kez" FAULT(
            "oob-global", "5",
            "forged") "@key not json\n@key[1]\n"
                      "@key" FAULT("race-shared", "6",
                                   "both") "@key{\"kind\":\"traffic\",\"kernel\":\"k\","
                                           "\"launches\":3,\"global_load_sectors\":7}\n"
                                           "@key{\"kind\":\"traffic\",\"kernel\":\"l\"}";
    checker_reports_read(output, "key", f, NULL, &r);
    fclose(f);
    assert_int_equal(r.faults, 4); /* two lines cannot be read, which is a fault each */
    assert_string_equal(r.first.kind, "race-shared"); /* what is unwritten comes from it */
    assert_string_equal(r.first.place, "labs/x.cu:6");
    assert_string_equal(r.first.text, "both");
    assert_int_equal(r.traffic.n, 2);
    assert_true(r.traffic.kernel[0].counter[TRAFFIC_LAUNCHES] == 3);
    assert_true(r.traffic.kernel[0].counter[TRAFFIC_GLOBAL_LOAD_SECTORS] == 7);
    assert_non_null(strstr(list, "uninit-shared in k, labs/x.cu:4\n  nobody\n  do\n"));
    assert_null(strstr(list, "forged"));
}

static void keys_differ(void **state)
{
    char env[2][48], key[2][24];
    (void)state;
    for (int i = 0; i < 2; i++) {
        checker_key(env[i], key[i]);
        assert_string_equal(strchr(env[i], '=') + 1, key[i]);
    }
    assert_string_not_equal(key[0], key[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_read), cmocka_unit_test(bounds_that_are_none),
        cmocka_unit_test(quantities),      cmocka_unit_test(lines_of_the_checker),
        cmocka_unit_test(keys_differ),     cmocka_unit_test(no_dilution),
        cmocka_unit_test(copies),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("traffic", tests, NULL, NULL);
}
