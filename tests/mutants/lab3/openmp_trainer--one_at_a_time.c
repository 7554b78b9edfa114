/* expect: pass|noisy; points: <45 */
/* Right, and in parallel only by its pragmas. */

#include "mlp/replicas.h"

static int run(void *state, const void *const in[], void *const out[])
{
    struct replicas *s = state;
    const struct mlp_problem *p = s->p;
    for (int r = 0; r < p->replicas; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
#pragma omp parallel for num_threads(s->threads)
        for (int r = 0; r < p->replicas; r++) {
#pragma omp critical
            train_shard(s, r, epoch, in);
        }
        if (merges_after(p, epoch))
            merge(s, 0, s->weights);
    }
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
