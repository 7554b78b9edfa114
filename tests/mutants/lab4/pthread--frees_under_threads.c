/* expect: unsafe */
/* Tells its threads to quit, does not join them, and frees what they are looking at. */
#include <pthread.h>

#include "mlp/replicas.h"

struct pool {
    struct replicas *s;
    const void *const *in;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int epoch, todo, quit; /* todo: the worker has an epoch to train */
};

static void shards(struct pool *p, int me)
{
    for (int r = me; r < p->s->p->replicas; r += 2)
        train_shard(p->s, r, p->epoch, p->in);
}

static void *work(void *argument)
{
    struct pool *p = argument;
    pthread_mutex_lock(&p->mutex);
    for (;;) {
        while (!p->todo && !p->quit)
            pthread_cond_wait(&p->changed, &p->mutex);
        if (p->quit)
            break;
        pthread_mutex_unlock(&p->mutex);
        shards(p, 1);
        pthread_mutex_lock(&p->mutex);
        p->todo = 0;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

static int pool_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct pool *p = calloc(1, sizeof *p);
    void *s = NULL;
    if (!p || replicas_open(env, problem, &s)) {
        free(p);
        return 1;
    }
    p->s = s;
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->changed, NULL);
    *state = p;
    return pthread_create(&p->thread, NULL, work, p);
}

static int run(void *state, const void *const in[], void *const out[])
{
    struct pool *p = state;
    struct replicas *s = p->s;
    p->in = in;
    for (int r = 0; r < s->p->replicas; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
        pthread_mutex_lock(&p->mutex);
        p->epoch = epoch;
        p->todo = 1;
        pthread_cond_broadcast(&p->changed);
        pthread_mutex_unlock(&p->mutex);
        shards(p, 0);
        pthread_mutex_lock(&p->mutex);
        while (p->todo)
            pthread_cond_wait(&p->changed, &p->mutex);
        pthread_mutex_unlock(&p->mutex);
        if (merges_after(s->p, epoch))
            merge(s, 0, s->weights);
    }
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

static void pool_close(void *state)
{
    struct pool *p = state;
    pthread_mutex_lock(&p->mutex);
    p->quit = 1;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->mutex);
    replicas_close(p->s);
    free(p);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_sgd", "pthread", pool_open, run, pool_close};
