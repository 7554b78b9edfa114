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

struct team {
    const struct replicas *s;
    const void *const *in;
    struct barrier barrier;
};

struct member {
    struct team *team;
    int me;
};

static void *work(void *argument)
{
    const struct member *m = argument;
    const struct replicas *s = m->team->s;
    const size_t n = (size_t)s->threads, me = (size_t)m->me;
    for (int r = m->me; r < s->p->replicas; r += s->threads)
        start_from(s, r, m->team->in);
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
        for (int r = m->me; r < s->p->replicas; r += s->threads)
            train_shard(s, r, epoch, m->team->in);
        if (merges_after(s->p, epoch)) {
            barrier_wait(&m->team->barrier);
            merge(s, s->weights * me / n, s->weights * (me + 1) / n);
            barrier_wait(&m->team->barrier);
        }
    }
    return NULL;
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    struct team team = {.s = s, .in = in};
    struct member members[64];
    pthread_t thread[64];
    if (barrier_open(&team.barrier, s->threads))
        return 1;
    for (int t = 0; t < s->threads; t++) {
        members[t] = (struct member){&team, t};
        if (t > 0 && pthread_create(&thread[t], NULL, work, &members[t]))
            return 1;
    }
    work(&members[0]);
    for (int t = 1; t < s->threads; t++)
        pthread_join(thread[t], NULL);
    barrier_close(&team.barrier);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "pthread",
                                        replicas_open, run,       replicas_close};
