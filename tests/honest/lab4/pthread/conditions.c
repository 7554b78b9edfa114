/* A pool of its own in run(): a mutex and a condition variable for jobs, another one for their end.
 */
#include <pthread.h>
#include <stdbool.h>

#include "mlp/replicas.h"

struct pool {
    const struct replicas *s;
    const void *const *in;
    pthread_mutex_t mutex;
    pthread_cond_t work, done;
    int epoch, next, left; /* the epoch at work, its next replica, replicas not done yet */
    bool quit;
};

static void *worker(void *argument)
{
    struct pool *pool = argument;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->quit && pool->next >= pool->s->p->replicas)
            pthread_cond_wait(&pool->work, &pool->mutex);
        if (pool->quit)
            break;
        const int r = pool->next++, epoch = pool->epoch;
        pthread_mutex_unlock(&pool->mutex);
        train_shard(pool->s, r, epoch, pool->in);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->left == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static void train_epoch(struct pool *pool, int epoch)
{
    pthread_mutex_lock(&pool->mutex);
    pool->epoch = epoch;
    pool->left = pool->s->p->replicas;
    pool->next = 0;
    pthread_cond_broadcast(&pool->work);
    /* clang-format off */
    if (pool->left > 0)
        while (pool->left > 0) pthread_cond_wait(&pool->done, &pool->mutex);
    /* clang-format on */
    pthread_mutex_unlock(&pool->mutex);
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    struct pool pool = {.s = s, .in = in, .next = s->p->replicas};
    pthread_t thread[64];
    pthread_mutex_init(&pool.mutex, NULL);
    pthread_cond_init(&pool.work, NULL);
    pthread_cond_init(&pool.done, NULL);
    for (int r = 0; r < s->p->replicas; r++)
        start_from(s, r, in);
    for (int t = 0; t < s->threads; t++)
        if (pthread_create(&thread[t], NULL, worker, &pool))
            return 1;
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
        train_epoch(&pool, epoch);
        if (merges_after(s->p, epoch))
            merge(s, 0, s->weights);
    }
    pthread_mutex_lock(&pool.mutex);
    pool.quit = true;
    pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.mutex);
    for (int t = 0; t < s->threads; t++)
        pthread_join(thread[t], NULL);
    pthread_mutex_destroy(&pool.mutex);
    pthread_cond_destroy(&pool.work);
    pthread_cond_destroy(&pool.done);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "pthread",
                                        replicas_open, run,       replicas_close};
