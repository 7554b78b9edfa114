/* lab9, ring: what a rank has goes all around the ring, a few weights at a time, and each rank adds
 * up all of it: no piece is anybody's own, and ranks add in different orders. */
#include "mlp/ranks_trainer.h"

static int merge(struct replica *s)
{
    enum { SOME = 50 };
    const int ranks = s->p->replicas;
    double passed[2][SOME];
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const int right = (me + 1) % ranks, left = (me + ranks - 1) % ranks;
    for (size_t at = 0; at < s->n; at += SOME) {
        const int n = s->n - at < SOME ? (int)(s->n - at) : SOME;
        double *w = s->w + at;
        memcpy(passed[0], w, (size_t)n * sizeof *w);
        for (int step = 1; step < ranks; step++) {
            const double *to = passed[(step + 1) % 2];
            double *from = passed[step % 2];
            if (MPI_Sendrecv(to, n, MPI_DOUBLE, right, step, from, n, MPI_DOUBLE, left, step,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE))
                return 1;
            for (int i = 0; i < n; i++)
                w[i] += from[i];
        }
        for (int i = 0; i < n; i++)
            w[i] /= ranks;
    }
    return 0;
}
