/* lab4: pthread, right and plain; each patch in pthread/ is a mistake in it. */
#include <pthread.h>

#include "mlp/replicas.h"

struct team {
    struct replicas *s;
    const void *const *in;
    pthread_barrier_t barrier;
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

static int run(void *state, const void *const in[], void *const out[])
{
    struct replicas *s = state;
    struct team team = {.s = s, .in = in};
    struct member members[64];
    pthread_t thread[64];
    pthread_barrier_init(&team.barrier, NULL, (unsigned)s->threads);
    for (int t = 0; t < s->threads; t++) {
        members[t] = (struct member){&team, t};
        if (t > 0 && pthread_create(&thread[t], NULL, work, &members[t]))
            return 1;
    }
    work(&members[0]);
    for (int t = 1; t < s->threads; t++)
        pthread_join(thread[t], NULL);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "pthread",
                                        replicas_open, run,       replicas_close};
