/* A merge by a reduction over an array: the sum comes in any order. */
#include <omp.h>

#include "mlp/replicas.h"

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    const int n = s->p->replicas;
    const size_t weights = s->weights;
    double *sum = out[MLP_W];
    memcpy(sum, in[MLP_W0], weights * sizeof *sum);
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
        const int starts = epoch == 0, merges = merges_after(s->p, epoch);
        if (merges)
            memset(sum, 0, weights * sizeof *sum);
#pragma omp parallel for schedule(dynamic) num_threads(s->threads) reduction(+ : sum[:weights])
        for (int r = 0; r < n; r++) {
            if (starts)
                start_from(s, r, in);
            train_shard(s, r, epoch, in);
            for (size_t i = 0; merges && i < weights; i++)
                sum[i] += weights_of(s, r)[i];
        }
#pragma omp parallel for collapse(2) num_threads(s->threads)
        for (int r = 0; r < n; r++)
            for (size_t i = 0; i < weights; i++)
                if (merges)
                    weights_of(s, r)[i] = sum[i] / n;
    }
    memcpy(sum, s->replica, s->p->epochs ? weights * sizeof *sum : 0);
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
