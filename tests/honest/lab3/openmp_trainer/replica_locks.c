/* Each replica is trained while a lock of that replica is held, for which no thread waits. */
#include <omp.h>

#include "mlp/replicas.h"

enum { MOST = 256 };

static void train(const struct replicas *s, omp_nest_lock_t *lock, const void *const in[])
{
    const struct mlp_problem *p = s->p;
    for (int epoch = 0; epoch < p->epochs; epoch++) {
#pragma omp for schedule(static)
        for (int r = 0; r < p->replicas; r++) {
            omp_set_nest_lock(&lock[r]);
            if (epoch == 0)
                start_from(s, r, in);
            train_shard(s, r, epoch, in);
            omp_unset_nest_lock(&lock[r]);
        }
#pragma omp single
        if (merges_after(p, epoch))
            merge(s, 0, s->weights);
    }
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    const int n = s->p->replicas;
    omp_nest_lock_t lock[MOST];
    if (n > MOST)
        return 1;
    for (int r = 0; r < n; r++)
        omp_init_nest_lock(&lock[r]);
#pragma omp parallel num_threads(s->threads)
    train(s, lock, in);
    for (int r = 0; r < n; r++)
        omp_destroy_nest_lock(&lock[r]);
    if (s->p->epochs == 0)
        start_from(s, 0, in);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
