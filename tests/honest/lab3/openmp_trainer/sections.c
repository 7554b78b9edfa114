/* Two sections, one for each half of the replicas. */
#include <omp.h>

#include "mlp/replicas.h"

static void half(const struct replicas *s, int first, int last, int epoch, const void *const in[])
{
    for (int r = first; r < last; r++)
        train_shard(s, r, epoch, in);
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    const int n = s->p->replicas;
    for (int r = 0; r < n; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
#pragma omp parallel sections num_threads(s->threads)
        {
#pragma omp section
            half(s, 0, n / 2, epoch, in);
#pragma omp section
            half(s, n / 2, n, epoch, in);
        }
        if (merges_after(s->p, epoch))
            merge(s, 0, s->weights);
    }
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
