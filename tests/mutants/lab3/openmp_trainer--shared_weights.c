/* expect: wrong; hint: data race */
/* All threads train one net, without a lock. */
#include <omp.h>

#include "mlp/replicas.h"

static int run(void *state, const void *const in[], void *const out[])
{
    struct replicas *s = state;
    start_from(s, 0, in);
    for (int epoch = 0; epoch < s->p->epochs; epoch++) {
#pragma omp parallel for num_threads(s->threads)
        for (int r = 0; r < s->p->replicas; r++) {
            int first, last;
            mlp_shard(s->p, r, &first, &last);
            train_positions(s, 0, epoch, first, last, in);
        }
    }
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
