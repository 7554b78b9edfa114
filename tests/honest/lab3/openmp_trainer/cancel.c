/* Loops that might be cancelled, and never are. */
#include <omp.h>

#include "mlp/replicas.h"

static void train(const struct replicas *s, const void *const in[])
{
    const struct mlp_problem *p = s->p;
#pragma omp for
    for (int r = 0; r < p->replicas; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
#pragma omp for schedule(guided)
        for (int r = 0; r < p->replicas; r++) {
#pragma omp cancel for if (p->samples < 0)
            train_shard(s, r, epoch, in);
        }
        if (merges_after(p, epoch)) {
#pragma omp for schedule(static, 1)
            for (int part = 0; part < 2; part++)
                merge(s, part ? s->weights / 2 : 0, part ? s->weights : s->weights / 2);
        }
    }
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
#pragma omp parallel num_threads(s->threads)
    train(s, in);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
