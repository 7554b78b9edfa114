/* An ordered loop: replicas are trained side by side, and added to the sum in their order. */
#include <omp.h>

#include "mlp/replicas.h"

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    const int n = s->p->replicas;
    double *sum = out[MLP_W];
    memcpy(sum, in[MLP_W0], s->weights * sizeof *sum);
    for (int r = 0; r < n; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
        const int merges = merges_after(s->p, epoch);
        if (merges)
            memset(sum, 0, s->weights * sizeof *sum);
#pragma omp parallel for ordered schedule(static, 1) num_threads(s->threads)
        for (int r = 0; r < n; r++) {
            train_shard(s, r, epoch, in);
#pragma omp ordered
            for (size_t i = 0; merges && i < s->weights; i++)
                sum[i] += weights_of(s, r)[i];
        }
        for (size_t i = 0; merges && i < s->weights; i++) {
            sum[i] /= n;
            for (int r = 0; r < n; r++)
                weights_of(s, r)[i] = sum[i];
        }
    }
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
