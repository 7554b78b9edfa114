/* A rank's replica (mlp/mlp.h, "mlp_ranks"), and its training on its own shard. It knows nothing of
 * other ranks: when to merge, and how, is the variant's. Arithmetic of mlp.h in flat's order. */
#ifndef HPC_MLP_RANKS_REPLICA_H
#define HPC_MLP_RANKS_REPLICA_H

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

/* NULL where the problem is none for ranks, or memory lacks; replica_close() frees it. */
static inline struct replica *replica_open(const struct mlp_problem *p)
{
    const size_t n = mlp_weights(p), units = (size_t)mlp_unit(p, p->n_layers);
    struct replica *s = (struct replica *)calloc(1, sizeof *s);
    if (!s || p->type != HPC_F64 || p->networks != 1) {
        free(s);
        return NULL;
    }
    s->p = p;
    s->n = n;
    s->w = (double *)calloc(2 * (n + units), sizeof *s->w);
    s->spare = s->w + n;
    s->o = s->spare + n;
    s->d = s->o + units;
    if (s->w)
        return s;
    free(s);
    return NULL;
}

static inline void replica_close(struct replica *s)
{
    free(s->w);
    free(s);
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

/* The weights that all replicas start from; in: as run() gets it. */
static inline void replica_start(struct replica *s, const void *const in[])
{
    memcpy(s->w, in[MLP_W0], s->n * sizeof *s->w);
}

/* One epoch of rank `me` over its shard, whose rows alone are in[MLP_X] and in[MLP_Y]. */
static inline void replica_epoch(struct replica *s, int me, int epoch, const void *const in[])
{
    const struct mlp_problem *p = s->p;
    const double *x = (const double *)in[MLP_X], *y = (const double *)in[MLP_Y];
    const double rate = *(const double *)in[MLP_RATES];
    const size_t n_x = (size_t)p->size[0], n_y = (size_t)p->size[p->n_layers - 1];
    const int32_t *order = (const int32_t *)in[MLP_ORDER]; /* [permutations][rows], from 0 */
    int first, last;
    mlp_shard(p, me, &first, &last);
    const size_t rows = (size_t)(last - first);
    order += (size_t)(epoch % p->permutations) * rows;
    for (size_t i = 0; i < rows; i++)
        replica_learn(s, x + (size_t)order[i] * n_x, y + (size_t)order[i] * n_y, rate);
}

#endif
