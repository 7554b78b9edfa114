/* Threads start the replicas that a static ordered loop of single iterations will give them. */
#include <omp.h>

#include "mlp/replicas.h"

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    const int n = s->p->replicas;
    double *sum = out[MLP_W];
#pragma omp parallel num_threads(s->threads)
    {
        for (int r = omp_get_thread_num(); r < n; r += omp_get_num_threads())
            start_from(s, r, in);
        for (int epoch = 0; epoch < s->p->epochs; epoch++) {
            const int merges = merges_after(s->p, epoch);
#pragma omp for ordered schedule(static, 1)
            for (int r = 0; r < n; r++) {
                train_shard(s, r, epoch, in);
#pragma omp ordered
                for (size_t i = 0; merges && i < s->weights; i++)
                    sum[i] = (r ? sum[i] : 0) + weights_of(s, r)[i];
            }
#pragma omp for schedule(static, 1)
            for (int r = 0; r < n; r++)
                for (size_t i = 0; merges && i < s->weights; i++)
                    weights_of(s, r)[i] = sum[i] / n;
        }
    }
    memcpy(out[MLP_W], weights_of(s, 0), s->weights * sizeof *sum);
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
