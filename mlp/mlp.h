/* The multilayer perceptron: the problems that a variant of mlp/ solves, and its arrays.
 * This header is all that a variant sees. Source: [Dong], sections 1 to 3.
 *
 * A net has n_layers layers of units, input and output included. unit l has size[l] units.
 * WEIGHTS, per network, are contiguous: for l = 0 .. n_layers-2 a matrix of (size[l] + 1) rows and
 * size[l+1] columns, row-major. Row 0 is the bias; row 1 + i belongs to unit i of layer l.
 *
 * Forward, for l = 1 .. n_layers-1, in exactly this order of additions:
 *   z[l][k] = W[0][k] + sum_{i = 0 .. size[l-1]-1, ascending} o[l-1][i] * W[1+i][k]
 *   o[l] = activation[l](z[l]), o[0] = the sample's inputs
 *     identity z; sigmoid 1/(1+exp(-z)); tanh; relu max(0, z); softmax exp(z_k - max z) / sum.
 * Error of one sample: E = 1/2 sum_k (y_k - o_k)^2 (for every output activation).
 * Backward, D[l] = -dE/dz[l], with all weights as they were in the forward pass:
 *   e[last][k] = y[k] - o[last][k]
 *   e[l][i]    = sum_{k ascending} D[l+1][k] * W_l[1+i][k]
 *   D[l] = J(activation[l])^T e[l]: identity e; sigmoid e*o*(1-o); tanh e*(1-o*o);
 *     relu e where o > 0, else 0; softmax o_i * (e_i - sum_j e_j o_j), the full Jacobian.
 * Update: W_l[0][k] += rate * D[l+1][k];  W_l[1+i][k] += rate * D[l+1][k] * o[l][i]
 *   (evaluated left to right: (rate * D) * o).
 * "mlp_sgd": one sample after another, an update after each.
 * "mlp_minibatch": the mean of D o over the batch, one update a batch.
 * "mlp_ranks": mlp_sgd on the ranks of an MPI program, a replica each. Rank r gets in in[MLP_X] and
 *   in[MLP_Y] the rows of its own shard alone, first to last - 1 of mlp_shard, and in in[MLP_ORDER]
 *   [permutations][last - first] an order of just these, counted from 0; in out[MLP_W] every rank
 *   writes the weights after the last merge. MPI runs when open() is called, and is ended behind
 *   close(). */
#ifndef HPC_MLP_MLP_H
#define HPC_MLP_MLP_H

#include <stddef.h>
#include <stdint.h>

#include "common/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MLP_MAX_LAYERS 10
#define MLP_MAX_RANKS  4

enum mlp_activation {
    MLP_IDENTITY = 1,
    MLP_SIGMOID = 2,
    MLP_TANH = 3,
    MLP_RELU = 4,
    MLP_SOFTMAX = 5,
};

/* Both operations take this. "mlp_sgd" is double or float by `type`; "mlp_minibatch" is float. */
struct mlp_problem {
    int n_layers;
    int size[MLP_MAX_LAYERS];       /* from n_layers on there is no layer: these are no sizes */
    int activation[MLP_MAX_LAYERS]; /* activation[0] is unused */
    int samples;                    /* rows of x and y, may be 0 */
    int epochs;                     /* passes over the samples, may be 0 */
    int permutations; /* sgd: rows of `order`, >= 1; epoch e uses row e % permutations */
    int replicas;    /* sgd: R >= 1. Replica r trains on positions [r*S/R, (r+1)*S/R) of the epoch's
                        order, from weights of its own; all start from w0 */
    int merge_every; /* sgd: K >= 1. After epochs K, 2K, .. and after the last one, all replicas get
                        the mean of their weights: (w_0 + w_1 + .. + w_{R-1}) / R, added in that
                        order */
    int batch;       /* minibatch: samples in an update; batches are rows [b*batch, (b+1)*batch)
                        of x, in order; a last, smaller batch is used with its own size */
    int networks;    /* sgd: W >= 1 independent networks on the same samples and order, each with
                        its own start weights and rate; replicas == 1 where networks > 1 */
    int type;        /* enum hpc_type: HPC_F64 or HPC_F32, of x, y, w0, rates and w */
    int unused;
};

/* in[] of both operations. T is `type`. */
enum mlp_in {
    MLP_X,     /* T [samples][size[0]] */
    MLP_Y,     /* T [samples][size[n_layers-1]], the targets */
    MLP_ORDER, /* int32 [permutations][samples], each row a permutation (minibatch: no elements) */
    MLP_W0,    /* T [networks][mlp_weights()] */
    MLP_RATES, /* T [networks], the learning rates */
    MLP_N_IN
};
/* out[] */
enum mlp_out {
    MLP_W, /* T [networks][mlp_weights()], all of it to be written */
    MLP_N_OUT
};

/* Elements of the weight matrix from layer l to l + 1, and where it starts; all weights of a net.
 */
static inline size_t mlp_matrix(const struct mlp_problem *p, int l)
{
    return ((size_t)p->size[l] + 1) * (size_t)p->size[l + 1];
}

static inline size_t mlp_offset(const struct mlp_problem *p, int l)
{
    size_t offset = 0;
    for (int i = 0; i < l; i++)
        offset += mlp_matrix(p, i);
    return offset;
}

static inline size_t mlp_weights(const struct mlp_problem *p)
{
    return mlp_offset(p, p->n_layers - 1);
}

/* Where layer l's units start in an array that holds all layers' units one after another; with
 * l = n_layers: how many units there are. */
static inline int mlp_unit(const struct mlp_problem *p, int l)
{
    int unit = 0;
    for (int i = 0; i < l; i++)
        unit += p->size[i];
    return unit;
}

/* The positions [*first, *last) of an epoch's order that replica r trains on. */
static inline void mlp_shard(const struct mlp_problem *p, int r, int *first, int *last)
{
    *first = (int)((int64_t)p->samples * r / p->replicas);
    *last = (int)((int64_t)p->samples * (r + 1) / p->replicas);
}

#ifdef __cplusplus
}
#endif
#endif
