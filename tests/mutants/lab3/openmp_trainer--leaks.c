/* expect: unsafe; reason: leak */
/* Allocates in run and never frees. */

#include "mlp/replicas.h"

static int run(void *state, const void *const in[], void *const out[])
{
    struct replicas *s = state, mine = *s;
    const struct mlp_problem *p = s->p;
    mine.replica = calloc((size_t)p->replicas * s->stride, sizeof(double));
    if (!mine.replica)
        return 1;
    s = &mine;
    for (int r = 0; r < p->replicas; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
#pragma omp parallel for num_threads(s->threads)
        for (int r = 0; r < p->replicas; r++)
            train_shard(s, r, epoch, in);
        if (merges_after(p, epoch))
            merge(s, 0, s->weights);
    }
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
