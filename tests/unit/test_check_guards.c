/* device/shadow/guards.c and device/report/blocks.c: guards around blocks of the host's heap, and
 * what is said of accesses there. The tests stand for the allocators of device/api/host_heap.c. */
#include "tests/unit/check_worker.h"

#include <malloc.h>
#include <pthread.h>

#include "device/shadow/guards.h"

static const int caller = 0; /* stands for a return address */

static char *begin(size_t bytes)
{
    char *p = check_guard_begin(malloc(check_guard_with(bytes)), bytes, &caller);
    assert_non_null(p);
    return p;
}

static bool end(char *p, struct dev_broken *broken)
{
    const bool is = check_guard_end(p, broken);
    free(p);
    return is;
}

static bool guarded(const char *p)
{
    return check_guard_first((uintptr_t)p, (uintptr_t)p + 1) == (uintptr_t)p;
}

/* A block's own bytes are no guard, what lies around it is, and nothing is when it has ended. */
static void bytes_around_blocks(void **state)
{
    (void)state;
    static const size_t more[] = {4095, 4096, 5000, 131071, 140000, 3000001};
    struct dev_broken broken;
    for (size_t k = 0; k < 300 + sizeof more / sizeof *more; k++) {
        const size_t n = k < 300 ? k : more[k - 300];
        char *p = begin(n), *after = begin(n);
        const size_t room = malloc_usable_size(p);
        assert_int_equal(check_guard_first((uintptr_t)p, (uintptr_t)p + n), (uintptr_t)p + n);
        assert_int_equal(check_guard_bytes(p, room), n);
        assert_int_equal(check_guard_bytes(p + n / 2, room - n / 2), n - n / 2);
        for (size_t i = 0; i < 64; i++)
            assert_true(guarded(p + n + i) && (n == 0 || i >= 8 || guarded(p - 1 - i)));
        memset(p, 0xB5, n);
        assert_false(end(p, &broken));
        assert_int_equal(check_guard_first((uintptr_t)p, (uintptr_t)p + n), (uintptr_t)p + n);
        assert_false(end(after, &broken));
    }
    assert_false(check_guard_end(NULL, &broken));
    assert_ptr_equal(check_guard_begin(NULL, 10, &caller), NULL);
    assert_true(check_guard_with(SIZE_MAX) == SIZE_MAX);
    assert_true(check_guard_with(PTRDIFF_MAX) == PTRDIFF_MAX);
}

/* Accesses of each size meet a guard from every place that is in it, and from no other. */
static void accesses_meet(void **state)
{
    (void)state;
    struct dev_broken broken;
    for (size_t n = 16; n <= 160; n += 16)
        for (unsigned bytes = 1; bytes <= 16; bytes *= 2) {
            char *p = begin(n);
            for (size_t at = 0; at < n + 64; at += bytes)
                assert_int_equal(guards_met((uintptr_t)p + at, bytes), at >= n);
            assert_true(guards_met((uintptr_t)p - bytes, bytes));
            assert_false(end(p, &broken));
        }
    assert_false(guards_met((uintptr_t)&broken, 4));
}

/* From each byte of a guard, before and behind a block, to its block. */
static void names(void **state)
{
    (void)state;
    struct dev_broken broken;
    struct guarded block;
    char *all[40];
    for (size_t k = 0; k < 40; k++)
        all[k] = begin(k * 11);
    for (size_t k = 0; k < 40; k++)
        for (int at = k ? -8 : 0; at < (int)(k * 11 + 64); at += at == -1 ? 1 + (int)(k * 11) : 1) {
            assert_true(check_guard_block((uintptr_t)all[k] + (uintptr_t)at, false, &block));
            assert_int_equal(block.p, (uintptr_t)all[k]);
            assert_int_equal(block.bytes, k * 11);
            assert_ptr_equal(block.from, &caller);
        }
    for (size_t k = 0; k < 40; k++)
        assert_false(end(all[k], &broken));
}

/* What a library writes is told once, at the block's end, unless an access was told before. */
static void broken_guards(void **state)
{
    (void)state;
    struct dev_broken broken;
    struct guarded block;
    for (size_t at = 0; at < 60; at += 7) {
        char *p = begin(100);
        p[100 + at] = 0;
        assert_true(end(p, &broken));
        assert_int_equal(broken.bytes, 100);
        assert_int_equal(broken.behind, at);
        assert_ptr_equal(broken.from, &caller);
    }
    char *p = begin(100);
    memset(p, 0, malloc_usable_size(p)); /* the name, too */
    assert_true(end(p, &broken));
    assert_int_equal(broken.bytes, 100);
    assert_ptr_equal(broken.from, NULL);
    p = begin(100);
    assert_true(check_guard_block((uintptr_t)p + 100, true, &block));
    p[100] = 0;
    assert_false(end(p, &broken));
}

static size_t told;
static struct dev_broken last;

static void tell(const struct dev_broken *broken)
{
    told++;
    last = *broken;
    free(malloc(10)); /* as a report may */
}

static void at_the_programs_end(void **state)
{
    (void)state;
    struct dev_broken broken;
    char *all[100];
    for (size_t k = 0; k < 100; k++)
        all[k] = begin(1 + k * 977);
    told = 0;
    check_guards_each(tell);
    assert_int_equal(told, 0);
    all[57][1 + 57 * 977 + 3] = 0;
    check_guards_each(tell);
    assert_int_equal(told, 1);
    assert_int_equal(last.bytes, 1 + 57 * 977);
    assert_int_equal(last.behind, 3);
    for (size_t k = 0; k < 100; k++)
        assert_int_equal(end(all[k], &broken), k == 57);
}

/* Threads that set and end guards in the same words of the table. */
static void *allocates(void *seed)
{
    uintptr_t n = (uintptr_t)seed, wrong = 0;
    char *kept[16] = {NULL};
    size_t bytes[16] = {0};
    struct dev_broken broken;
    for (int round = 0; round < 20000; round++) {
        n = n * 6364136223846793005u + 1442695040888963407u;
        const size_t k = n >> 60;
        if (kept[k]) {
            wrong += check_guard_bytes(kept[k], 10000) != bytes[k];
            wrong += end(kept[k], &broken);
        }
        bytes[k] = n >> 33 & 255;
        kept[k] = check_guard_begin(malloc(check_guard_with(bytes[k])), bytes[k], &caller);
        memset(kept[k], 1, bytes[k]);
    }
    for (size_t k = 0; k < 16; k++)
        wrong += kept[k] && end(kept[k], &broken);
    return (void *)wrong;
}

static void threads(void **state)
{
    (void)state;
    pthread_t all[4];
    mallopt(M_ARENA_MAX, 1); /* their blocks are neighbours */
    for (uintptr_t k = 0; k < 4; k++)
        assert_int_equal(pthread_create(&all[k], NULL, allocates, (void *)(k + 1)), 0);
    for (size_t k = 0; k < 4; k++) {
        void *wrong;
        pthread_join(all[k], &wrong);
        assert_null(wrong);
    }
}

/* ---- what is said ------------------------------------------------------------------------------
 */

static char *x; /* 40 bytes */

static void inside(void)
{
    store(x);
    load(x + 36);
    __tsan_write_range(x, 40);
}

static void behind(void)
{
    store(x + 44);
}

static void reads(void)
{
    load(x + 40);
    check_report_flush();
}

static void before(void)
{
    __tsan_write8(x - 8);
    __asm__ volatile(""); /* it comes back here */
}

static void across(void)
{
    __tsan_write_range(x, 41);
    __asm__ volatile("");
}

static void library(void)
{
    check_past_block(&(struct dev_broken){17, 2, NULL});
}

static void said(void **state)
{
    (void)state;
    static const struct {
        void (*f)(void);
        const char *words[3];
    } cases[] = {
        {inside, {NULL}},
        {behind,
         {"\"kind\":\"oob-host\"", "the host writes 4 bytes at ",
          ", 4 bytes past the end of the 40 bytes: that is [11], and the last is [9]"}},
        {reads, {"the host reads 4 bytes", "just past the end of the 40 bytes", "nobody's"}},
        {before, {"8 bytes before the start of the 40 bytes", "\"offset\":-8", "damages the heap"}},
        {across, {"writes 41 bytes", "across the end of the 40 bytes", "\"offset\":0"}},
        {library,
         {"a call of a library wrote past the end of the 17 bytes", "from 2 bytes behind"}},
    };
    struct dev_broken broken;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        x = check_guard_begin(malloc(check_guard_with(40)), 40, NULL);
        char *text = test_stderr(cases[k].f);
        if (!cases[k].words[0])
            assert_string_equal(text, "");
        for (size_t i = 0; i < 3 && cases[k].words[i]; i++)
            if (!strstr(text, cases[k].words[i]))
                fail_msg("%zu: %s; expected %s", k, text, cases[k].words[i]);
        free(text);
        end(x, &broken);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_around_blocks),
        cmocka_unit_test(accesses_meet),
        cmocka_unit_test(names),
        cmocka_unit_test(broken_guards),
        cmocka_unit_test(at_the_programs_end),
        cmocka_unit_test(threads),
        cmocka_unit_test(said),
    };
    return cmocka_run_group_tests(tests, test_setup, NULL);
}
