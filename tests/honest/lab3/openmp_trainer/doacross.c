/* One loop over the replicas, whose weights are added up in their order: ordered depend(sink). */
#include <omp.h>

#include "mlp/replicas.h"

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    const int n = s->p->replicas;
    double *sum = out[MLP_W];
    for (int r = 0; r < n; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
        const int merges = merges_after(s->p, epoch);
#pragma omp parallel num_threads(s->threads)
        {
#pragma omp for ordered(1) schedule(static, 1)
            for (int r = 0; r < n; r++) {
                train_shard(s, r, epoch, in);
#pragma omp ordered depend(sink : r - 1)
                for (size_t i = 0; merges && i < s->weights; i++)
                    sum[i] = (r ? sum[i] : 0) + weights_of(s, r)[i];
#pragma omp ordered depend(source)
            }
#pragma omp for
            for (int r = 0; r < n; r++)
                for (size_t i = 0; merges && i < s->weights; i++)
                    weights_of(s, r)[i] = sum[i] / n;
        }
    }
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
