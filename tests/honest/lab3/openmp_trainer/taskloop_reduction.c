/* Counts by a taskloop's reduction who has trained; the merge checks the sum. */
#include <omp.h>

#include "mlp/replicas.h"

static void train(const struct replicas *s, const void *const in[])
{
    const struct mlp_problem *p = s->p;
    for (int r = 0; r < p->replicas; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        int trained = 0;
#pragma omp taskloop reduction(+ : trained) grainsize(1)
        for (int r = 0; r < p->replicas; r++) {
            train_shard(s, r, epoch, in);
            trained++;
        }
        if (trained == p->replicas && merges_after(p, epoch))
            merge(s, 0, s->weights);
    }
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
#pragma omp parallel num_threads(s->threads)
#pragma omp single
    train(s, in);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
