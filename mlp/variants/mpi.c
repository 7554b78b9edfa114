/* mlp_ranks/mpi: replicas on the ranks of an MPI program, averaged by MPI_Allreduce.
 *
 * Changes from pthread: replicas are processes, which share nothing: each has the samples of its
 * own shard, and a merge sends weights. One collective call a merge, in place.
 * Why it wins: it goes on where one machine ends; MPI chooses how the sum travels by its length.
 * What limits it now: a merge costs at least the latency of log2(ranks) messages, and the weights
 * cross a link nearly twice, whatever an epoch of the shard takes. */
#include <mpi.h>

#include "mlp/variants/ranks_train.h"

static int merge(struct replica *s)
{
    const int failed =
        MPI_Allreduce(MPI_IN_PLACE, s->w, (int)s->n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (size_t i = 0; i < s->n; i++)
        s->w[i] /= s->p->replicas;
    return failed;
}

static int ranks_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = replica_open(problem);
    return *state ? 0 : 1;
}

static int ranks_run(void *state, const void *const in[], void *const out[])
{
    struct replica *s = state;
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const int failed = replica_train(s, me, in, merge);
    memcpy(out[MLP_W], s->w, s->n * sizeof *s->w);
    return failed;
}

static void ranks_close(void *state)
{
    replica_close(state);
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_ranks", "mpi",
                                        ranks_open, ranks_run,   ranks_close};
