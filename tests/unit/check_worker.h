/* A worker, an arena and launches for tests of device/check: the tests call what the compiler and
 * the runtime would. What was reported comes back as text. */
#ifndef TESTS_CHECK_WORKER_H
#define TESTS_CHECK_WORKER_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/check/check.h"
#include "device/report/report.h"
#include "device/traffic/traffic.h"

__thread struct dev_worker *dev_self;
char *dev_arena, *dev_arena_end;

/* As in libtsan: there is no header. */
void __tsan_read1(const void *p);
void __tsan_read2(const void *p);
void __tsan_read4(const void *p);
void __tsan_read8(const void *p);
void __tsan_read16(const void *p);
void __tsan_write1(const void *p);
void __tsan_write2(const void *p);
void __tsan_write4(const void *p);
void __tsan_write8(const void *p);
void __tsan_write16(const void *p);
void __tsan_volatile_read4(const void *p);
void __tsan_unaligned_read16(const void *p);
void __tsan_write_range(const void *p, size_t bytes);

enum { TEST_SHARED = 1 << 16, TEST_ARENA = 1 << 24, TEST_STACK = 1 << 12 };
#define TEST_BEHIND ((size_t)1 << 35) /* bytes: twice what 2^32 floats take */

static struct dev_worker test_worker;
static struct dev_fiber test_fiber;
static struct dev_launch test_launch;
static char test_stack[TEST_STACK];

/* Accesses from lines of their own: a race is told by its pair of places. */
#define NOINLINE __attribute__((noinline, unused))
static const int __attribute__((unused)) store_line = __LINE__ + 3;
static NOINLINE void store(const void *p)
{
    __tsan_write4(p);
    ++*(volatile unsigned char *)(uintptr_t)p; /* another value than was there */
}
static const int __attribute__((unused)) load_line = __LINE__ + 3;
static NOINLINE void load(const void *p)
{
    __tsan_read4(p);
    __asm__ volatile("");
}

static NOINLINE void load_other(const void *p)
{
    __tsan_read4(p);
    __asm__ volatile("");
}

/* The requests of a kind by a kernel, and their sectors, conflicts or words. */
static inline void expect(const char *kernel, enum traffic_kind kind, unsigned requests,
                          unsigned units)
{
    const struct traffic *t = check_traffic_of(kernel);
    assert_non_null(t);
    if (t->requests[kind] != requests || t->units[kind] != units)
        fail_msg("%s: %llu requests, %llu units; expected %u, %u", kernel,
                 (unsigned long long)t->requests[kind], (unsigned long long)t->units[kind],
                 requests, units);
}

static int test_setup(void **state)
{
    (void)state;
    check_report_key = "KEY";
    /* With room behind it that is free again, where nothing else comes soon. */
    dev_arena =
        mmap(NULL, TEST_BEHIND, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (dev_arena == MAP_FAILED || mprotect(dev_arena, TEST_ARENA, PROT_READ | PROT_WRITE) != 0 ||
        munmap(dev_arena + TEST_ARENA, TEST_BEHIND - TEST_ARENA) != 0)
        return -1;
    dev_arena_end = dev_arena + TEST_ARENA;
    test_worker.shared = aligned_alloc(4096, TEST_SHARED);
    test_worker.shared_bytes = TEST_SHARED;
    test_fiber.bottom = test_stack;
    test_fiber.top = test_stack + TEST_STACK;
    test_worker.current = &test_fiber;
    test_worker.launch = &test_launch;
    return test_worker.shared ? 0 : -1;
}

/* An allocation of so many bytes, never given back, all written if `filled`. */
static inline char *test_allocation(size_t bytes, bool filled)
{
    static size_t used;
    struct dev_region r = {.kind = DEV_GLOBAL, .file = "main.cu", .line = 7, .bytes = bytes};
    r.base = dev_arena + used + DEV_RED_ZONE;
    used += (bytes + 2 * DEV_RED_ZONE + 255) & ~(size_t)255;
    assert_true(used < TEST_ARENA);
    check_region_added(&r);
    if (filled)
        check_written(r.base, bytes);
    return r.base;
}

/* A launch of `grid` blocks of `block` threads of a kernel of that name. */
static inline void test_begin(const char *kernel, unsigned grid, unsigned block)
{
    test_launch = (struct dev_launch){.kernel = kernel,
                                      .file = "main.cu",
                                      .line = 9,
                                      .grid = {grid, 1, 1},
                                      .block = {block, 1, 1},
                                      .dynamic_shared = 1, /* all offsets are of arrays */
                                      .number = test_launch.number + 1};
    check_launch_begin(&test_launch);
    dev_self = &test_worker;
}

static inline void test_block(unsigned block)
{
    test_worker.block = block;
    test_worker.block_index = (struct dev_index){block, 0, 0};
    test_worker.epoch = 0;
    check_block_begin(&test_worker);
}

/* float NAME[count] in the running block's shared memory, at an offset of it. */
static inline float *test_shared(const char *name, unsigned count, size_t offset)
{
    struct dev_region r = {.kind = DEV_SHARED,
                           .name = name,
                           .file = "kernel.cu",
                           .line = 3,
                           .base = test_worker.shared + offset,
                           .bytes = count * sizeof(float),
                           .element = sizeof(float),
                           .extent = {count}};
    check_region_added(&r);
    return (float *)r.base;
}

static inline void test_thread(unsigned thread)
{
    test_worker.thread = thread;
    check_thread(test_worker.thread);
}

static inline void test_barrier(int line)
{
    test_worker.epoch++;
    check_barrier_passed(&test_worker, (struct dev_site){"kernel.cu", line});
}

/* What f prints on stderr; the caller frees it. */
static inline char *test_stderr(void (*f)(void))
{
    FILE *file = tmpfile();
    int old = dup(STDERR_FILENO);
    assert_true(file && old >= 0);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    f();
    fflush(stderr);
    dup2(old, STDERR_FILENO);
    close(old);
    rewind(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) < (1 << 20) - 1);
    fclose(file);
    return text;
}

static inline void test_launch_end(void)
{
    check_block_end(&test_worker);
    check_launch_end(&test_launch);
    dev_self = NULL;
}

/* Ends the launch; the reports, one a line. The caller frees them. */
static inline char *test_end(void)
{
    return test_stderr(test_launch_end);
}

static inline unsigned test_lines(const char *text)
{
    unsigned n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* Ends the launch and expects nothing, or one report of a kind with `part` in it. */
static inline void test_end_clean(void)
{
    char *text = test_end();
    assert_string_equal(text, "");
    free(text);
}

static inline void test_end_with(const char *kind, const char *part)
{
    char *text = test_end(), start[80];
    snprintf(start, sizeof start, "@KEY {\"kind\":\"%s\"", kind);
    if (strncmp(text, start, strlen(start)) != 0 || test_lines(text) != 1 || !strstr(text, part))
        fail_msg("expected one %s with \"%s\", got:\n%s", kind, part, text);
    free(text);
}

#endif
