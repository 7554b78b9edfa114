/* Which stores the counting of runner/stores.c takes for false sharing. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runner/stores.c"

#include "runner/accesses.c"

#define ROUNDS 200
#define EACH   50 /* stores a round, each thread */
#define ROW    60 /* doubles of a thread's: seven lines and a half */

static double shared[2 * ROW] __attribute__((aligned(2 * LINE)));
static pthread_barrier_t meet;

/* The element that thread `me` writes as its store number i. */
typedef int pattern(int me, int i);

struct writer {
    int me, rounds;
    pattern *at;
};

/* In each round thread 0 writes, then thread 1. */
static void *write_all(void *argument)
{
    const struct writer *w = argument;
    const int each = ROUNDS * EACH / w->rounds;
    for (int turn = 0; turn < 2 * w->rounds; turn++) {
        for (int i = 0; turn % 2 == w->me && i < each; i++)
            __tsan_write8(&shared[w->at(w->me, turn / 2 * each + i)]);
        pthread_barrier_wait(&meet);
    }
    return NULL;
}

/* The share of stores that make lines travel. */
static double share(pattern *at, int rounds)
{
    struct writer w[2];
    pthread_t writers[2];
    double stores = 0, all = 0;
    memset(table, 0, sizeof table);
    memset(thread, 0, sizeof thread);
    threads = 0;
    assert_int_equal(pthread_barrier_init(&meet, NULL, 2), 0);
    for (int t = 0; t < 2; t++) {
        w[t] = (struct writer){t, rounds, at};
        assert_int_equal(pthread_create(&writers[t], NULL, write_all, &w[t]), 0);
    }
    for (int t = 0; t < 2; t++)
        pthread_join(writers[t], NULL);
    pthread_barrier_destroy(&meet);
    for (int t = 0; t < THREADS; t++)
        all += (double)thread[t].stores;
    for (const struct line *l = table; l < table + TABLE; l++)
        stores += l->at ? (double)look(l).stores : 0;
    assert_true(all == 2.0 * ROUNDS * EACH);
    return stores / all;
}

static int neighbour(int me, int i)
{
    (void)i;
    return me;
}

static int same(int me, int i)
{
    (void)me;
    (void)i;
    return 3;
}

static int apart(int me, int i)
{
    (void)i;
    return 8 * me;
}

static int interleaved(int me, int i)
{
    return 2 * (i % ROW) + me;
}

/* Two elements that both write, each one more often. */
static int often(int me, int i)
{
    return i % 5 < 3 ? me : 1 - me;
}

/* Thread 1 writes beside what thread 0 always writes once in a hundred stores. */
static int seldom(int me, int i)
{
    return me == 0 ? 0 : i % 100 == 0 ? 1 : 16;
}

static int rows(int me, int i)
{
    return me * ROW + i % ROW;
}

static void neighbours_travel(void **state)
{
    (void)state;
    assert_true(share(neighbour, ROUNDS) > 0.99);
    assert_true(share(interleaved, ROUNDS) > 0.9);
}

static void what_is_shared_truly_does_not(void **state)
{
    (void)state;
    assert_true(share(same, ROUNDS) == 0);
    assert_true(share(often, ROUNDS) == 0);
}

static void lines_of_ones_own_do_not(void **state)
{
    (void)state;
    assert_true(share(apart, ROUNDS) == 0);
}

static void edges_do_little(void **state)
{
    (void)state;
    const double edge = share(rows, ROUNDS);
    assert_true(edge > 0 && edge < 0.1);
    assert_true(share(seldom, ROUNDS) < 0.02);
}

static void one_after_the_other_does_not(void **state)
{
    (void)state;
    assert_true(share(neighbour, 1) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_travel),
        cmocka_unit_test(what_is_shared_truly_does_not),
        cmocka_unit_test(lines_of_ones_own_do_not),
        cmocka_unit_test(edges_do_little),
        cmocka_unit_test(one_after_the_other_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
