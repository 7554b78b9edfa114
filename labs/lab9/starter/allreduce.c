/* lab9, allreduce: replicas on the ranks of an MPI program, averaged by one collective call.
 *
 * Contract (mlp/mlp.h, "mlp_ranks"): every function here runs in each of p->replicas processes, the
 * ranks, which share nothing. Rank r has the rows of its own shard in in[MLP_X] and in[MLP_Y], and
 * trains replica r on them:
 *   - all replicas start from in[MLP_W0];
 *   - after epochs K, 2K, .. (p->merge_every) and after the last one, every replica's weights
 * become the mean over the ranks; every rank takes part in each merge, one without samples too;
 *   - out[MLP_W] of EVERY rank holds the mean after the last epoch. With no epochs: in[MLP_W0].
 * A replica and its training are given, mlp/ranks/replica.h: a rank has nothing to train with but
 * its own shard. MPI runs already when open is called, and is ended behind close: call neither
 * MPI_Init nor MPI_Finalize.
 *
 * TODO 1: after which epochs is a merge due? All ranks must say the same, or one waits for ever.
 * TODO 2: the merge. */
#include <mpi.h>

#include "mlp/ranks/replica.h"

/* s->w of every rank becomes the mean over the ranks. 0, or what MPI returned. */
static int merge(struct replica *s)
{
    /* TODO 2: one call of MPI_Allreduce, with MPI_IN_PLACE; and what makes a mean of a sum? */
    (void)s;
    return 0;
}

/* All epochs of this rank's replica. */
static int train(struct replica *s, int me, const void *const in[])
{
    int failed = 0;
    replica_start(s, in);
    for (int epoch = 0; epoch < s->p->epochs && !failed; epoch++) {
        replica_epoch(s, me, epoch, in);
        if (0) /* TODO 1 */
            failed = merge(s);
    }
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
    const int failed = train(s, me, in);
    memcpy(out[MLP_W], s->w, s->n * sizeof *s->w);
    return failed;
}

static void ranks_close(void *state)
{
    replica_close(state);
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_ranks", "allreduce",
                                        ranks_open, ranks_run,   ranks_close};
