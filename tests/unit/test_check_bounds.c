/* device/check: accesses out of bounds, memory that nobody wrote, pointers of the wrong side. */
#include "tests/unit/check_worker.h"

static char host_memory[64];

static void begin(const char *kernel)
{
    test_begin(kernel, 2, 64);
    test_block(0);
    test_thread(3);
}

static void past_and_before_an_allocation(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *kind, *part;
        int offset, bytes;
    } cases[] = {
        {"last", NULL, NULL, 60, 4},
        {"end", "oob-global", "just past the end of the allocation of main.cu:7 (64 bytes)", 64, 4},
        {"far", "oob-global", "\"offset\":136,", 200, 4},
        {"before", "oob-global", "\"offset\":-4,", -4, 4},
        {"pieces", "oob-global", "\"count\":2}", 56, 16},
        {"nowhere", "oob-global", "allocation of main.cu:7", 1 << 20, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *x = test_allocation(64, true);
        begin(cases[i].kernel);
        if (cases[i].bytes == 16)
            __tsan_unaligned_read16(x + cases[i].offset);
        else if (cases[i].bytes == 4)
            __tsan_read4(x + cases[i].offset);
        else
            __tsan_read1(x + cases[i].offset);
        if (cases[i].kind)
            test_end_with(cases[i].kind, cases[i].part);
        else
            test_end_clean();
    }
}

static void an_odd_length_is_kept_to_the_byte(void **state)
{
    (void)state;
    char *x = test_allocation(7, true);
    begin("odd");
    for (int i = 0; i < 7; i++)
        __tsan_read1(x + i);
    __tsan_read4(x);
    test_end_clean();
    begin("odd_byte");
    __tsan_read1(x + 7);
    test_end_with("oob-global", "just past the end");
    begin("odd_word");
    __tsan_write4(x + 4);
    test_end_with("oob-global", "across the end");
}

static void shared_variables_have_names(void **state)
{
    (void)state;
    begin("shared_index");
    float *left = test_shared("left", 10, 1024);
    float *right = test_shared("right", 10, 1024 + 40 + DEV_RED_ZONE);
    __tsan_write4(left + 9);
    __tsan_write4(right);
    __tsan_write4(left + 11);
    test_end_with("oob-shared",
                  "4 bytes past the end of left (40 bytes): that is left[11], and the "
                  "last is left[9]");
    begin("shared_before");
    right = test_shared("right", 10, 1024 + 40 + DEV_RED_ZONE);
    test_shared("left", 10, 1024);
    __tsan_write4(right - 1);
    test_end_with("oob-shared", "4 bytes before the start of right");
    begin("shared_no_more"); /* the last launch's variables are gone */
    test_shared("other", 10, 8192);
    __tsan_write4(left);
    test_end_with("oob-shared", "\"variable\":\"other\"");
}

static void rows_have_two_indices(void **state)
{
    (void)state;
    char text[80];
    struct dev_region r = {
        .kind = DEV_SHARED, .name = "tile", .bytes = 17 * 33 * 4, .element = 4, .extent = {17, 33}};
    check_region_name_part(text, sizeof text, &r, (5 * 33 + 3) * 4, 4);
    assert_string_equal(text, "tile[5][3]");
    check_region_name_part(text, sizeof text, &r, 2, 1);
    assert_string_equal(text, "byte 2 of tile");
    r = (struct dev_region){.name = "total", .bytes = 4, .element = 4};
    check_region_name_part(text, sizeof text, &r, 0, 4);
    assert_string_equal(text, "total");
}

static void symbols(void **state)
{
    (void)state;
    static float table[4 + 64], mask[4 + 64];
    const struct dev_region t = {.kind = DEV_SYMBOL,
                                 .name = "table",
                                 .base = (char *)table,
                                 .bytes = 16,
                                 .element = 4,
                                 .extent = {4}};
    const struct dev_region m = {.kind = DEV_CONSTANT,
                                 .name = "mask",
                                 .base = (char *)mask,
                                 .bytes = 16,
                                 .element = 4,
                                 .extent = {4}};
    check_region_added(&t);
    check_region_added(&m);
    begin("symbols");
    __tsan_write4(table);
    __tsan_read4(table + 3); /* C's zeroes are written */
    __tsan_read4(mask + 3);
    test_end_clean();
    begin("symbol_end");
    __tsan_read4(table + 4);
    test_end_with("oob-symbol", "that is table[4], and the last is table[3]");
    begin("constant_end");
    __tsan_read4(mask + 4);
    test_end_with("oob-constant", "just past the end of mask");
    begin("constant_write");
    __tsan_write4(mask);
    test_end_with("oob-constant", "only the host may write");
    begin("host_symbol");
    dev_self = NULL;
    __tsan_read4(table);
    test_end_with("device-pointer", "\"variable\":\"table\"");
    check_region_removed(&t);
    check_region_removed(&m);
}

static void freed_memory(void **state)
{
    (void)state;
    struct dev_region r = {.kind = DEV_GLOBAL, .file = "main.cu", .line = 31, .bytes = 64};
    r.base = test_allocation(64, true);
    check_region_added(&r); /* in its place */
    check_written(r.base, r.bytes);
    check_region_removed(&r);
    begin("freed");
    __tsan_read4(r.base + 8);
    test_end_with("oob-global", "in the allocation of main.cu:31, which was freed");
    check_region_added(&r); /* reused, not written */
    begin("reused");
    __tsan_read4(r.base + 8);
    test_end_with("uninit-global", "element 2 of the allocation of main.cu:31");
}

static void what_nobody_wrote(void **state)
{
    (void)state;
    char *x = test_allocation(64, false), *y = test_allocation(64, false);
    check_written(x + 2, 5);
    begin("written_bytes");
    for (int i = 2; i < 7; i++)
        __tsan_read1(x + i);
    __tsan_write8(x + 8);
    __tsan_read8(x + 8);
    test_end_clean();
    begin("first_byte");
    __tsan_read1(x + 1);
    test_end_with("uninit-global", "element 1 of");
    begin("word");
    __tsan_read4(x + 4);
    test_end_with("uninit-global", "was never written");
    check_copied(y + 1, x + 2, 6); /* what was undefined stays so */
    begin("copied");
    for (int i = 1; i < 6; i++)
        __tsan_read1(y + i);
    test_end_clean();
    begin("copied_undefined");
    __tsan_read1(y + 6);
    test_end_with("uninit-global", "element 6 of");
}

static void shared_memory_is_new_in_each_block(void **state)
{
    (void)state;
    begin("new_block");
    float *tile = test_shared("tile", 64, 1024);
    __tsan_write4(tile + 5);
    __tsan_read4(tile + 5);
    test_block(1);
    test_thread(3);
    __tsan_read4(tile + 5);
    test_end_with("uninit-shared", "\"block\":[1,0,0]");
}

static void pointers_of_the_wrong_side(void **state)
{
    (void)state;
    char *x = test_allocation(64, true);
    struct dev_region pinned = {
        .kind = DEV_MANAGED, .base = test_allocation(64, false), .bytes = 64};
    check_region_added(&pinned);
    begin("managed");
    __tsan_read4(pinned.base);
    test_end_with("uninit-global", "\"note\":true");
    pinned.base[60] = 1;
    char own[32]; /* of a frame that is open, as test_stack is not */
    begin("own_stack");
    test_fiber.top = own + sizeof own;
    __tsan_write4(own + 8);
    __tsan_write_range(own + 8, 20);
    __tsan_read4(pinned.base); /* as somebody writes unseen */
    test_end_clean();
    begin("left_on_stack");
    __tsan_write4(test_stack + 64);
    test_end_with("host-pointer", "another thread's stack");
    test_fiber.top = test_stack + TEST_STACK;
    begin("host");
    __tsan_read4(host_memory);
    test_end_with("host-pointer", "give the kernel a pointer from cudaMalloc");
    begin("null");
    __tsan_write4((void *)8);
    test_end_with("host-pointer", "null pointer");
    begin("host_code");
    dev_self = NULL;
    __tsan_read4(host_memory);
    check_device_waited();
    __tsan_write4(pinned.base);
    test_end_clean();
    begin("host_code");
    dev_self = NULL;
    __tsan_write4(x);
    test_end_with("device-pointer", "in host code: the host writes 4 bytes at "
                                    "tests/unit/test_check_bounds.c:");
}

/* 2^32 elements behind a device's pointer lies what an unsigned index below 0 reaches, where nobody
 * has the page; where the host has, its pointer is likelier. */
static void unsigned_below_zero(void **state)
{
    (void)state;
    char *beside = test_allocation(64, true) + 72, *there = beside + ((uintptr_t)4 << 32);
    char *page = (char *)((uintptr_t)there & ~(uintptr_t)4095);
    assert_ptr_equal(
        mmap(page, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0),
        page);
    begin("of_the_host");
    __tsan_read4(there);
    test_end_with("host-pointer", "which is memory of the host");
    assert_int_equal(munmap(page, 4096), 0);
    begin("below_zero");
    __tsan_read4(there);
    test_end_with("oob-global", "an unsigned index below 0");
}

static void misaligned(void **state)
{
    (void)state;
    char *x = test_allocation(64, true);
    begin("misaligned");
    __tsan_read8(x + 8);
    __tsan_unaligned_read16(x + 4);
    test_end_clean();
    begin("misaligned");
    __tsan_read16(x + 8);
    test_end_with("misaligned", "8 bytes into the allocation");
}

static void finish(void)
{
    check_finish();
}

static void leaks_and_the_count(void **state)
{
    (void)state;
    char *text = test_stderr(finish);
    assert_non_null(strstr(text, "@KEY {\"kind\":\"leak\",\"file\":\"main.cu\",\"line\":31,"));
    assert_non_null(strstr(text, "@KEY {\"kind\":\"traffic\",\"kernel\":\"written_bytes\","));
    free(text);
    assert_int_equal(check_finish(), 27); /* leaks of lines 7 and 31, and of `pinned`, are notes */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(past_and_before_an_allocation),
        cmocka_unit_test(an_odd_length_is_kept_to_the_byte),
        cmocka_unit_test(shared_variables_have_names),
        cmocka_unit_test(rows_have_two_indices),
        cmocka_unit_test(symbols),
        cmocka_unit_test(freed_memory),
        cmocka_unit_test(what_nobody_wrote),
        cmocka_unit_test(shared_memory_is_new_in_each_block),
        cmocka_unit_test(pointers_of_the_wrong_side),
        cmocka_unit_test(unsigned_below_zero),
        cmocka_unit_test(misaligned),
        cmocka_unit_test(leaks_and_the_count),
    };
    return cmocka_run_group_tests(tests, test_setup, NULL);
}
