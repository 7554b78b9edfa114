/* device/check: races, and what orders accesses so that there is none. */
#include "tests/unit/check_worker.h"

static void shared_needs_a_barrier(void **state)
{
    (void)state;
    for (int barrier = 0; barrier <= 1; barrier++) {
        test_begin(barrier ? "with_barrier" : "without_barrier", 1, 64);
        test_block(0);
        float *tile = test_shared("tile", 64, 1024);
        for (unsigned t = 0; t < 64; t++) {
            test_thread(t);
            store(tile + t);
            if (!barrier)
                load(tile + (t + 63) % 64);
        }
        if (barrier) {
            test_barrier(5);
            for (unsigned t = 0; t < 64; t++) {
                test_thread(t);
                load(tile + (t + 63) % 64);
            }
            test_end_clean();
        } else {
            char *text = test_end();
            assert_non_null(
                strstr(text, "\"kind\":\"race-shared\",\"kernel\":\"without_barrier\""));
            assert_non_null(strstr(text, "\"variable\":\"tile\""));
            free(text);
        }
    }
}

/* The order in which threads run does not decide what is found. */
static void either_side_may_come_first(void **state)
{
    (void)state;
    test_begin("reader_first", 1, 64);
    test_block(0);
    float *tile = test_shared("tile", 64, 1024);
    test_thread(0);
    store(tile + 40);
    test_barrier(5);
    test_thread(1);
    load(tile + 40);
    test_thread(40);
    store(tile + 40);
    char expected[200];
    snprintf(expected, sizeof expected,
             "thread (40,0,0) of block (0,0,0) writes tile[40] at tests/unit/check_worker.h:%d "
             "while thread (1,0,0) reads it at tests/unit/check_worker.h:%d",
             store_line, load_line);
    test_end_with("race-shared", expected);
}

static void a_second_reader_is_remembered(void **state)
{
    (void)state;
    char *x = test_allocation(64, true);
    test_begin("two_readers", 1, 64);
    test_block(0);
    test_thread(40);
    load(x);
    test_thread(41);
    load(x);
    test_thread(40);
    store(x); /* not alone any more */
    test_end_with("race-global", "thread (40,0,0) of block (0,0,0) writes element 0 of the "
                                 "allocation of main.cu:7");
}

static void blocks_are_not_ordered(void **state)
{
    (void)state;
    char *x = test_allocation(64, true);
    test_begin("blocks", 3, 32);
    test_block(0);
    test_thread(0);
    store(x);
    load(x + 4);
    test_block(1);
    test_thread(0);
    load(x + 8);
    test_block(2);
    test_thread(0); /* the same thread number is no excuse */
    test_barrier(3);
    test_thread(0);
    load(x);
    test_end_with("race-global", "thread (0,0,0) of block (0,0,0) writes element 0");

    test_begin("blocks", 2, 32); /* another launch: ordered */
    test_block(0);
    test_thread(5);
    store(x + 4);
    test_end_clean();
}

static void other_blocks_readers_survive(void **state)
{
    (void)state;
    char *x = test_allocation(64, true);
    test_begin("readers", 3, 64);
    test_block(0);
    test_thread(7);
    load(x);
    test_block(1);
    for (unsigned t = 0; t < 64; t++) {
        test_thread(t);
        load(x);
    }
    test_barrier(3);
    test_thread(5); /* its own block has passed a barrier, block 0 has not */
    store(x);
    test_end_with("race-global", "thread (5,0,0) of block (1,0,0) writes element 0");
}

static void atomics_do_not_race(void **state)
{
    (void)state;
    char *x = test_allocation(64, true);
    test_begin("atomics", 2, 32);
    for (unsigned b = 0; b < 2; b++) {
        test_block(b);
        for (unsigned t = 0; t < 32; t++) {
            test_thread(t);
            check_atomic(x, 4, (const void *)atomics_do_not_race);
        }
    }
    test_end_clean();
    for (int own_last = 0; own_last <= 1; own_last++) {
        test_begin(own_last ? "own_last" : "other_last", 1, 64);
        test_block(0);
        test_thread(own_last ? 50 : 3);
        check_atomic(x, 4, (const void *)atomics_do_not_race);
        test_thread(own_last ? 3 : 50);
        check_atomic(x, 4, (const void *)atomics_do_not_race);
        load(x); /* thread 3's or 50's; the other's update may come later */
        test_end_with("race-global", "atomically updates");
    }
}

/* A compare-and-swap loop begins with a plain read. */
static void reads_before_an_atomic_are_excused(void **state)
{
    (void)state;
    char *x = test_allocation(64, true);
    for (size_t blind = 0; blind <= DEV_BLIND; blind += DEV_BLIND) {
        test_begin(blind ? "add_after_read" : "swap_loop", 1, 64);
        test_block(0);
        for (unsigned t = 0; t < 64; t++) {
            test_thread(t);
            load(x);
            check_atomic(x, 4 | blind, (const void *)atomics_do_not_race);
        }
        blind ? test_end_with("race-global", "before an atomic operation of its own")
              : test_end_clean();
    }
    test_begin("swap_elsewhere", 1, 64);
    test_block(0);
    for (unsigned t = 0; t < 2; t++) {
        test_thread(40 * t);
        load(x);
        check_atomic(x + 4 * (1 - t), 4, (const void *)atomics_do_not_race);
    }
    test_end_with("race-global", "thread (40,0,0) of block (0,0,0) atomically updates element 0");
    test_begin("written_then", 1, 64);
    test_block(0);
    test_thread(0);
    store(x);
    test_thread(40);
    load(x); /* of a plain write: no excuse */
    check_atomic(x + 4, 4, (const void *)atomics_do_not_race);
    test_end_with("race-global", "thread (0,0,0) of block (0,0,0) writes element 0");
}

static void bytes_are_told_apart(void **state)
{
    (void)state;
    char *x = test_allocation(64, true);
    test_begin("bytes", 1, 64);
    test_block(0);
    for (unsigned t = 0; t < 64; t++) {
        test_thread(t);
        __tsan_write1(x + t);
    }
    test_end_clean();
    test_begin("byte_again", 1, 64);
    test_block(0);
    for (unsigned t = 0; t < 4; t++) {
        test_thread(t);
        __tsan_write1(x + t);
    }
    test_thread(40);
    __tsan_write1(x + 1); /* not the last that was written */
    x[1]++;
    test_end_with("race-global", "element 1 of");
    test_begin("same_byte", 1, 64);
    test_block(0);
    for (unsigned t = 0; t < 2; t++) {
        test_thread(t);
        __tsan_write1(x);
    }
    test_end_with("race-same", "\"note\":true");
    test_begin("half", 1, 64);
    test_block(0);
    test_thread(0);
    __tsan_write2(x);
    test_thread(1);
    __tsan_write2(x + 6);
    test_thread(50);
    __tsan_read4(x);
    test_end_with("race-global", "\"thread\":[0,0,0]");
}

/* Reads that come to nothing are soon not looked at: until somebody writes. */
static void quiet_reads_end_with_a_write(void **state)
{
    (void)state;
    char *x = test_allocation(64, true);
    test_begin("quiet", 1, 32);
    test_block(0);
    for (unsigned t = 0; t < 32; t++) {
        test_thread(t);
        load(x);
        if (t == 8)
            __tsan_write1(x + 1);
    }
    test_end_with("race-global", "\"count\":24}");
}

/* One of another block and the last one of its own: neither makes room for the other. */
static void readers_of_two_blocks_are_remembered(void **state)
{
    (void)state;
    for (unsigned writer = 7; writer <= 8; writer++) {
        char *x = test_allocation(64, true);
        test_begin(writer == 7 ? "own" : "others", 3, 64);
        for (unsigned b = 0; b < 3; b++) {
            test_block(b);
            test_thread(7);
            load(x);
        }
        test_thread(writer);
        store(x);
        test_end_with("race-global", writer == 7
                                         ? "\"other\":{\"block\":[1,0,0],\"thread\":[7,0,0]"
                                         : "\"other\":{\"block\":[2,0,0],\"thread\":[7,0,0]");
    }
}

/* Bytes of a granule that different blocks read are told apart. */
static void bytes_of_two_blocks_are_told_apart(void **state)
{
    (void)state;
    char *x = test_allocation(64, true);
    test_begin("bytes", 3, 64);
    for (unsigned b = 0; b < 3; b++) {
        test_block(b);
        test_thread(b);
        __tsan_read2(b == 0 ? x : x + 2);
    }
    test_thread(2);
    __tsan_write2(x);
    test_end_with("race-global", "\"other\":{\"block\":[0,0,0],\"thread\":[0,0,0]");
}

static void a_pair_of_places_is_told_once(void **state)
{
    (void)state;
    test_begin("counted", 2, 64);
    for (unsigned b = 0; b < 2; b++) {
        test_block(b);
        float *tile = test_shared("tile", 64, 1024);
        for (unsigned t = 0; t < 64; t++) {
            test_thread(t);
            store(tile + t / 2);
        }
    }
    test_end_with("race-shared", "\"count\":64}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_needs_a_barrier),
        cmocka_unit_test(either_side_may_come_first),
        cmocka_unit_test(a_second_reader_is_remembered),
        cmocka_unit_test(blocks_are_not_ordered),
        cmocka_unit_test(other_blocks_readers_survive),
        cmocka_unit_test(atomics_do_not_race),
        cmocka_unit_test(reads_before_an_atomic_are_excused),
        cmocka_unit_test(bytes_are_told_apart),
        cmocka_unit_test(quiet_reads_end_with_a_write),
        cmocka_unit_test(readers_of_two_blocks_are_remembered),
        cmocka_unit_test(bytes_of_two_blocks_are_told_apart),
        cmocka_unit_test(a_pair_of_places_is_told_once),
    };
    return cmocka_run_group_tests(tests, test_setup, NULL);
}
