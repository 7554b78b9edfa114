/* A barrier of a spin lock and a read-write lock. */
#include <pthread.h>
#include <sched.h>

#include "mlp/replicas.h"

struct barrier {
    pthread_spinlock_t spin;
    pthread_rwlock_t lock;
    int threads, waiting, round; /* waiting: under spin; round: under lock */
};

static int barrier_open(struct barrier *b, int threads)
{
    *b = (struct barrier){.threads = threads};
    return pthread_spin_init(&b->spin, PTHREAD_PROCESS_PRIVATE) ||
           pthread_rwlock_init(&b->lock, NULL);
}

static int round_of(struct barrier *b)
{
    pthread_rwlock_rdlock(&b->lock);
    const int round = b->round;
    pthread_rwlock_unlock(&b->lock);
    return round;
}

static void barrier_wait(struct barrier *b)
{
    const int round = round_of(b);
    pthread_spin_lock(&b->spin);
    const int last = ++b->waiting == b->threads;
    if (last)
        b->waiting = 0;
    pthread_spin_unlock(&b->spin);
    if (last) {
        pthread_rwlock_wrlock(&b->lock);
        b->round++;
        pthread_rwlock_unlock(&b->lock);
    }
    while (round_of(b) == round)
        sched_yield();
}

static void barrier_close(struct barrier *b)
{
    pthread_spin_destroy(&b->spin);
    pthread_rwlock_destroy(&b->lock);
}

#include "mlp/barrier_trainer.h"
