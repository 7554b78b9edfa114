/* mlp_ranks/mpi_ring: replicas on ranks, averaged by a ring of our own.
 *
 * Changes from mpi: the sum travels by MPI_Sendrecv between neighbours alone. The weights are cut
 * into as many pieces as there are ranks; in R - 1 steps each rank adds up one piece (reduce,
 * scatter), in R - 1 more every sum goes around (gather).
 * Why it wins: each rank sends 2 (R - 1) / R of the weights, however many ranks there are, and all
 * links are busy in each step. All ranks get the same bits, as each sum is made once.
 * What limits it now: 2 (R - 1) latencies, one behind the other: for few weights on many ranks a
 * tree's 2 log2(R) are fewer. */
#include <mpi.h>

#include "mlp/variants/ranks_train.h"

/* Where piece i of n weights begins, from 0 to `ranks`. */
static size_t piece(size_t n, int ranks, int i)
{
    return n * (size_t)i / (size_t)ranks;
}

/* Send piece `out` to the right, and get piece `in` from the left into `to`. */
static int shift(struct replica *s, int me, int out, int in, double *to)
{
    const int ranks = s->p->replicas, right = (me + 1) % ranks, left = (me + ranks - 1) % ranks;
    const size_t begin = piece(s->n, ranks, out), end = piece(s->n, ranks, out + 1);
    const size_t length = piece(s->n, ranks, in + 1) - piece(s->n, ranks, in);
    return MPI_Sendrecv(s->w + begin, (int)(end - begin), MPI_DOUBLE, right, 0, to, (int)length,
                        MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int merge(struct replica *s)
{
    const int ranks = s->p->replicas;
    int me, failed = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int step = 0; step < ranks - 1 && !failed; step++) {
        const int out = (me - step + ranks) % ranks, in = (out + ranks - 1) % ranks;
        const size_t begin = piece(s->n, ranks, in), end = piece(s->n, ranks, in + 1);
        failed = shift(s, me, out, in, s->spare);
        for (size_t i = begin; i < end; i++)
            s->w[i] += s->spare[i - begin];
    }
    const int own = (me + 1) % ranks; /* the piece whose sum is complete here */
    for (size_t i = piece(s->n, ranks, own); i < piece(s->n, ranks, own + 1); i++)
        s->w[i] /= ranks;
    for (int step = 0; step < ranks - 1 && !failed; step++) {
        const int out = (own - step + ranks) % ranks, in = (out + ranks - 1) % ranks;
        failed = shift(s, me, out, in, s->w + piece(s->n, ranks, in));
    }
    return failed;
}

static int ring_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = replica_open(problem);
    return *state ? 0 : 1;
}

static int ring_run(void *state, const void *const in[], void *const out[])
{
    struct replica *s = state;
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const int failed = replica_train(s, me, in, merge);
    memcpy(out[MLP_W], s->w, s->n * sizeof *s->w);
    return failed;
}

static void ring_close(void *state)
{
    replica_close(state);
}

const struct hpc_variant hpc_variant = {HPC_ABI,   "mlp_ranks", "mpi_ring",
                                        ring_open, ring_run,    ring_close};
