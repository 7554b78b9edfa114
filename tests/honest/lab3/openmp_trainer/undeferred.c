/* A task a replica; the merge is a task that depends on all of them and is not put off: if(0). */
#include <omp.h>

#include "mlp/replicas.h"

static void train(const struct replicas *s, const void *const in[])
{
    const struct mlp_problem *p = s->p;
    const int n = p->replicas;
    char *turn = calloc((size_t)n, 1);
    for (int r = 0; r < n; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        for (int r = 0; r < n; r++) {
#pragma omp task firstprivate(r, epoch) depend(inout : turn[r])
            train_shard(s, r, epoch, in);
        }
#pragma omp task if (0) depend(iterator(r = 0 : n), inout : turn[r])
        if (merges_after(p, epoch))
            merge(s, 0, s->weights);
    }
#pragma omp taskwait
    free(turn);
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
#pragma omp parallel num_threads(s->threads)
#pragma omp masked
    train(s, in);
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
