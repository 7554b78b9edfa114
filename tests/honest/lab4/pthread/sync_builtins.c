/* A barrier of the older __sync builtins, whose spinning reads are __atomic ones. */
#include <pthread.h>
#include <sched.h>

#include "mlp/replicas.h"

struct barrier {
    int waiting, round, threads;
};

static int barrier_open(struct barrier *b, int threads)
{
    *b = (struct barrier){.threads = threads};
    return 0;
}

static void barrier_wait(struct barrier *b)
{
    const int round = __atomic_load_n(&b->round, __ATOMIC_ACQUIRE);
    if (__sync_add_and_fetch(&b->waiting, 1) == b->threads) {
        b->waiting = 0;
        __sync_fetch_and_add(&b->round, 1);
        return;
    }
    while (__atomic_load_n(&b->round, __ATOMIC_ACQUIRE) == round) {
        __builtin_ia32_pause();
        sched_yield();
    }
}

static void barrier_close(struct barrier *b)
{
    (void)b;
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
