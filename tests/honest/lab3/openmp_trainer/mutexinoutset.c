/* Replicas add themselves to the mean in any order, one at a time. */
#include <omp.h>

#include "mlp/replicas.h"

static void train(const struct replicas *s, double *sum, const void *const in[])
{
    const struct mlp_problem *p = s->p;
    const size_t n = s->weights;
    for (int r = 0; r < p->replicas; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        memset(sum, 0, n * sizeof *sum);
        for (int r = 0; r < p->replicas; r++) {
            double *own = weights_of(s, r);
#pragma omp task depend(out : own[0]) firstprivate(r)
            train_shard(s, r, epoch, in);
#pragma omp task depend(in : own[0]) depend(mutexinoutset : sum[0])
            for (size_t i = 0; i < n; i++)
                sum[i] += own[i];
        }
#pragma omp taskwait
        for (int r = 0; merges_after(p, epoch) && r < p->replicas; r++)
            for (size_t i = 0; i < n; i++)
                weights_of(s, r)[i] = sum[i] / p->replicas;
    }
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    double *sum = out[MLP_W];
#pragma omp parallel num_threads(s->threads)
#pragma omp single
    train(s, sum, in);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
