/* What each jail has for itself, in all tiers. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "harness/machine/pin.h"
#include "tests/unit/jail_case.h"

/* How many processors a program of a jail sees, for so many threads. */
static int processors_seen(int threads)
{
    const char *const argv[] = {"/usr/bin/nproc", NULL};
    struct jail_spec spec = make_spec(argv);
    spec.limits.processors = threads;
    struct jail_end end = run(&spec);
    assert_true(end.exited && end.exit_status == 0);
    return atoi(output);
}

static void test_processors(void **state)
{
    int cpus[1024];
    const int all = pin_order(cpus, 1024);
    (void)state;
    for (int tier = 0; tier < JAIL_TIERS; tier++) {
        if (!jail_tier_works((enum jail_tier)tier))
            continue;
        setenv("HPC_JAIL", jail_tier_name((enum jail_tier)tier), 1);
        assert_int_equal(processors_seen(1), 1);
        assert_int_equal(processors_seen(2), all < 2 ? all : 2);
        assert_int_equal(processors_seen(1000), all < 1000 ? all : 1000);
        pin_away(1); /* which a jail without a number does not inherit */
        assert_int_equal(processors_seen(0), all);
        pin_away(0);
        unsetenv("HPC_JAIL");
    }
}

/* Ids of jails that live side by side, in two processes that know nothing of each other. */
static void test_own_userid(void **state)
{
    (void)state;
    const char *const argv[] = {"/usr/bin/id", "-u", NULL};
    struct jail_spec spec = make_spec(argv);
    if (!jail_tier_works(JAIL_USERID))
        skip(); /* root alone gives ids */
    setenv("HPC_JAIL", "userid", 1);
    long ids[8];
    for (int i = 0; i < 8; i++) {
        run(&spec);
        ids[i] = strtol(output, NULL, 10);
        assert_true(ids[i] > 60000);
        for (int k = 0; k < i; k++) /* by lot: one after the other is no container's own */
            assert_int_not_equal(ids[i], ids[k]);
    }
    unsetenv("HPC_JAIL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_processors),
                                       cmocka_unit_test(test_own_userid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
