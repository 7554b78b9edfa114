/* Threads that open() starts and close() ends wait for the turn of a call. */
#include <pthread.h>

#include "mlp/replicas.h"

struct team {
    struct replicas *s;
    const void *const *in;
    pthread_barrier_t barrier;
    pthread_mutex_t mutex;
    pthread_cond_t wake, done;
    unsigned turn;
    int busy, quit;
    pthread_t thread[64];
    struct member *members;
};

struct member {
    struct team *team;
    int me;
};

static void barrier_wait(struct team *t)
{
    pthread_barrier_wait(&t->barrier);
}

static void *work(void *argument)
{
    const struct member *m = argument;
    struct team *t = m->team;
    struct replicas *s = t->s;
    size_t first = s->weights * (size_t)m->me / (size_t)s->threads;
    size_t last = s->weights * (size_t)(m->me + 1) / (size_t)s->threads;
    for (int r = m->me; r < s->p->replicas; r += s->threads)
        start_from(s, r, t->in);
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
        for (int r = m->me; r < s->p->replicas; r += s->threads)
            train_shard(s, r, epoch, t->in);
        if (merges_after(s->p, epoch)) {
            barrier_wait(t);
            merge(s, first, last);
            barrier_wait(t);
        }
    }
    return NULL;
}

static void *serve(void *argument)
{
    struct member *m = argument;
    struct team *t = m->team;
    unsigned seen = 0;
    for (;;) {
        pthread_mutex_lock(&t->mutex);
        while (t->turn == seen && !t->quit)
            pthread_cond_wait(&t->wake, &t->mutex);
        seen = t->turn;
        const int quit = t->quit;
        pthread_mutex_unlock(&t->mutex);
        if (quit)
            return NULL;
        work(m);
        pthread_mutex_lock(&t->mutex);
        if (--t->busy == 0)
            pthread_cond_signal(&t->done);
        pthread_mutex_unlock(&t->mutex);
    }
}

static int open_team(const struct hpc_env *env, const void *problem, void **state)
{
    void *inner;
    if (replicas_open(env, problem, &inner))
        return 1;
    struct team *t = calloc(1, sizeof *t);
    t->s = inner;
    t->members = calloc((size_t)t->s->threads, sizeof *t->members);
    pthread_barrier_init(&t->barrier, NULL, (unsigned)t->s->threads);
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->wake, NULL);
    pthread_cond_init(&t->done, NULL);
    for (int i = 0; i < t->s->threads; i++) {
        t->members[i] = (struct member){t, i};
        if (pthread_create(&t->thread[i], NULL, serve, &t->members[i]))
            return 1;
    }
    *state = t;
    return 0;
}

static int run(void *state, const void *const in[], void *const out[])
{
    struct team *t = state;
    pthread_mutex_lock(&t->mutex);
    t->in = in;
    t->busy = t->s->threads;
    t->turn++;
    pthread_cond_broadcast(&t->wake);
    while (t->busy)
        pthread_cond_wait(&t->done, &t->mutex);
    pthread_mutex_unlock(&t->mutex);
    memcpy(out[MLP_W], t->s->replica, t->s->weights * sizeof(double));
    return 0;
}

static void close_team(void *state)
{
    struct team *t = state;
    pthread_mutex_lock(&t->mutex);
    t->quit = 1;
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->mutex);
    for (int i = 0; i < t->s->threads; i++)
        pthread_join(t->thread[i], NULL);
    pthread_barrier_destroy(&t->barrier);
    pthread_mutex_destroy(&t->mutex);
    pthread_cond_destroy(&t->wake);
    pthread_cond_destroy(&t->done);
    replicas_close(t->s);
    free(t->members);
    free(t);
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_sgd", "pthread", open_team, run, close_team};
