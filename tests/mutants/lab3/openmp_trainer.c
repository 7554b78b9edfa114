/* lab3: openmp_trainer, right and plain; each patch in openmp_trainer/ is a mistake in it. */
#include <omp.h>

#include "mlp/replicas.h"

static void train(const struct replicas *s, int me, int team, const void *const in[])
{
    const struct mlp_problem *p = s->p;
    size_t first = s->weights * (size_t)me / (size_t)team;
    size_t last = s->weights * (size_t)(me + 1) / (size_t)team;
    for (int r = me; r < p->replicas; r += team)
        start_from(s, r, in);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        for (int r = me; r < p->replicas; r += team)
            train_shard(s, r, epoch, in);
        if (merges_after(p, epoch)) {
#pragma omp barrier
            merge(s, first, last);
#pragma omp barrier
        }
    }
}

static int run(void *state, const void *const in[], void *const out[])
{
    struct replicas *s = state;
#pragma omp parallel num_threads(s->threads)
    train(s, omp_get_thread_num(), omp_get_num_threads(), in);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
