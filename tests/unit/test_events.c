/* harness/machine/events.h: the kernel's counts of threads, and the sentence about them. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/machine/events.h"

#define PAGES 700

/* One page fault for each page: no huge ones. */
static void *touch(void *data)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *p = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)data;
    if (p == MAP_FAILED)
        return NULL;
    madvise(p, PAGES * page, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < PAGES; i++)
        ((volatile char *)p)[i * page] = 1;
    munmap(p, PAGES * page);
    return NULL;
}

static void threads_started_later_count(void **state)
{
    (void)state;
    struct events e;
    struct event_counts sum = {.error = 0};
    const pid_t own = 0;
    pthread_t thread;
    touch(NULL); /* what was before is not counted */
    events_start(&e, &own, 1);
    assert_int_equal(pthread_create(&thread, NULL, touch, NULL), 0);
    pthread_join(thread, NULL);
    events_stop(&e, &sum);
    if (!sum.has[EVENT_FAULTS]) {
        print_message("no events here: %s\n", strerror(sum.error));
        skip();
    }
    assert_true(sum.n[EVENT_FAULTS] >= PAGES);
    assert_true(sum.n[EVENT_FAULTS] < 1.5 * PAGES);
    assert_int_equal(sum.error == 0, sum.has[EVENT_CYCLES]);
    events_start(&e, &own, 1);
    touch(NULL);
    events_stop(&e, &sum); /* adds */
    assert_true(sum.n[EVENT_FAULTS] >= 2 * PAGES);
}

static void no_thread_counts_nothing(void **state)
{
    (void)state;
    struct events e;
    struct event_counts sum = {.error = 0};
    events_start(&e, NULL, 0);
    touch(NULL);
    events_stop(&e, &sum);
    for (int i = 0; i < EVENTS; i++)
        assert_false(sum.has[i]);
}

static void says(const struct event_counts *c, const char *words)
{
    char *line = events_say(c);
    if (!strstr(line, words))
        fail_msg("expected \"%s\" in \"%s\"", words, line);
    assert_null(strchr(line, '\n'));
    free(line);
}

static void sentences(void **state)
{
    (void)state;
    struct event_counts c = {.error = ENOENT};
    says(&c, "no cycles, instructions or cache misses: this machine shows no counters");
    c.error = EMFILE;
    says(&c, "perf_event_open: Too many open files");
    c.has[EVENT_FAULTS] = true;
    c.n[EVENT_FAULTS] = 12;
    says(&c, "; 12 page faults");
    c = (struct event_counts){
        .has = {true, true, true, true, true, false},
        .n = {5e9, 1e10, 2.5e7, 1e6, 3e7, 0},
    };
    says(&c, "2.00 instructions a cycle; a thousand instructions ask the last cache 2.50 times and "
             "miss it 0.10 times, and mispredict 3.00 branches");
    c.has[EVENT_REFERENCES] = c.has[EVENT_BRANCH_MISSES] = false;
    says(&c, "2.00 instructions a cycle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_started_later_count),
        cmocka_unit_test(no_thread_counts_nothing),
        cmocka_unit_test(sentences),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
