/* lab9, allreduce: seven weights a call, out of place, from the last ones to the first. */
#include "mlp/ranks_trainer.h"

static int merge(struct replica *s)
{
    enum { PIECE = 7 };
    for (size_t end = s->n, n; end > 0; end -= n) {
        double sum[PIECE];
        n = end < PIECE ? end : PIECE;
        if (MPI_Allreduce(s->w + end - n, sum, (int)n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
            return 1;
        for (size_t i = 0; i < n; i++)
            s->w[end - n + i] = sum[i] / s->p->replicas;
    }
    return 0;
}
