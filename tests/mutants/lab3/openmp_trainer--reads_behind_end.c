/* expect: unsafe; reason: heap */
/* Reads one double behind the last replica, and doesn't use it. */

#include "mlp/replicas.h"

static int run(void *state, const void *const in[], void *const out[])
{
    struct replicas *s = state;
    const struct mlp_problem *p = s->p;
    double largest = 0;
    for (int r = 0; r < p->replicas; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
#pragma omp parallel for num_threads(s->threads)
        for (int r = 0; r < p->replicas; r++)
            train_shard(s, r, epoch, in);
        if (merges_after(p, epoch))
            merge(s, 0, s->weights);
    }
    for (size_t i = 0; i <= (size_t)p->replicas * s->stride; i++)
        largest = s->replica[i] > largest ? s->replica[i] : largest;
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return largest < 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
