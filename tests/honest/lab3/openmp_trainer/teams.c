/* A league of one team, whose threads share a loop. */
#include <omp.h>

#include "mlp/replicas.h"

static void epoch_of(const struct replicas *s, int epoch, const void *const in[])
{
    const struct mlp_problem *p = s->p;
#pragma omp teams num_teams(1) thread_limit(64)
#pragma omp parallel for num_threads(s->threads)
    for (int r = 0; r < p->replicas; r++) {
        if (epoch == 0)
            start_from(s, r, in);
        train_shard(s, r, epoch, in);
    }
    if (merges_after(p, epoch))
        merge(s, 0, s->weights);
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    for (int epoch = 0; epoch < s->p->epochs; epoch++)
        epoch_of(s, epoch, in);
    if (s->p->epochs == 0)
        start_from(s, 0, in);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
