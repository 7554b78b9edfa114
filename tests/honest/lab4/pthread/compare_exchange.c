/* A barrier whose counter is moved by C11's compare-exchange, in a loop around an expected value.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "mlp/replicas.h"

struct barrier {
    atomic_int waiting, round;
    int threads;
};

static int barrier_open(struct barrier *b, int threads)
{
    atomic_init(&b->waiting, 0);
    atomic_init(&b->round, 0);
    b->threads = threads;
    return 0;
}

static void barrier_wait(struct barrier *b)
{
    const int round = atomic_load(&b->round);
    int expected = atomic_load(&b->waiting);
    while (!atomic_compare_exchange_weak(&b->waiting, &expected, (expected + 1) % b->threads))
        ;
    if (expected + 1 == b->threads) {
        int before = round;
        atomic_compare_exchange_strong(&b->round, &before, round + 1);
    } else
        while (atomic_load_explicit(&b->round, memory_order_acquire) == round)
            sched_yield();
}

static void barrier_close(struct barrier *b)
{
    (void)b;
}

#include "mlp/barrier_trainer.h"
