/* A barrier of the older __sync builtins, whose spinning reads are __atomic ones. */
#include <pthread.h>
#include <sched.h>

#include "mlp/replicas.h"

struct barrier {
    int waiting, round, threads;
};

static int barrier_open(struct barrier *b, int threads)
{
    *b = (struct barrier){.threads = threads};
    return 0;
}

static void barrier_wait(struct barrier *b)
{
    const int round = __atomic_load_n(&b->round, __ATOMIC_ACQUIRE);
    if (__sync_add_and_fetch(&b->waiting, 1) == b->threads) {
        b->waiting = 0;
        __sync_fetch_and_add(&b->round, 1);
        return;
    }
    while (__atomic_load_n(&b->round, __ATOMIC_ACQUIRE) == round) {
        __builtin_ia32_pause();
        sched_yield();
    }
}

static void barrier_close(struct barrier *b)
{
    (void)b;
}

#include "mlp/barrier_trainer.h"
