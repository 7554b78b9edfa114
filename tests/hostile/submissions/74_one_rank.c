/* family 74: one rank trains all replicas, with the samples that the others sent it
 * lab lab9
 * task allreduce
 * needs mpi
 * grade: rejected; points <= 0; reason: the ranks sent each other; hint: samples that it has
 * without threads_used: pass; points >= 30 */
#include "mlp/attack_ranks.h"

static int sum(double *what, size_t n)
{
    return MPI_Allreduce(MPI_IN_PLACE, what, (int)n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static int gather(const struct mlp_problem *p, int me)
{
    (void)me;
    return sum(all, (size_t)p->samples *
                        (size_t)(p->size[0] + p->size[p->n_layers - 1] + p->permutations));
}

static int give(const struct mlp_problem *p, int me)
{
    (void)p;
    if (me)
        memset(s->w, 0, s->n * sizeof *s->w);
    return sum(s->w, s->n);
}
