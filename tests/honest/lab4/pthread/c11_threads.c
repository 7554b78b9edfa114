/* Threads, a mutex and a condition of C11's <threads.h>; each thread's number thread-local. */
#include <threads.h>

#include "mlp/replicas.h"

struct team {
    const struct replicas *s;
    const void *const *in;
    mtx_t mutex;
    cnd_t met;
    int waiting, round, numbers;
};

static thread_local int me;

static void meet(struct team *t)
{
    mtx_lock(&t->mutex);
    const int round = t->round;
    if (++t->waiting == t->s->threads) {
        t->waiting = 0;
        t->round++;
        cnd_broadcast(&t->met);
    }
    while (t->round == round)
        cnd_wait(&t->met, &t->mutex);
    mtx_unlock(&t->mutex);
}

static int work(void *argument)
{
    struct team *t = argument;
    const struct replicas *s = t->s;
    mtx_lock(&t->mutex);
    me = t->numbers++;
    mtx_unlock(&t->mutex);
    for (int r = me; r < s->p->replicas; r += s->threads)
        start_from(s, r, t->in);
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
        for (int r = me; r < s->p->replicas; r += s->threads)
            train_shard(s, r, epoch, t->in);
        if (merges_after(s->p, epoch)) {
            meet(t);
            if (me == 0)
                merge(s, 0, s->weights);
            meet(t);
        }
    }
    return 0;
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    struct team team = {.s = s, .in = in};
    thrd_t thread[64];
    if (mtx_init(&team.mutex, mtx_plain) != thrd_success || cnd_init(&team.met) != thrd_success)
        return 1;
    for (int t = 0; t < s->threads; t++)
        if (thrd_create(&thread[t], work, &team) != thrd_success)
            return 1;
    for (int t = 0; t < s->threads; t++)
        thrd_join(thread[t], NULL);
    cnd_destroy(&team.met);
    mtx_destroy(&team.mutex);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "pthread",
                                        replicas_open, run,       replicas_close};
