/* Untied tasks of different priority that yield. */
#include <omp.h>

#include "mlp/replicas.h"

static void train(const struct replicas *s, const void *const in[])
{
    const struct mlp_problem *p = s->p;
    for (int r = 0; r < p->replicas; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
#pragma omp taskgroup
        for (int r = 0; r < p->replicas; r++) {
#pragma omp task untied firstprivate(r) priority(r)
            {
                int first, last;
                mlp_shard(p, r, &first, &last);
                train_positions(s, r, epoch, first, (first + last) / 2, in);
#pragma omp taskyield
                train_positions(s, r, epoch, (first + last) / 2, last, in);
            }
        }
        if (merges_after(p, epoch))
            merge(s, 0, s->weights);
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
