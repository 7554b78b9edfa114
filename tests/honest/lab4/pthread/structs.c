/* Jobs as structs: returned into memory that threads share, and passed by value from there. */
#include <pthread.h>
#include <stdbool.h>

#include "mlp/replicas.h"

struct job {
    const struct replicas *s;
    const void *const *in;
    int replica, epoch;
    bool any;
};

struct pool {
    struct job last; /* that was taken */
    const struct replicas *s;
    pthread_mutex_t mutex;
    pthread_cond_t work, done;
    int left; /* replicas not done yet */
    bool quit;
};

static struct job first_of(const struct replicas *s, int epoch, const void *const *in)
{
    return (struct job){s, in, -1, epoch, true};
}

static struct job after(struct job j)
{
    j.replica++;
    j.any = j.any && j.replica < j.s->p->replicas;
    return j;
}

static void do_job(struct job j)
{
    train_shard(j.s, j.replica, j.epoch, j.in);
}

static void *worker(void *argument)
{
    struct pool *pool = argument;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->quit && !after(pool->last).any)
            pthread_cond_wait(&pool->work, &pool->mutex);
        if (pool->quit)
            break;
        pool->last = after(pool->last);
        const struct job mine = pool->last;
        pthread_mutex_unlock(&pool->mutex);
        do_job(mine);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->left == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static void train_epoch(struct pool *pool, int epoch, const void *const *in)
{
    pthread_mutex_lock(&pool->mutex);
    pool->left = pool->s->p->replicas;
    pool->last = first_of(pool->s, epoch, in);
    pthread_cond_broadcast(&pool->work);
    while (pool->left > 0)
        pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    struct pool pool = {.s = s};
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
        train_epoch(&pool, epoch, in);
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
