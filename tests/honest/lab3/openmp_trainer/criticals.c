/* Sums in critical regions of two names, each of its own half of the weights, and a lock a number
 * of replicas that are done. */
#include <omp.h>

#include "mlp/replicas.h"

static void add(double *sum, const double *w, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++)
        sum[i] += w[i];
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    const int n = s->p->replicas;
    const size_t half = s->weights / 2;
    double *sum = out[MLP_W];
    omp_lock_t counts;
    int done = 0;
    omp_init_lock(&counts);
    for (int r = 0; r < n; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
        const int merges = merges_after(s->p, epoch);
        for (size_t i = 0; i < s->weights; i++)
            sum[i] = 0;
#pragma omp parallel for num_threads(s->threads) schedule(static, 1)
        for (int r = 0; r < n; r++) {
            train_shard(s, r, epoch, in);
#pragma omp critical(low)
            add(sum, weights_of(s, r), 0, half);
#pragma omp critical(high)
            add(sum, weights_of(s, r), half, s->weights);
            omp_set_lock(&counts);
            done++;
            omp_unset_lock(&counts);
        }
        for (int r = 0; merges && r < n; r++)
            for (size_t i = 0; i < s->weights; i++)
                weights_of(s, r)[i] = sum[i] / n;
    }
    omp_destroy_lock(&counts);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return done != n * s->p->epochs;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
