/* A barrier of C11 atomics whose sense turns, without a lock. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "mlp/replicas.h"

struct barrier {
    _Alignas(64) atomic_int waiting;
    _Alignas(64) atomic_uint round;
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
    const unsigned round = atomic_load_explicit(&b->round, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&b->waiting, 1, memory_order_acq_rel) == b->threads - 1) {
        atomic_store_explicit(&b->waiting, 0, memory_order_relaxed);
        atomic_store_explicit(&b->round, round + 1, memory_order_release);
        return;
    }
    for (int looks = 0; atomic_load_explicit(&b->round, memory_order_acquire) == round; looks++)
        if (looks > 1000)
            sched_yield();
}

static void barrier_close(struct barrier *b)
{
    (void)b;
}

#include "mlp/barrier_trainer.h"
