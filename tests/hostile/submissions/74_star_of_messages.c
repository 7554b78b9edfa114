/* family 74: no ring, but a star: all send their weights to one rank, which sends their mean to all
 * lab lab9
 * task ring
 * needs mpi
 * grade: rejected; points <= 0; reason: one rank sent; hint: right neighbour
 * without even_ranks: pass; points >= 40 */
#include <mpi.h>

#include "mlp/ranks/replica.h"

static int to_one(double *from, double *to, int n, int tag, int peer)
{
    double none;
    return MPI_Sendrecv(from ? from : &none, from ? n : 0, MPI_DOUBLE, peer, tag, to ? to : &none,
                        to ? n : 0, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int merge(struct replica *s, int me)
{
    const int ranks = s->p->replicas, n = (int)s->n;
    int failed = 0;
    if (me > 0)
        return to_one(s->w, NULL, n, 0, 0) || to_one(NULL, s->w, n, 1, 0);
    for (int r = 1; r < ranks && !failed; r++) {
        failed = to_one(NULL, s->spare, n, 0, r);
        for (int i = 0; i < n; i++)
            s->w[i] += s->spare[i];
    }
    for (int i = 0; i < n; i++)
        s->w[i] /= ranks;
    for (int r = 1; r < ranks && !failed; r++)
        failed = to_one(s->w, NULL, n, 1, r);
    return failed;
}

static int star_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = replica_open(problem);
    return *state ? 0 : 1;
}

static int star_run(void *state, const void *const in[], void *const out[])
{
    struct replica *s = state;
    const int epochs = s->p->epochs;
    int me, failed = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    replica_start(s, in);
    for (int epoch = 0; epoch < epochs && !failed; epoch++) {
        replica_epoch(s, me, epoch, in);
        if ((epoch + 1) % s->p->merge_every == 0 || epoch + 1 == epochs)
            failed = merge(s, me);
    }
    memcpy(out[MLP_W], s->w, s->n * sizeof *s->w);
    return failed;
}

static void star_close(void *state)
{
    replica_close(state);
}

const struct hpc_variant hpc_variant = {HPC_ABI,   "mlp_ranks", "star",
                                        star_open, star_run,    star_close};
