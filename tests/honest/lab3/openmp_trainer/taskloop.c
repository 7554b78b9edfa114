/* A taskloop over the replicas, and another one over the weights of the merge. */
#include <omp.h>

#include "mlp/replicas.h"

#define PIECE 64

static void train(const struct replicas *s, const void *const in[])
{
    const struct mlp_problem *p = s->p;
#pragma omp taskloop grainsize(1)
    for (int r = 0; r < p->replicas; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
#pragma omp taskloop grainsize(1)
        for (int r = 0; r < p->replicas; r++)
            train_shard(s, r, epoch, in);
        if (!merges_after(p, epoch))
            continue;
#pragma omp taskloop
        for (size_t first = 0; first < s->weights; first += PIECE)
            merge(s, first, first + PIECE < s->weights ? first + PIECE : s->weights);
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
