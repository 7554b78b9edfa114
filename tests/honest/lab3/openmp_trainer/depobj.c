/* Dependences that are objects: the merge waits for a list that is made once. */
#include <omp.h>

#include "mlp/replicas.h"

static void train(const struct replicas *s, const void *const in[])
{
    const struct mlp_problem *p = s->p;
    omp_depend_t trained;
    char token;
#pragma omp depobj(trained) depend(inout : token)
    for (int r = 0; r < p->replicas; r++)
        start_from(s, r, in);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
#pragma omp depobj(trained) update(in)
        for (int r = 0; r < p->replicas; r++) {
#pragma omp task depend(depobj : trained) firstprivate(r)
            train_shard(s, r, epoch, in);
        }
#pragma omp depobj(trained) update(inout)
#pragma omp task depend(depobj : trained)
        if (merges_after(p, epoch)) {
            merge(s, 0, s->weights);
        }
    }
#pragma omp taskwait
#pragma omp depobj(trained) destroy
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
