/* device/check: launches and copies on different streams. */
#include "tests/unit/stream_stories.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_against_launches),
        cmocka_unit_test(copies),
        cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
