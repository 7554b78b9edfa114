/* A barrier of a lock for readers and writers: who comes last holds it as the one writer; thread
 * keys and a once. */
#include <pthread.h>
#include <sched.h>

#include "mlp/replicas.h"

struct barrier {
    pthread_rwlock_t lock;
    int waiting, round, threads;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int ready;

static void make_ready(void)
{
    ready = 1;
}

static int barrier_open(struct barrier *b, int threads)
{
    b->waiting = b->round = 0;
    b->threads = threads;
    return pthread_rwlock_init(&b->lock, NULL);
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
    pthread_once(&once, make_ready);
    pthread_rwlock_wrlock(&b->lock);
    const int round = b->round;
    if (++b->waiting == b->threads * ready) {
        b->waiting = 0;
        b->round++;
    }
    pthread_rwlock_unlock(&b->lock);
    while (round_of(b) == round)
        sched_yield();
}

static void barrier_close(struct barrier *b)
{
    pthread_rwlock_destroy(&b->lock);
}

#include "mlp/barrier_trainer.h"
