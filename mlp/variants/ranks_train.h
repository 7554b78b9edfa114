/* What mlp_ranks/mpi and mpi_ring have in common: from merge to merge. */
#ifndef HPC_MLP_VARIANTS_RANKS_TRAIN_H
#define HPC_MLP_VARIANTS_RANKS_TRAIN_H

#include "mlp/ranks/replica.h"

/* All epochs of rank `me` of p->replicas; after each K-th and the last one `merge` makes of w,
 * [n] on every rank, the mean over the ranks. 0, or what merge returns that is not. */
static inline int replica_train(struct replica *s, int me, const void *const in[],
                                int (*merge)(struct replica *s))
{
    const struct mlp_problem *p = s->p;
    int failed = 0;
    replica_start(s, in);
    for (int epoch = 0; epoch < p->epochs && !failed; epoch++) {
        replica_epoch(s, me, epoch, in);
        if ((epoch + 1) % p->merge_every == 0 || epoch + 1 == p->epochs)
            failed = merge(s);
    }
    return failed;
}

#endif
