/* What mlp_ranks/mpi and mpi_ring have in common: a rank's replica, trained on its own shard from
 * merge to merge. Arithmetic of mlp.h in flat's order. */
#ifndef HPC_MLP_VARIANTS_RANKS_TRAIN_H
#define HPC_MLP_VARIANTS_RANKS_TRAIN_H

#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

struct replica {
    const struct mlp_problem *p;
    size_t n;          /* weights */
    double *w, *o, *d; /* the weights; output and D of all units */
    double *spare;     /* [n], for a merge */
};

static inline void replica_close(struct replica *s)
{
    free(s->w);
    free(s);
}

/* NULL where the problem is none for ranks, or memory lacks. */
static inline struct replica *replica_open(const struct mlp_problem *p)
{
    const size_t n = mlp_weights(p), units = (size_t)mlp_unit(p, p->n_layers);
    struct replica *s = calloc(1, sizeof *s);
    if (!s || p->type != HPC_F64 || p->networks != 1) {
        free(s);
        return NULL;
    }
    *s = (struct replica){.p = p, .n = n, .w = calloc(2 * (n + units), sizeof *s->w)};
    s->spare = s->w + n;
    s->o = s->spare + n;
    s->d = s->o + units;
    if (s->w)
        return s;
    free(s);
    return NULL;
}

/* One sample: forward, backward, and the update of the weights. */
static inline void replica_learn(struct replica *s, const double *x, const double *y, double rate)
{
    const struct mlp_problem *p = s->p;
    const int last = p->n_layers - 1;
    double *w = s->w, *o = s->o, *d = s->d + mlp_unit(p, last);
    memcpy(o, x, (size_t)p->size[0] * sizeof *o);
    for (int l = 1; l <= last; l++) {
        const int n_in = p->size[l - 1], n_out = p->size[l];
        double *z = o + n_in;
        memcpy(z, w, (size_t)n_out * sizeof *z);
        w += n_out;
        for (int i = 0; i < n_in; i++, w += n_out)
            for (int k = 0; k < n_out; k++)
                z[k] += o[i] * w[k];
        mlp_activate(p->activation[l], n_out, z);
        o = z;
    }
    for (int k = 0; k < p->size[last]; k++)
        d[k] = y[k] - o[k];
    for (int l = last; l >= 1; l--) {
        const int n_in = p->size[l - 1], n_out = p->size[l];
        double *e = d - n_in;
        mlp_derivative(p->activation[l], n_out, o, d);
        o -= n_in;
        w -= mlp_matrix(p, l - 1);
        for (int k = 0; k < n_out; k++)
            w[k] += rate * d[k];
        for (int i = 0; i < n_in; i++) {
            double *row = w + (size_t)(1 + i) * (size_t)n_out, sum = 0;
            for (int k = 0; k < n_out; k++) {
                sum += d[k] * row[k];
                row[k] += rate * d[k] * o[i];
            }
            e[i] = sum;
        }
        d = e;
    }
}

/* All epochs of rank `me` of p->replicas; after each K-th and the last one `merge` makes of w,
 * [n] on every rank, the mean over the ranks. 0, or what merge returns that is not. */
static inline int replica_train(struct replica *s, int me, const void *const in[],
                                int (*merge)(struct replica *s))
{
    const struct mlp_problem *p = s->p;
    const double *x = in[MLP_X], *y = in[MLP_Y], rate = *(const double *)in[MLP_RATES];
    const size_t n_x = (size_t)p->size[0], n_y = (size_t)p->size[p->n_layers - 1];
    int first, last, failed = 0;
    mlp_shard(p, me, &first, &last);
    const size_t rows = (size_t)(last - first);
    memcpy(s->w, in[MLP_W0], s->n * sizeof *s->w);
    for (int epoch = 0; epoch < p->epochs && !failed; epoch++) {
        const int32_t *order = in[MLP_ORDER];
        order += (size_t)(epoch % p->permutations) * rows;
        for (size_t i = 0; i < rows; i++)
            replica_learn(s, x + (size_t)order[i] * n_x, y + (size_t)order[i] * n_y, rate);
        if ((epoch + 1) % p->merge_every == 0 || epoch + 1 == p->epochs)
            failed = merge(s);
    }
    return failed;
}

#endif
