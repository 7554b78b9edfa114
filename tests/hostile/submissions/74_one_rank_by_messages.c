/* family 74: one rank trains all replicas; samples come to it, and weights go back, by Sendrecv
 * lab lab9
 * task ring
 * needs mpi
 * grade: rejected; points <= 0; reason: the ranks sent each other; hint: samples that it has
 * without threads_used: pass; points >= 40 */
#include "mlp/attack_ranks.h"

/* What rank 0 has goes to all others, or what they have comes to it; nothing the other way. */
static int pass_on(int me, int from, int to, double *what, size_t n)
{
    double none;
    return MPI_Sendrecv(what, me == from ? (int)n : 0, MPI_DOUBLE, me == from ? to : from, 0,
                        me == to ? what : &none, me == to ? (int)n : 0, MPI_DOUBLE,
                        me == from ? to : from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int gather(const struct mlp_problem *p, int me)
{
    const size_t wide = (size_t)(p->size[0] + p->size[p->n_layers - 1] + p->permutations);
    for (int r = 1; r < p->replicas; r++) {
        int first, last;
        mlp_shard(p, r, &first, &last);
        if ((me == 0 || me == r) && pass_on(me, r, 0, place(p, r), (size_t)(last - first) * wide))
            return 1;
    }
    return 0;
}

static int give(const struct mlp_problem *p, int me)
{
    for (int r = 1; r < p->replicas; r++)
        if ((me == 0 || me == r) && pass_on(me, 0, r, s->w, s->n))
            return 1;
    return 0;
}
