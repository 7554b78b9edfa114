/* device/report/words.c and what is said of memory that nobody wrote. */
#include "tests/unit/check_worker.h"

static void begin(const char *kernel)
{
    test_begin(kernel, 1, 64);
    test_block(0);
    test_thread(3);
}

/* Each kind of access by its verb, whatever number the kind has. */
static void an_access_is_told_by_what_it_does(void **state)
{
    (void)state;
    static const struct {
        enum access_kind kind;
        const char *kernel, *words;
    } cases[] = {
        {ACCESS_READ, "read", " reads 4 bytes at "},
        {ACCESS_WRITE, "write", " writes 4 bytes at "},
        {ACCESS_ATOMIC, "atomic", " updates 4 bytes at "},
        {ACCESS_BLIND, "blind", " updates 4 bytes at "},
        {ACCESS_ATOMIC_READ, "atomic_read", " reads 4 bytes at "},
        {ACCESS_VOLATILE_READ, "volatile_read", " reads 4 bytes at "},
        {ACCESS_VOLATILE_WRITE, "volatile_write", " writes 4 bytes at "},
    };
    char *x = test_allocation(64, true);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin(cases[i].kernel);
        check_access(x + 64, 4, cases[i].kind, (const char *)(const void *)cases + i);
        test_end_with("oob-global", cases[i].words);
    }
}

static void nobody_wrote_what_is_read(void **state)
{
    (void)state;
    char *x = test_allocation(64, false);
    begin("volatile_word");
    __tsan_volatile_read4(x + 4);
    test_end_with("uninit-global", "reads 4 bytes");
    begin("written_later"); /* by another thread, which the finding can't know */
    float *tile = test_shared("tile", 64, 1024);
    __tsan_read4(tile + 6);
    test_end_with("uninit-shared", "where one does, a __syncthreads() is missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_access_is_told_by_what_it_does),
        cmocka_unit_test(nobody_wrote_what_is_read),
    };
    return cmocka_run_group_tests(tests, test_setup, NULL);
}
