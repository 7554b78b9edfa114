/* The trainer of those whose barrier is their own: who includes it has made before
 *     struct barrier; int barrier_open(struct barrier *, int threads); barrier_wait, barrier_close.
 * RACY leaves out the barrier behind the merge, which the thread sanitizer must see. */
#ifndef HPC_HONEST_BARRIER_TRAINER_H
#define HPC_HONEST_BARRIER_TRAINER_H

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
#ifndef RACY
            barrier_wait(&m->team->barrier);
#endif
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

#endif
