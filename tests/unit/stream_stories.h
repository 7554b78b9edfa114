/* Stories of operations on streams and of the host, for tests of device/check. */
#ifndef TESTS_STREAM_STORIES_H
#define TESTS_STREAM_STORIES_H

#include "tests/unit/check_worker.h"

#include "device/check/streams.h"

enum { BLOCKS = 2, THREADS = 32, COUNT = BLOCKS * THREADS, BYTES = 4 * COUNT };
enum use { WRITES, READS };

static char *x;        /* COUNT elements that host and device share */
static unsigned s, t;  /* two streams */
static int line = 100; /* each operation has one of its own */

/* A launch on a stream; each thread uses one of the elements [first, end). */
static NOINLINE void launch_part(unsigned stream, enum use use, unsigned first, unsigned end)
{
    test_launch = (struct dev_launch){.kernel = use == WRITES ? "writes" : "reads",
                                      .file = "main.cu",
                                      .line = line++,
                                      .grid = {BLOCKS, 1, 1},
                                      .block = {THREADS, 1, 1},
                                      .number = test_launch.number + 1,
                                      .stream = stream};
    check_launch_begin(&test_launch);
    dev_self = &test_worker;
    for (unsigned b = 0; b < BLOCKS; b++) {
        test_block(b);
        for (unsigned i = 0; i < THREADS; i++) {
            const unsigned element = b * THREADS + i;
            test_thread(i);
            if (element < first || element >= end)
                continue;
            if (use == WRITES)
                store(x + 4 * element);
            else
                load(x + 4 * element);
        }
        check_block_end(&test_worker);
    }
    dev_self = NULL;
    check_launch_end(&test_launch);
}

static NOINLINE void launch(unsigned stream, enum use use)
{
    launch_part(stream, use, 0, COUNT);
}

/* A copy to or from x: rows of `width` bytes, `pitch` apart, from byte `at` on. */
static NOINLINE void copy_rows(unsigned stream, enum use use, size_t at, size_t pitch, size_t width)
{
    check_stream_copy(
        &(struct dev_copy){.call = "cudaMemcpy2DAsync",
                           .site = {"main.cu", line++},
                           .stream = stream,
                           .rows = {{x + at, pitch, width, BYTES / pitch, use == WRITES}}});
}

static NOINLINE void copy(unsigned stream, enum use use)
{
    copy_rows(stream, use, 0, BYTES, BYTES);
}

static NOINLINE void order(unsigned before, unsigned behind)
{
    void *event = NULL;
    check_event_recorded(&event, before, (const void *)order);
    check_event_awaited(event, behind);
    check_event_forgotten(event);
}

static void (*told_story)(void);

static NOINLINE void tell(void)
{
    told_story();
    check_report_flush();
}

/* What a story of operations has to report: nothing (NULL), or once a kind, with `part`. */
static NOINLINE void told(void (*story)(void), const char *kind, const char *part)
{
    check_device_waited();
    told_story = story;
    char *text = test_stderr(tell), start[80];
    snprintf(start, sizeof start, "@KEY {\"kind\":\"%s\"", kind ? kind : "");
    const bool as_said = kind ? strncmp(text, start, strlen(start)) == 0 && test_lines(text) == 1 &&
                                    strstr(text, part)
                              : text[0] == '\0';
    if (!as_said)
        fail_msg("expected %s with \"%s\", got:\n%s", kind ? kind : "nothing", part, text);
    free(text);
}

static NOINLINE int set_up(void **state)
{
    if (test_setup(state) != 0)
        return -1;
    struct dev_region r = {.kind = DEV_MANAGED, .file = "main.cu", .line = 7, .bytes = BYTES};
    x = r.base = dev_arena + DEV_RED_ZONE;
    check_region_added(&r);
    s = check_stream_made(true);
    t = check_stream_made(true);
    return 0;
}

#endif
