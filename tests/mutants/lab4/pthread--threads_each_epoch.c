/* expect: pass|noisy; points: <90 */
/* Right; starts and joins its threads anew for every epoch. */
#include <pthread.h>

#include "mlp/replicas.h"

struct job {
    struct replicas *s;
    const void *const *in;
    int me, epoch;
};

static void *work(void *argument)
{
    const struct job *j = argument;
    for (int r = j->me; r < j->s->p->replicas; r += j->s->threads)
        train_shard(j->s, r, j->epoch, j->in);
    return NULL;
}

static int run(void *state, const void *const in[], void *const out[])
{
    struct replicas *s = state;
    pthread_t thread[64];
    struct job jobs[64];
    for (int r = 0; r < s->p->replicas; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
        for (int t = 0; t < s->threads; t++) {
            jobs[t] = (struct job){s, in, t, epoch};
            if (pthread_create(&thread[t], NULL, work, &jobs[t]))
                return 1;
        }
        for (int t = 0; t < s->threads; t++)
            pthread_join(thread[t], NULL);
        if (merges_after(s->p, epoch))
            merge(s, 0, s->weights);
    }
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "pthread",
                                        replicas_open, run,       replicas_close};
