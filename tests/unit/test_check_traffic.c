/* device/check: requests, sectors, bank conflicts. */
#include "tests/unit/check_worker.h"

static NOINLINE void load_wide(const void *p)
{
    __tsan_read16(p);
    __asm__ volatile("");
}
/* Counted by hand from lists of addresses. */
static void sectors(void **state)
{
    (void)state;
    uintptr_t p[32];
    for (unsigned i = 0; i < 32; i++)
        p[i] = 4096 + 4 * i;
    assert_int_equal(check_count_sectors(p, 32, 4), 4);
    assert_int_equal(check_count_sectors(p, 9, 4), 2);
    for (unsigned i = 0; i < 32; i++)
        p[i] += 4;
    assert_int_equal(check_count_sectors(p, 32, 4), 5);
    for (unsigned i = 0; i < 32; i++)
        p[i] = 4096 + 32 * (i * 7 % 32);
    assert_int_equal(check_count_sectors(p, 32, 4), 32);
    for (unsigned i = 0; i < 32; i++)
        p[i] = 4096 + 16 * i;
    assert_int_equal(check_count_sectors(p, 32, 16), 16);
    for (unsigned i = 0; i < 32; i++)
        p[i] = 4096;
    assert_int_equal(check_count_sectors(p, 32, 8), 1);
    assert_int_equal(check_count_extra_words(p, 32, 4), 0);
    p[3] = 4104;
    p[9] = 4108;
    assert_int_equal(check_count_extra_words(p, 32, 4), 2);
}

static unsigned conflicts(unsigned stride, unsigned bytes, unsigned n)
{
    uintptr_t p[32];
    uint8_t lanes[32];
    for (unsigned i = 0; i < n; i++) {
        p[i] = (uintptr_t)stride * i;
        lanes[i] = (uint8_t)i;
    }
    return check_count_conflicts(p, lanes, n, bytes);
}

static void banks(void **state)
{
    (void)state;
    assert_int_equal(conflicts(4, 4, 32), 0);
    assert_int_equal(conflicts(0, 4, 32), 0); /* one word for all */
    assert_int_equal(conflicts(1, 1, 32), 0);
    assert_int_equal(conflicts(8, 4, 32), 1);
    assert_int_equal(conflicts(12, 4, 32), 0);
    assert_int_equal(conflicts(128, 4, 32), 31);
    assert_int_equal(conflicts(128, 4, 5), 4);
    assert_int_equal(conflicts(132, 4, 32), 0);
    assert_int_equal(conflicts(8, 8, 32), 0); /* halves of a warp */
    assert_int_equal(conflicts(16, 8, 32), 2);
    assert_int_equal(conflicts(16, 16, 32), 0); /* quarters */
    assert_int_equal(conflicts(32, 16, 32), 4);
}

static void coalesced_and_shifted(void **state)
{
    (void)state;
    char *x = test_allocation(4096, true), *y = test_allocation(4096, false);
    test_begin("shifted", 1, 64);
    test_block(0);
    for (unsigned t = 0; t < 64; t++) {
        test_thread(t);
        for (unsigned j = 0; j < 3; j++)
            load(x + 4 * (t + j));
        store(y + 4 * t);
    }
    test_end_clean();
    expect("shifted", GLOBAL_LOAD, 6, 2 * (4 + 5 + 5));
    expect("shifted", GLOBAL_STORE, 2, 8);
    assert_int_equal(check_traffic_of("shifted")->launches, 1);
    assert_int_equal(check_traffic_of("shifted")->threads, 64);
}

static void vectors_and_strides(void **state)
{
    (void)state;
    char *x = test_allocation(1 << 16, true);
    test_begin("wide", 1, 32);
    test_block(0);
    for (unsigned t = 0; t < 32; t++) {
        test_thread(t);
        load_wide(x + 16 * t);
        load(x + 1024 * (31 - t));
    }
    test_end_clean();
    expect("wide", GLOBAL_LOAD, 2, 16 + 32);
    const struct traffic *t = check_traffic_of("wide");
    assert_true(t->scattered[GLOBAL_LOAD] == 1 && t->scattered_units[GLOBAL_LOAD] == 32);
}

/* Lanes 5 to 9 take another way, and one lane goes round once more; addresses without a pattern. */
static void divergent_lanes(void **state)
{
    (void)state;
    char *x = test_allocation(1 << 16, true);
    test_begin("divergent", 1, 32);
    test_block(0);
    for (unsigned t = 0; t < 32; t++) {
        test_thread(t);
        load(x + 4 * t);
        if (t >= 5 && t < 10)
            load_other(x + 4 * t);
        for (unsigned k = 0; k < 2 + (t == 20); k++)
            load_wide(x + 512 * (t * t % 61) + 16 * k);
        load(x + 4 * t);
    }
    test_end_clean();
    unsigned rows = 0; /* distinct t * t % 61 */
    for (unsigned t = 0, seen[61] = {0}; t < 32; t++)
        rows += seen[t * t % 61]++ == 0;
    expect("divergent", GLOBAL_LOAD, 2 + 1 + 3, 4 + 4 + 2 + 2 * rows + 1);
}

static void any_order_of_lanes(void **state)
{
    (void)state;
    char *x = test_allocation(4096, true);
    test_begin("backwards", 1, 32);
    test_block(0);
    for (unsigned t = 32; t-- > 0;) {
        test_thread(t);
        load(x + 4 * t);
        load_other(x);
    }
    test_end_clean();
    expect("backwards", GLOBAL_LOAD, 2, 4 + 1);
}

static void barriers_part_requests(void **state)
{
    (void)state;
    test_begin("rounds", 1, 64);
    test_block(0);
    float *tile = test_shared("tile", 64 * 32, 1024);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned t = 0; t < 64; t++) {
            test_thread(t);
            if (round == 0)
                store(tile + 32 * (t % 32) + t / 32); /* one bank */
            else if (t < 32)
                load(tile + 32 * t); /* one bank, and half the block stays out */
        }
        test_barrier(4);
    }
    test_end_clean();
    expect("rounds", SHARED_STORE, 2, 62);
    expect("rounds", SHARED_LOAD, 2, 62);
}

static void constants_and_atomics(void **state)
{
    (void)state;
    static float mask[64 + 1024];
    const struct dev_region m = {.kind = DEV_CONSTANT,
                                 .name = "mask",
                                 .base = (char *)mask,
                                 .bytes = 256,
                                 .element = 4,
                                 .extent = {64}};
    check_region_added(&m);
    char *x = test_allocation(4096, true);
    test_begin("constants", 1, 64);
    test_block(0);
    for (unsigned t = 0; t < 64; t++) {
        test_thread(t);
        load(mask + 3);
        load_other(mask + t % 4);
        check_atomic(x, 4, (const void *)expect);
    }
    test_end_clean();
    check_region_removed(&m);
    expect("constants", CONSTANT_LOAD, 4, 2 * 3);
    assert_int_equal(check_traffic_of("constants")->requests[ATOMIC], 2);
}

/* More accesses than a warp's list holds: the rest is estimated. */
static void long_loops(void **state)
{
    (void)state;
    char *x = test_allocation(1 << 20, true);
    enum { ROUNDS = MAX_GROUPS + 1000 };
    test_begin("long", 1, 32);
    test_block(0);
    for (unsigned t = 0; t < 32; t++) {
        test_thread(t);
        for (unsigned j = 0; j < ROUNDS; j++)
            load(x + 4 * (t + j % 4096 / 8 * 8));
    }
    test_end_clean();
    const struct traffic *t = check_traffic_of("long");
    assert_in_range(t->requests[GLOBAL_LOAD], ROUNDS - 2, ROUNDS);
    assert_in_range(t->units[GLOBAL_LOAD], 4 * ROUNDS - 8, 4 * ROUNDS);
}

static void none_where_it_is_off(void **state)
{
    (void)state;
    char *x = test_allocation(4096, true);
    check_count_traffic(0);
    test_begin("off", 1, 32);
    test_block(0);
    test_thread(0);
    load(x);
    test_end_clean();
    expect("off", GLOBAL_LOAD, 0, 0);
    check_count_traffic(1);
}

/* By line: the requests add up to the kernel's, and of each line the dearest is told lane by lane.
 */
static void by_line(void **state)
{
    (void)state;
    char *x = test_allocation(1 << 16, true), json[400];
    test_begin("lines", 2, 64);
    for (unsigned b = 0; b < 2; b++) {
        test_block(b);
        float *tile = test_shared("tile", 64 * 32, 1024);
        for (unsigned t = 0; t < 64; t++) {
            test_thread(t);
            for (unsigned k = 0; k < 2; k++)
                load(x + 4096 * b + (k && t >= 32 && b ? 64 : 4) * t);
            if (t % 2 == 0)
                store(tile + 32 * (t % 32) + t / 32);
        }
        check_block_end(&test_worker);
    }
    check_launch_end(&test_launch);
    dev_self = NULL;
    char *text = test_stderr(check_traffic_print);
    const struct traffic *all = check_traffic_of("lines");
    const char *line = strstr(text, "{\"kind\":\"traffic-line\",\"kernel\":\"lines\"");
    assert_non_null(line);
    assert_int_equal(all->requests[GLOBAL_LOAD], 8);
    const char *at = strstr(line, "\"access\":\"global load\"");
    assert_non_null(at);
    snprintf(json, sizeof json,
             "\"line\":%d,\"access\":\"global load\",\"requests\":8,"
             "\"units\":%llu,\"lanes\":256,\"variable\":\"allocation of main.cu:7\",\"most\":32,"
             "\"bytes\":4,\"block\":[1,0,0],\"warp\":1,\"touched\":[[0,0],[1,64],",
             load_line, (unsigned long long)all->units[GLOBAL_LOAD]);
    if (!strstr(line, json))
        fail_msg("expected %s in\n%s", json, text);
    snprintf(json, sizeof json,
             "\"line\":%d,\"access\":\"shared store\",\"requests\":4,"
             "\"units\":%llu,\"lanes\":64,\"variable\":\"tile\",\"most\":15,",
             store_line, (unsigned long long)all->units[SHARED_STORE]);
    if (!strstr(line, json) || !strstr(line, "\"touched\":[[0,1024],[2,1280],"))
        fail_msg("expected %s in\n%s", json, text);
    free(text);
}

int main(void)
{
    setenv("HPC_DEVICE_LINES", "1", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors),
        cmocka_unit_test(banks),
        cmocka_unit_test(coalesced_and_shifted),
        cmocka_unit_test(vectors_and_strides),
        cmocka_unit_test(divergent_lanes),
        cmocka_unit_test(any_order_of_lanes),
        cmocka_unit_test(barriers_part_requests),
        cmocka_unit_test(constants_and_atomics),
        cmocka_unit_test(long_loops),
        cmocka_unit_test(none_where_it_is_off),
        cmocka_unit_test(by_line),
    };
    return cmocka_run_group_tests(tests, test_setup, NULL);
}
