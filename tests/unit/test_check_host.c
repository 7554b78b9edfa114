/* device/check: the default stream's order, and what the host may use before it waits. */
#include "tests/unit/stream_stories.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_stream),
        cmocka_unit_test(the_host),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
