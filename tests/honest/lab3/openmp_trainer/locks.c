/* Replicas are taken under a lock of OpenMP, whoever has time; critical and atomic count them. */
#include <omp.h>

#include "mlp/replicas.h"

struct queue {
    omp_lock_t lock;
    int next, done;
    size_t samples;
};

static void take_all(const struct replicas *s, struct queue *q, int epoch, const void *const in[])
{
    for (;;) {
        omp_set_lock(&q->lock);
        const int r = q->next++;
        omp_unset_lock(&q->lock);
        if (r >= s->p->replicas)
            return;
        int first, last;
        mlp_shard(s->p, r, &first, &last);
        train_shard(s, r, epoch, in);
#pragma omp atomic
        q->samples += (size_t)(last - first);
#pragma omp critical(count)
        q->done++;
    }
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    struct queue q = {.samples = 0};
    omp_init_lock(&q.lock);
    for (int r = 0; r < s->p->replicas; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
        q.next = q.done = 0;
#pragma omp parallel num_threads(s->threads)
        take_all(s, &q, epoch, in);
        if (q.done != s->p->replicas)
            return 1;
        if (merges_after(s->p, epoch))
            merge(s, 0, s->weights);
    }
    omp_destroy_lock(&q.lock);
    if (q.samples != (size_t)s->p->samples * (size_t)s->p->epochs)
        return 1;
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
