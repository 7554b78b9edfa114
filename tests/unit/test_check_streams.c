/* device/check: what streams, events and the host do in any order. */
#include "tests/unit/check_worker.h"

#include "device/check/streams.h"

enum { BLOCKS = 2, THREADS = 32, COUNT = BLOCKS * THREADS, BYTES = 4 * COUNT };
enum use { WRITES, READS };

static char *x;        /* COUNT elements that host and device share */
static unsigned s, t;  /* two streams */
static int line = 100; /* each operation has one of its own */

/* A launch on a stream; each thread uses one of the elements [first, end). */
static void launch_part(unsigned stream, enum use use, unsigned first, unsigned end)
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

static void launch(unsigned stream, enum use use)
{
    launch_part(stream, use, 0, COUNT);
}

/* A copy to or from x: rows of `width` bytes, `pitch` apart, from byte `at` on. */
static void copy_rows(unsigned stream, enum use use, size_t at, size_t pitch, size_t width)
{
    check_stream_copy(
        &(struct dev_copy){.call = "cudaMemcpy2DAsync",
                           .site = {"main.cu", line++},
                           .stream = stream,
                           .rows = {{x + at, pitch, width, BYTES / pitch, use == WRITES}}});
}

static void copy(unsigned stream, enum use use)
{
    copy_rows(stream, use, 0, BYTES, BYTES);
}

static void order(unsigned before, unsigned behind)
{
    void *event = NULL;
    check_event_recorded(&event, before, (const void *)order);
    check_event_awaited(event, behind);
    check_event_forgotten(event);
}

static void (*told_story)(void);

static void tell(void)
{
    told_story();
    check_report_flush();
}

/* What a story of operations has to report: nothing (NULL), or once a kind, with `part`. */
static void told(void (*story)(void), const char *kind, const char *part)
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

/* ---- launches against launches --------------------------------------------------------------- */

static void write_and_read(void)
{
    launch(s, WRITES);
    launch(t, READS);
}

static void read_and_write(void)
{
    launch(s, READS);
    launch(t, WRITES);
}

static void two_read(void)
{
    launch(s, READS);
    launch(t, READS);
}

static void with_an_event(void)
{
    launch(s, WRITES);
    order(s, t);
    launch(t, WRITES);
}

static void event_too_early(void)
{
    order(s, t);
    launch(s, WRITES);
    launch(t, WRITES);
}

/* The reader on s is not forgotten for the one on t. */
static void first_reader_is_kept(void)
{
    launch(s, READS);
    launch(t, READS);
    launch(t, WRITES);
}

/* Of two that nothing orders, the stream's second stands for both. */
static void told_once(void)
{
    launch(s, WRITES);
    launch(s, WRITES);
    launch(t, READS);
    launch(t, READS);
}

/* The stream's own work in between, which it reads first, says nothing of the other's behind it. */
static void own_work_in_between(void)
{
    launch_part(t, WRITES, 20, 30);
    launch_part(s, WRITES, 0, 10);
    launch_part(t, WRITES, 10, 20);
    launch_part(s, READS, 0, 20);
}

static void own_work_behind(void)
{
    launch_part(t, WRITES, 10, 20);
    launch_part(s, WRITES, 0, 10);
    launch_part(s, READS, 0, 20);
}

/* Behind an event of another stream, which was behind one of a third. */
static void handed_on(void)
{
    const unsigned third = check_stream_made(false);
    launch(s, WRITES);
    order(s, third);
    order(third, t);
    launch(t, READS);
    check_stream_destroyed(third);
}

static void launches_against_launches(void **state)
{
    (void)state;
    told(write_and_read, "race-stream", "kernel reads, launched at main.cu:");
    told(read_and_write, "race-stream", "may still read it on another stream");
    told(two_read, NULL, "");
    told(with_an_event, NULL, "");
    told(event_too_early, "race-stream", "may still write it");
    told(first_reader_is_kept, "race-stream", "may still read it");
    told(told_once, "race-stream", "may still write it");
    told(own_work_in_between, "race-stream", "may still write it");
    told(own_work_behind, "race-stream", "may still write it");
    told(handed_on, NULL, "");
}

/* ---- copies ---------------------------------------------------------------------------------- */

static void copy_of_a_result(void)
{
    launch(s, WRITES);
    copy(t, READS);
}

static void copy_of_what_is_read(void)
{
    launch(s, READS);
    copy(t, READS);
}

static void copy_over_what_is_read(void)
{
    launch(s, READS);
    copy(t, WRITES);
}

static void launch_behind_a_copy(void)
{
    copy(s, WRITES);
    launch(t, READS);
}

static void rows_beside_each_other(void)
{
    copy_rows(s, WRITES, 0, 64, 30);
    copy_rows(t, WRITES, 30, 64, 34);
}

static void rows_that_overlap(void)
{
    copy_rows(s, WRITES, 0, 64, 31);
    copy_rows(t, WRITES, 30, 64, 34);
}

static void freed_too_early(void)
{
    launch(s, READS);
    check_stream_free(x, BYTES, t, (const void *)order);
}

/* What was known of freed memory says nothing of its next owner. */
static void freed_and_given_again(void)
{
    launch(s, WRITES);
    copy(s, WRITES);
    check_stream_free(x, BYTES, s, (const void *)order);
    launch(t, WRITES);
    copy(t, READS);
}

static void copies(void **state)
{
    (void)state;
    told(copy_of_a_result, "race-stream", "cudaMemcpy2DAsync at main.cu:");
    told(copy_of_what_is_read, NULL, "");
    told(copy_over_what_is_read, "race-stream", "may still read it");
    told(launch_behind_a_copy, "race-stream", "while cudaMemcpy2DAsync at main.cu:");
    told(rows_beside_each_other, NULL, "");
    told(rows_that_overlap, "race-stream", "may still write it");
    told(freed_too_early, "race-stream", "cudaFreeAsync at ");
    told(freed_and_given_again, NULL, "");
}

/* ---- the default stream ---------------------------------------------------------------------- */

static void default_and_blocking(void)
{
    launch(s, WRITES);
    launch(DEFAULT_STREAM, WRITES);
    launch(t, WRITES);
    launch(DEFAULT_STREAM, READS);
}

static void default_and_apart(void)
{
    const unsigned apart = check_stream_made(false);
    launch(DEFAULT_STREAM, WRITES);
    launch(apart, READS);
    check_stream_destroyed(apart);
}

static void apart_and_default(void)
{
    const unsigned apart = check_stream_made(false);
    launch(apart, WRITES);
    launch(DEFAULT_STREAM, READS);
    check_stream_destroyed(apart);
}

static void the_default_stream(void **state)
{
    (void)state;
    told(default_and_blocking, NULL, "");
    told(default_and_apart, "race-stream", "cudaStreamNonBlocking");
    told(apart_and_default, "race-stream", "cudaStreamNonBlocking");
}

/* ---- the host -------------------------------------------------------------------------------- */

static void host_reads(void)
{
    launch(s, WRITES);
    load(x + 8);
    load_other(x + 12); /* what follows */
}

static void host_waits(void)
{
    launch(s, WRITES);
    check_stream_waited(s);
    store(x + 8);
}

static void host_waits_for_another(void)
{
    launch(s, WRITES);
    check_stream_waited(t);
    load(x + 8);
}

static void host_fills_a_source(void)
{
    copy(s, READS);
    store(x + 8);
}

static void host_reads_a_source(void)
{
    copy(s, READS);
    load(x + 8);
}

static void host_waits_for_an_event(void)
{
    void *event = NULL;
    launch(s, WRITES);
    check_event_recorded(&event, s, (const void *)order);
    check_event_waited(event);
    load(x + 8);
    check_event_forgotten(event);
}

static void host_sees_a_flag(void)
{
    launch(s, WRITES);
    __tsan_volatile_read4(x + 8);
    load(x + 12);
}

static void callback_on(unsigned stream)
{
    launch(s, WRITES);
    check_callback(stream, true);
    load(x + 8);
    check_callback(stream, false);
}

static void callback_in_order(void)
{
    callback_on(s);
}

static void callback_of_another(void)
{
    callback_on(t);
}

static void the_host(void **state)
{
    (void)state;
    told(host_reads, "race-host", "the host reads 4 bytes");
    told(host_waits, NULL, "");
    told(host_waits_for_another, "race-host", "cudaStreamSynchronize");
    told(host_fills_a_source, "race-host", "another buffer");
    told(host_reads_a_source, NULL, "");
    told(host_waits_for_an_event, NULL, "");
    told(host_sees_a_flag, NULL, "");
    told(callback_in_order, NULL, "");
    told(callback_of_another, "race-host", "in the order of the stream");
}

/* ---- many ------------------------------------------------------------------------------------ */

static void two_of_many(void)
{
    unsigned many[3 * STREAMS];
    for (unsigned i = 0; i < 3 * STREAMS; i++)
        many[i] = check_stream_made(i % 2);
    launch(many[0], WRITES);
    launch(many[1], READS);
    for (unsigned i = 0; i < 3 * STREAMS; i++)
        check_stream_destroyed(many[i]);
}

static void many_operations(void)
{
    for (int i = 0; i < 3 * STREAM_OPS; i++)
        launch(s, WRITES);
    copy(t, READS);
}

/* A stream's number is given again while its work may run: no order is lost, none is invented. */
static void streams_come_and_go(void)
{
    for (int i = 0; i < 3 * STREAMS; i++) {
        const unsigned stream = check_stream_made(false);
        order(s, stream);
        launch(stream, READS);
        order(stream, s);
        check_stream_destroyed(stream);
    }
    launch(s, WRITES);
}

static void many(void **state)
{
    (void)state;
    told(two_of_many, "race-stream", "may still write it");
    told(many_operations, "race-stream", "may still write it");
    told(streams_come_and_go, NULL, "");
}

static int set_up(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_against_launches),
        cmocka_unit_test(copies),
        cmocka_unit_test(the_default_stream),
        cmocka_unit_test(the_host),
        cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
