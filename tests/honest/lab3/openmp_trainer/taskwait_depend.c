/* A task a replica; who merges waits for each by taskwait with its dependence. */
#include <omp.h>

#include "mlp/replicas.h"

static void train(const struct replicas *s, const void *const in[])
{
    const struct mlp_problem *p = s->p;
    char *turn = calloc((size_t)p->replicas, 1);
    for (int r = 0; r < p->replicas; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        for (int r = 0; r < p->replicas; r++) {
#pragma omp task firstprivate(r, epoch) depend(inout : turn[r])
            train_shard(s, r, epoch, in);
        }
        if (!merges_after(p, epoch))
            continue;
        for (int r = 0; r < p->replicas; r++) {
#pragma omp taskwait depend(in : turn[r])
        }
        merge(s, 0, s->weights);
    }
    free(turn);
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
