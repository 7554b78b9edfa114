/* Threads kept from open() to close(): a ring of jobs, each a function and its arguments, behind a
 * mutex and two conditions; a reader-writer lock around what all read; counters of C11. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "mlp/replicas.h"

enum { RING = 64, TEAM = 8 };

struct pool;
typedef void job_function(struct pool *pool, int r);

struct job {
    job_function *call;
    int argument;
};

struct pool {
    struct replicas *s;
    const void *const *in;
    int epoch;
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
    pthread_rwlock_t shared; /* of in and epoch */
    struct job ring[RING];
    unsigned head, tail;
    atomic_int open_jobs;
    bool ends;
    int n;
    pthread_t thread[TEAM];
};

static void train(struct pool *pool, int r)
{
    pthread_rwlock_rdlock(&pool->shared);
    const void *const *in = pool->in;
    const int epoch = pool->epoch;
    pthread_rwlock_unlock(&pool->shared);
    train_shard(pool->s, r, epoch, in);
}

static void mean(struct pool *pool, int part)
{
    const size_t n = pool->s->weights;
    merge(pool->s, n * (size_t)part / TEAM, n * (size_t)(part + 1) / TEAM);
}

static bool take(struct pool *pool, struct job *job)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->head == pool->tail && !pool->ends)
        pthread_cond_wait(&pool->filled, &pool->lock);
    const bool has = pool->head != pool->tail;
    if (has)
        *job = pool->ring[pool->head++ % RING];
    pthread_mutex_unlock(&pool->lock);
    return has;
}

static void *work(void *argument)
{
    struct pool *pool = argument;
    struct job job;
    while (take(pool, &job)) {
        job.call(pool, job.argument);
        if (atomic_fetch_sub_explicit(&pool->open_jobs, 1, memory_order_acq_rel) == 1) {
            pthread_mutex_lock(&pool->lock);
            pthread_cond_broadcast(&pool->emptied);
            pthread_mutex_unlock(&pool->lock);
        }
    }
    return NULL;
}

/* All jobs of a kind, RING at most at a time, and wait. */
static void all(struct pool *pool, job_function *call, int n)
{
    for (int first = 0; first < n; first += RING) {
        const int last = n - first < RING ? n : first + RING;
        pthread_mutex_lock(&pool->lock);
        atomic_store(&pool->open_jobs, last - first);
        for (int k = first; k < last; k++)
            pool->ring[pool->tail++ % RING] = (struct job){call, k};
        pthread_cond_broadcast(&pool->filled);
        while (atomic_load_explicit(&pool->open_jobs, memory_order_acquire) > 0)
            pthread_cond_wait(&pool->emptied, &pool->lock);
        pthread_mutex_unlock(&pool->lock);
    }
}

static void set(struct pool *pool, int epoch, const void *const *in)
{
    pthread_rwlock_wrlock(&pool->shared);
    pool->epoch = epoch;
    pool->in = in;
    pthread_rwlock_unlock(&pool->shared);
}

static int run(void *state, const void *const in[], void *const out[])
{
    struct pool *pool = state;
    const struct mlp_problem *p = pool->s->p;
    for (int r = 0; r < p->replicas; r++)
        start_from(pool->s, r, in);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        set(pool, epoch, in);
        all(pool, train, p->replicas);
        if (merges_after(p, epoch))
            all(pool, mean, TEAM);
    }
    memcpy(out[MLP_W], pool->s->replica, pool->s->weights * sizeof(double));
    return 0;
}

static void close_pool(void *state)
{
    struct pool *pool = state;
    pthread_mutex_lock(&pool->lock);
    pool->ends = true;
    pthread_cond_broadcast(&pool->filled);
    pthread_mutex_unlock(&pool->lock);
    for (int t = 0; t < pool->n; t++)
        pthread_join(pool->thread[t], NULL);
    pthread_rwlock_destroy(&pool->shared);
    pthread_cond_destroy(&pool->filled);
    pthread_cond_destroy(&pool->emptied);
    pthread_mutex_destroy(&pool->lock);
    replicas_close(pool->s);
    free(pool);
}

static int open_pool(const struct hpc_env *env, const void *problem, void **state)
{
    struct pool *pool = calloc(1, sizeof *pool);
    void *s = NULL;
    if (!pool || replicas_open(env, problem, &s)) {
        free(pool);
        return 1;
    }
    pool->s = s;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->filled, NULL);
    pthread_cond_init(&pool->emptied, NULL);
    pthread_rwlock_init(&pool->shared, NULL);
    *state = pool;
    while (pool->n < env->threads && pool->n < TEAM &&
           pthread_create(&pool->thread[pool->n], NULL, work, pool) == 0)
        pool->n++;
    if (pool->n > 0)
        return 0;
    close_pool(pool);
    return 1;
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_sgd", "pthread", open_pool, run, close_pool};
