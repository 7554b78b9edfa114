/* A thread finds its replicas in variables of its own: threadprivate, copyin, flush and a spin on
 * an atomic in place of a barrier. */
#include <omp.h>

#include "mlp/replicas.h"

static int me, team;
#pragma omp threadprivate(me, team)

static void meet(int *arrived, int all)
{
    int seen;
#pragma omp atomic update seq_cst
    *arrived += 1;
    do {
#pragma omp atomic read seq_cst
        seen = *arrived;
    } while (seen < all);
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    int arrived = 0;
    team = 0;
#pragma omp parallel num_threads(s->threads) copyin(team)
    {
        int all = 0;
        me = omp_get_thread_num();
        team = omp_get_num_threads();
        for (int r = me; r < s->p->replicas; r += team)
            start_from(s, r, in);
        for (int epoch = 0; epoch < s->p->epochs; epoch++) {
            for (int r = me; r < s->p->replicas; r += team)
                train_shard(s, r, epoch, in);
            if (!merges_after(s->p, epoch))
                continue;
            meet(&arrived, all += team);
#pragma omp single nowait
            merge(s, 0, s->weights);
            meet(&arrived, all += team);
        }
    }
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
