/* A barrier of POSIX semaphores: two turnstiles, which the last one to come opens for all. */
#include <pthread.h>
#include <semaphore.h>

#include "mlp/replicas.h"

struct barrier {
    sem_t mutex, turnstile[2];
    int threads, waiting, side;
};

static int barrier_open(struct barrier *b, int threads)
{
    *b = (struct barrier){.threads = threads};
    return sem_init(&b->mutex, 0, 1) || sem_init(&b->turnstile[0], 0, 0) ||
           sem_init(&b->turnstile[1], 0, 0);
}

static void barrier_wait(struct barrier *b)
{
    sem_wait(&b->mutex);
    const int side = b->side;
    if (++b->waiting == b->threads) {
        b->waiting = 0;
        b->side = !side;
        for (int t = 0; t < b->threads; t++)
            sem_post(&b->turnstile[side]);
    }
    sem_post(&b->mutex);
    sem_wait(&b->turnstile[side]);
}

static void barrier_close(struct barrier *b)
{
    sem_destroy(&b->mutex);
    sem_destroy(&b->turnstile[0]);
    sem_destroy(&b->turnstile[1]);
}

#include "mlp/barrier_trainer.h"
