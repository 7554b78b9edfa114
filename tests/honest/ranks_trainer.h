/* The training around a merge, for right solutions of lab9 that differ in how they merge:
 * tests/honest lays it into mlp/. Who includes it defines merge(): s->w of each rank becomes the
 * mean. */
#ifndef HPC_HONEST_RANKS_TRAINER_H
#define HPC_HONEST_RANKS_TRAINER_H

#include <mpi.h>

#include "mlp/ranks/replica.h"

static int merge(struct replica *s);

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
    replica_start(s, in);
    for (int epoch = 1; epoch <= s->p->epochs; epoch++) {
        replica_epoch(s, me, epoch - 1, in);
        const int due = epoch % s->p->merge_every == 0 || epoch == s->p->epochs;
        if (due && merge(s))
            return 1;
    }
    memcpy(out[MLP_W], s->w, s->n * sizeof *s->w);
    return 0;
}

static void ranks_close(void *state)
{
    replica_close(state);
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_ranks", "replicas",
                                        ranks_open, ranks_run,   ranks_close};

#endif
