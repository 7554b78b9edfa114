/* Where shards end comes from a scan, which replica is the last with samples from a conditional
 * lastprivate, as OpenMP 5 has them. */
#include <omp.h>

#include "mlp/replicas.h"

/* end[r]: samples of the shards up to r's; returns the last replica that has any, else -1. */
static int ends(const struct replicas *s, int *end)
{
    int sum = 0, last_used = -1;
#pragma omp parallel num_threads(s->threads)
    {
#pragma omp for reduction(inscan, + : sum)
        for (int r = 0; r < s->p->replicas; r++) {
            {
                int first, last;
                mlp_shard(s->p, r, &first, &last);
                sum += last - first;
            }
#pragma omp scan inclusive(sum)
            end[r] = sum;
        }
#pragma omp for lastprivate(conditional : last_used) schedule(dynamic)
        for (int r = 0; r < s->p->replicas; r++)
            if (end[r] > (r ? end[r - 1] : 0))
                last_used = r;
    }
    return last_used;
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct replicas *s = state;
    const struct mlp_problem *p = s->p;
    int end[256];
    if (p->replicas > 256)
        return 1;
    const int used = ends(s, end) + 1;
#pragma omp parallel num_threads(s->threads)
    {
#pragma omp for
        for (int r = 0; r < p->replicas; r++)
            start_from(s, r, in);
        for (int epoch = 0; epoch < p->epochs; epoch++) {
#pragma omp for
            for (int r = 0; r < used; r++)
                train_positions(s, r, epoch, r ? end[r - 1] : 0, end[r], in);
            if (merges_after(p, epoch)) {
#pragma omp single
                merge(s, 0, s->weights);
            }
        }
    }
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,       "mlp_sgd", "openmp_trainer",
                                        replicas_open, run,       replicas_close};
