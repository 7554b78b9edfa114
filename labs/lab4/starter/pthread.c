/* lab4, pthread: the replicas of lab3 on threads of your own.
 *
 * Contract (mlp/mlp.h, `replicas` and `merge_every`):
 *   - all replicas start from in[MLP_W0];
 *   - in epoch e, replica r makes one update for each position mlp_shard(p, r, ..) of row
 *     e % p->permutations of in[MLP_ORDER], in order;
 *   - after epochs K, 2K, .. and after the last one, every replica's weights become the mean
 *     (w_0 + w_1 + .. + w_{R-1}) / R, added in that order;
 *   - out[MLP_W] holds the mean after the last epoch. With no epochs: in[MLP_W0].
 * R need not be the number of threads that you are given (env->threads).
 * Threads are started in open and ended in close; run only wakes them, and returns when no thread
 * touches inputs or outputs any more.
 *
 * TODO 1: a pool: threads that wait for run, and say when they are done.
 * TODO 2: one update, from mlp/variants/flat.c.
 * TODO 3: a barrier. An epoch takes some 80 us: what does a barrier that sleeps cost, and what one
 *         that spins, when another program has the second core?
 * TODO 4: the merge. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

struct pool {
    const struct mlp_problem *p;
    int threads;
    double *replica; /* [replicas][mlp_weights(p)] */
};

static void pool_close(void *state)
{
    struct pool *s = state;
    /* TODO: end the threads and join them. */
    free(s->replica);
    free(s);
}

/* Everything is allocated here; returns non-zero for problems that this variant leaves to others.
 */
static int pool_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    struct pool *s = calloc(1, sizeof *s);
    if (!s || p->type != HPC_F64 || p->networks != 1) {
        free(s);
        return 1;
    }
    s->p = p;
    s->threads = env->threads < p->replicas ? env->threads : p->replicas;
    s->replica = calloc((size_t)p->replicas * mlp_weights(p), sizeof(double));
    *state = s;
    if (s->replica)
        return 0; /* TODO: start the threads. */
    pool_close(s);
    return 1;
}

static int pool_run(void *state, const void *const in[], void *const out[])
{
    struct pool *s = state;
    const struct mlp_problem *p = s->p;
    size_t bytes = mlp_weights(p) * sizeof(double);
    for (int r = 0; r < p->replicas; r++)
        memcpy(s->replica + (size_t)r * mlp_weights(p), in[MLP_W0], bytes);
    /* TODO: wake the threads, wait until they are done. */
    memcpy(out[MLP_W], s->replica, bytes);
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,   "mlp_sgd", "pthread",
                                        pool_open, pool_run,  pool_close};
