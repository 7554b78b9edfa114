/* Who trains a replica is settled under a nested lock of it, taken twice. */
#include <omp.h>

#include "mlp/replicas.h"

/* Whether this epoch of a replica is the caller's. */
static int claims(omp_nest_lock_t *lock, int *done, int epoch)
{
    int mine = 0;
    omp_set_nest_lock(lock);
    if (omp_test_nest_lock(lock)) {
        mine = *done == epoch;
        *done = epoch + 1;
        omp_unset_nest_lock(lock);
    }
    omp_unset_nest_lock(lock);
    return mine;
}

static void train(const struct replicas *s, omp_nest_lock_t *lock, int *done,
                  const void *const in[])
{
    const struct mlp_problem *p = s->p;
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        for (int r = 0; r < p->replicas; r++)
            if (claims(&lock[r], &done[r], epoch)) {
                if (epoch == 0)
                    start_from(s, r, in);
                train_shard(s, r, epoch, in);
            }
#pragma omp barrier
#pragma omp single
        if (merges_after(p, epoch))
            merge(s, 0, s->weights);
    }
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    const int n = s->p->replicas;
    omp_nest_lock_t lock[256];
    int done[256] = {0};
    if (n > 256)
        return 1;
    for (int r = 0; r < n; r++)
        omp_init_nest_lock(&lock[r]);
#pragma omp parallel num_threads(s->threads)
    train(s, lock, done, in);
    for (int r = 0; r < n; r++)
        omp_destroy_nest_lock(&lock[r]);
    if (s->p->epochs == 0)
        start_from(s, 0, in);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
