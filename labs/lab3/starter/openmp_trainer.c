/* lab3, openmp_trainer: R replicas of the net, each trained by a thread on its shard of every
 * epoch, averaged after every K epochs.
 *
 * Contract (mlp/mlp.h, `replicas` and `merge_every`):
 *   - all replicas start from in[MLP_W0];
 *   - in epoch e, replica r makes one update for each position mlp_shard(p, r, ..) of row
 *     e % p->permutations of in[MLP_ORDER], in order;
 *   - after epochs K, 2K, .. and after the last one, every replica's weights become the mean
 *     (w_0 + w_1 + .. + w_{R-1}) / R, added in that order;
 *   - out[MLP_W] holds the mean after the last epoch. With no epochs: in[MLP_W0].
 * R need not be the number of threads that you are given (env->threads), and the result must not
 * depend on it.
 *
 * TODO 1: copy flat's functions (mlp/variants/flat.c) to here, and let them work on one replica.
 * TODO 2: one parallel region a call; in it, each thread trains its replicas for an epoch.
 * TODO 3: the merge. Where are barriers needed? Who averages which weights?
 * TODO 4: do two replicas ever write to the same cache line? */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

struct trainer {
    const struct mlp_problem *p;
    int threads;
    double *replica; /* [replicas][mlp_weights(p)] */
};

static void trainer_close(void *state)
{
    struct trainer *s = state;
    free(s->replica);
    free(s);
}

/* Everything is allocated here; returns non-zero for problems that this variant leaves to others.
 */
static int trainer_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    struct trainer *s = calloc(1, sizeof *s);
    if (!s || p->type != HPC_F64 || p->networks != 1) {
        free(s);
        return 1;
    }
    s->p = p;
    s->threads = env->threads;
    s->replica = calloc((size_t)p->replicas * mlp_weights(p), sizeof(double));
    *state = s;
    if (s->replica)
        return 0;
    trainer_close(s);
    return 1;
}

static int trainer_run(void *state, const void *const in[], void *const out[])
{
    struct trainer *s = state;
    const struct mlp_problem *p = s->p;
    size_t bytes = mlp_weights(p) * sizeof(double);
    for (int r = 0; r < p->replicas; r++)
        memcpy(s->replica + (size_t)r * mlp_weights(p), in[MLP_W0], bytes);
    /* TODO: train and merge. */
    memcpy(out[MLP_W], s->replica, bytes);
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,      "mlp_sgd",   "openmp_trainer",
                                        trainer_open, trainer_run, trainer_close};
