/* device/check: what orders accesses beyond barriers: meetings of a warp, fences with atomics. */
#include "tests/unit/check_worker.h"

static void lanes_meet(void **state)
{
    (void)state;
    static const unsigned masks[] = {0, UINT32_MAX, 0x3, 0x6};
    for (int k = 0; k < 4; k++) {
        static const char *const names[] = {"no_meeting", "all_meet", "both_meet", "one_meets"};
        test_begin(names[k], 1, 64);
        test_block(0);
        float *tile = test_shared("tile", 64, 1024);
        test_thread(0);
        store(tile);
        test_thread(1);
        if (masks[k])
            check_warp_met(&test_worker, masks[k]);
        load(tile);
        if (masks[k] & 1)
            test_end_clean();
        else
            test_end_with("race-shared", "__syncwarp()");
    }
    test_begin("other_warp", 1, 64);
    test_block(0);
    float *tile = test_shared("tile", 64, 1024);
    test_thread(0);
    store(tile);
    check_warp_met(&test_worker, UINT32_MAX);
    test_thread(32);
    load(tile);
    test_end_with("race-shared", "put __syncthreads() between them");
}

/* A meeting frees the places of readers: those of the next round are seen. */
static void readers_of_every_round(void **state)
{
    (void)state;
    test_begin("rounds", 1, 32);
    test_block(0);
    float *tile = test_shared("tile", 64, 1024);
    test_thread(20);
    store(tile + 20);
    check_warp_met(&test_worker, UINT32_MAX);
    for (unsigned t = 0; t < 4; t++) {
        test_thread(t);
        load(tile + 20);
    }
    check_warp_met(&test_worker, UINT32_MAX);
    test_thread(20);
    store(tile + 20); /* ordered after all four */
    check_warp_met(&test_worker, UINT32_MAX);
    test_thread(9);
    load(tile + 20);
    test_thread(20);
    store(tile + 20);
    test_end_with("race-shared", "while thread (9,0,0) reads it");
}

static void last_block(bool fence, bool all_acquire)
{
    static const char *const names[] = {"no_fence", "fence"};
    char *sums = test_allocation(64, true), *count = test_allocation(4, true);
    test_begin(all_acquire ? "last_block_all" : names[fence], 4, 64);
    for (unsigned b = 0; b < 4; b++) {
        test_block(b);
        test_thread(0);
        store(sums + 4 * b);
        if (fence)
            check_fence(&test_worker);
        check_atomic(count, 4, (const void *)last_block);
    }
    if (!all_acquire)
        test_barrier(8);
    test_thread(2);
    load(sums + 4); /* of block 1 */
}

static void a_fence_and_an_atomic_order(void **state)
{
    (void)state;
    last_block(true, false);
    test_end_clean();
    last_block(false, false);
    test_end_with("race-global", "thread (0,0,0) of block (1,0,0) writes element 1");
    last_block(true, true); /* thread 2 did no atomic, and there was no barrier */
    test_end_with("race-global", "thread (0,0,0) of block (1,0,0) writes element 1");
}

static void a_write_after_the_fence_is_not_covered(void **state)
{
    (void)state;
    char *x = test_allocation(64, true), *count = test_allocation(4, true);
    test_begin("late_write", 2, 32);
    test_block(0);
    test_thread(0);
    check_fence(&test_worker);
    store(x);
    check_atomic(count, 4, (const void *)last_block);
    test_block(1);
    test_thread(0);
    check_atomic(count, 4, (const void *)last_block);
    load(x);
    test_end_with("race-global", "block (0,0,0) writes element 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_meet),
        cmocka_unit_test(readers_of_every_round),
        cmocka_unit_test(a_fence_and_an_atomic_order),
        cmocka_unit_test(a_write_after_the_fence_is_not_covered),
    };
    return cmocka_run_group_tests(tests, test_setup, NULL);
}
